"""BVH files written by hand, small enough to check by eye."""

from __future__ import annotations

from collections.abc import Mapping

TREE = """
Hips -1 0 95 0
Spine 0 0 12 0
Neck 1 0 43 0
Head 2 0 8 0
Head/end 3 0 26 0
{L}Shoulder 1 5 38 0
{L}Arm 5 14 2 0
{L}ForeArm 6 30 0 0
{L}Hand 7 27 0 0
{R}Shoulder 1 -5 38 0
{R}Arm 9 -14 2 0
{R}ForeArm 10 -30 0 0
{R}Hand 11 -27 0 0
{L}UpLeg 0 9 -4 0
{L}Leg 13 0 -43 0
{L}Foot 14 0 -41 0
{L}ToeBase 15 0 -7 15
{R}UpLeg 0 -9 -4 0
{R}Leg 17 0 -43 0
{R}Foot 18 0 -41 0
{R}ToeBase 19 0 -7 15
"""
"""A T-pose in centimetres that looks along +z: name, number of the parent, offset."""

Turns = Mapping[str, tuple[float, float, float]]
"""Joint to its turn about z, x and y in degrees."""


def bvh(frames: list[Turns], rename: Mapping[str, str] | None = None, step: float = 0.1) -> str:
    """The text of a file; "root" among the turns is the root's position. `rename` replaces parts of joints' names."""
    lines = [line.split() for line in TREE.format(L="Left", R="Right").strip().splitlines()]
    names = [line[0] for line in lines]
    parents = [int(line[1]) for line in lines]
    shown = list(names)
    for old, new in (rename or {}).items():
        shown = [name.replace(old, new) for name in shown]

    def node(number: int) -> str:
        end = names[number].endswith("/end")
        kind = "End Site" if end else f"{'JOINT' if number else 'ROOT'} {shown[number]}"
        channels = "Xposition Yposition Zposition Zrotation Xrotation Yrotation" if not number else ""
        channels = channels or "Zrotation Xrotation Yrotation"
        own = "" if end else f"CHANNELS {len(channels.split())} {channels}\n"
        below = "".join(node(child) for child, parent in enumerate(parents) if parent == number)
        return f"{kind}\n{{\nOFFSET {' '.join(lines[number][2:])}\n{own}{below}}}\n"

    order: list[str] = []

    def walk(number: int) -> None:
        if not names[number].endswith("/end"):
            order.append(names[number])
        for child, parent in enumerate(parents):
            if parent == number:
                walk(child)

    walk(0)
    rows = []
    for turns in frames:
        values = list(turns.get("root", (0, 95, 0)))
        for name in order:
            values += turns.get(name, (0, 0, 0))
        rows.append(" ".join(f"{value:.4f}" for value in values))
    motion = f"MOTION\nFrames: {len(frames)}\nFrame Time: {step}\n" + "\n".join(rows) + "\n"
    return "HIERARCHY\n" + node(0) + motion
