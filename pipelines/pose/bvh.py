"""BVH motion capture files: the hierarchy of joints, and where each joint is in every frame.

Format after Meredith and Maddock, "Motion Capture File Formats Explained" (2001). A file is hostile until it has been
parsed: its size, joints, depth and frames are capped, and every number must be finite.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy.spatial.transform import Rotation

from ..errors import UserError

BYTES = 32 << 20
JOINTS = 256
DEPTH = 64
FRAMES = 20_000
NUMBERS = 2_000_000
"""Most values of all frames together: what they become in memory is fifty times what they are in the file."""
FARTHEST = 1e6
"""Largest number that a file may hold, in its own units."""

_AXES = {"x": 0, "y": 1, "z": 2}


class MotionFileError(UserError):
    """A motion file that cannot be read; the text says why and what to do."""


@dataclass(frozen=True)
class Bone:
    """One joint of the hierarchy."""

    name: str
    """As in the file; the end of a chain is called after its joint, with "/end" behind."""
    parent: int
    """Number of the parent, -1 for the root. Parents come before their children."""
    offset: tuple[float, float, float]
    channels: tuple[str, ...]
    """"Xposition", "Zrotation"... in the order of the file."""


@dataclass(frozen=True)
class Capture:
    """What a file holds. `places`: float64 (T, N, 3), every joint in the file's own axes and units."""

    bones: tuple[Bone, ...]
    places: np.ndarray
    fps: float


def is_bvh(path: Path) -> bool:
    """Whether a file begins as BVH does; its name proves nothing. Raises OSError."""
    with path.open("rb") as file:
        return file.read(64).lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"HIERARCHY")


def read_bvh(path: Path) -> Capture:
    """Raises `MotionFileError`."""
    if path.stat().st_size > BYTES:
        raise MotionFileError(f"The motion file is larger than {BYTES >> 20} MB; cut it down to the part you need.")
    return parse_bvh(path.read_text(encoding="utf-8-sig", errors="replace"))


def parse_bvh(text: str) -> Capture:
    """The text of a BVH file. Raises `MotionFileError`."""
    head, found, tail = text.partition("MOTION")
    words = head.split(maxsplit=200 * JOINTS)
    if not found or words[:1] != ["HIERARCHY"]:
        raise MotionFileError("This is not a BVH file: HIERARCHY or MOTION is missing. Export the motion as BVH again.")
    bones = _hierarchy(words[1:])
    values, fps = _motion(tail, sum(len(bone.channels) for bone in bones))
    return Capture(bones, _places(bones, values), fps)


def _hierarchy(words: list[str]) -> tuple[Bone, ...]:
    bones: list[Bone] = []
    open_: list[int] = []  # the chain from the root to where we are
    at = 0

    def take(count: int) -> list[str]:
        nonlocal at
        at += count
        if at > len(words):
            raise MotionFileError("The BVH file ends in the middle of its hierarchy; export it again.")
        return words[at - count : at]

    while at < len(words):
        (word,) = take(1)
        if word in ("ROOT", "JOINT", "End"):
            if (word != "ROOT" and not open_) or (word == "ROOT" and bones):
                raise MotionFileError("The BVH file must hold one skeleton with one ROOT; export one figure alone.")
            (name,) = take(1)
            while at < len(words) and words[at] != "{" and word != "End":
                name += " " + take(1)[0]  # some exporters write names of several words
            parent = open_[-1] if open_ else -1
            bones.append(Bone(f"{bones[parent].name}/end" if word == "End" else name, parent, (0.0, 0.0, 0.0), ()))
            if take(1) != ["{"]:
                raise MotionFileError(f"The BVH file lacks a brace after {name[:40]!r}; export it again.")
            open_.append(len(bones) - 1)
            if len(bones) > JOINTS or len(open_) > DEPTH:
                raise MotionFileError(f"The BVH file has more than {JOINTS} joints, or chains longer than {DEPTH}.")
        elif word == "}" and open_:
            open_.pop()
        elif word == "OFFSET" and open_:
            x, y, z = (_number(word) for word in take(3))
            bones[open_[-1]] = Bone(
                bones[open_[-1]].name, bones[open_[-1]].parent, (x, y, z), bones[open_[-1]].channels
            )
        elif word == "CHANNELS" and open_:
            count = int(min(max(_number(take(1)[0]), 0), 7))
            kinds = tuple(take(count))
            if count > 6 or not all(
                kind[:1].lower() in _AXES and kind[1:] in ("position", "rotation") for kind in kinds
            ):
                raise MotionFileError(f"The BVH file has unknown channels: {' '.join(kinds)[:80]!r}.")
            last = bones[open_[-1]]
            bones[open_[-1]] = Bone(last.name, last.parent, last.offset, kinds)
        else:
            raise MotionFileError(f"The BVH file has {word[:40]!r} where a joint was expected; export it again.")
    if open_ or not bones:
        raise MotionFileError("The BVH file ends in the middle of its hierarchy; export it again.")
    return tuple(bones)


def _number(word: str) -> float:
    try:
        value = float(word)
    except ValueError:
        value = np.nan
    if not abs(value) <= FARTHEST:
        raise MotionFileError(f"The BVH file has {word[:40]!r} where a number was expected; export it again.")
    return value


def _motion(text: str, width: int) -> tuple[np.ndarray, float]:
    """Channel values (T, width) and frames a second."""
    words = text.replace(":", " ", 2).split(maxsplit=5)
    if len(words) < 5 or words[0].lower() != "frames" or [word.lower() for word in words[2:4]] != ["frame", "time"]:
        raise MotionFileError("The BVH file lacks its number of frames or its frame time; export it again.")
    count, step = _number(words[1]), _number(words[4])
    if not 1 <= count <= FRAMES or not 1e-4 <= step <= 10:
        raise MotionFileError(
            f"A motion has 1 to {FRAMES} frames; this one says {words[1]} of {words[4]} seconds each."
        )
    total = int(count) * width
    if total > NUMBERS:
        raise MotionFileError(f"The motion is too long: {int(count)} frames of {width} numbers. Cut it down.")
    try:
        values = np.array(words[5].split(maxsplit=total) if len(words) > 5 else [], np.float64)
    except ValueError:
        raise MotionFileError(
            "The BVH file has something else than numbers among its frames; export it again."
        ) from None
    if not width or len(values) != total:
        raise MotionFileError(
            f"The BVH file should hold {int(count)} frames of {width} numbers; it holds {len(values)} numbers."
        )
    if not (np.abs(values) <= FARTHEST).all():
        raise MotionFileError("The BVH file has endless numbers among its frames; export it again.")
    return values.reshape(int(count), width), 1 / step


def _places(bones: tuple[Bone, ...], values: np.ndarray) -> np.ndarray:
    """Forward kinematics: float64 (T, N, 3)."""
    frames = len(values)
    places, turns = np.zeros((frames, len(bones), 3)), []
    column = 0
    for number, bone in enumerate(bones):
        offset = np.tile(bone.offset, (frames, 1))
        turn = Rotation.identity(frames)
        for kind in bone.channels:
            if kind.endswith("position"):  # stands for the offset, as exporters and Blender's importer have it
                offset[:, _AXES[kind[0].lower()]] = values[:, column]
            else:
                turn = turn * Rotation.from_euler(kind[0].lower(), values[:, column : column + 1], degrees=True)
            column += 1
        if bone.parent < 0:
            places[:, number] = offset
            turns.append(turn)
        else:
            places[:, number] = places[:, bone.parent] + turns[bone.parent].apply(offset)
            turns.append(turns[bone.parent] * turn)
    return places
