"""Motions of a standard body, or of a figure in a video, put on a drawn figure.

The figure keeps its own proportions: every bone keeps its drawn length but for mild foreshortening (field report 36: an adult's
lengths on a child stretch forearms). Feet are solved from where they stand, so that they stay planted.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from scipy.ndimage import gaussian_filter1d

from ..figure import Figure, Placement, sole_line
from ..rig.bones import LIMBS, Bones
from ..rig.parts import bones_of
from .body import STANDARD, Body, pose_joints
from .motion import REST, Motion, Style
from .skeleton import INDEX, N_JOINTS, PARENT, PoseTrack

VIEW = {"right": 1.36, "left": -1.36, "front": 0.75, "back": np.pi - 0.75}
"""Turn of the body away from the viewer, in radians. Sideways a little less than a right angle, so that far limbs show; front
and back art acts in three-quarter view, or a walk would be nothing but lifted feet."""

SHORTEST = 0.6
"""A bone that points at the viewer is drawn at no less than this share of its length."""

LOYAL = 0.45
"""Radians: where a motion strays less than about this from relaxed standing, a limb keeps the angle it is drawn at."""

WRIST = 0.7
"""Share of a motion's wrist that a held thing follows; the rest it keeps its drawn angle to the forearm."""

STEADY = 0.35
"""Share of the arm's swing that a held thing follows in a loop: a walker carries a staff, he does not wave it."""


def wrap(angle: np.ndarray) -> np.ndarray:
    """The same angle in -pi..pi."""
    return (angle + np.pi) % (2 * np.pi) - np.pi


def _angle(vector: np.ndarray) -> np.ndarray:
    return np.arctan2(vector[..., 1], vector[..., 0])


def _turned(vector: np.ndarray, angle: np.ndarray) -> np.ndarray:
    """(2,) or (T, 2) turned by (T,) angles: (T, 2)."""
    cos, sin = np.cos(angle), np.sin(angle)
    return np.stack([vector[..., 0] * cos - vector[..., 1] * sin, vector[..., 0] * sin + vector[..., 1] * cos], -1)


def _unit(angle: np.ndarray) -> np.ndarray:
    return np.stack([np.cos(angle), np.sin(angle)], -1)


def seen(joints: np.ndarray, yaw: float) -> np.ndarray:
    """(..., 3) body axes to picture axes: x right, y down, z towards the viewer, of a body turned by `yaw` to the right."""
    left, up, ahead = joints[..., 0], joints[..., 1], joints[..., 2]
    cos, sin = np.cos(yaw), np.sin(yaw)
    return np.stack([left * cos + ahead * sin, -up, ahead * cos - left * sin], -1)


def body_of(bones: Bones, sole: float) -> Body:
    """A body with the drawn figure's proportions, for a motion to be solved on."""
    xy, tall = bones.xy, bones.height

    def length(one: str, two: str, usual: float) -> float:
        pairs = [(f"{side}_{one}", f"{side}_{two}") for side in "lr"]
        drawn = [
            float(np.hypot(*(xy[INDEX[b]] - xy[INDEX[a]])))
            for a, b in pairs
            if bones.known[INDEX[a]] and bones.known[INDEX[b]]
        ]
        return max(max(drawn) / tall, 0.25 * usual) if drawn else usual

    ankles = [sole - xy[INDEX[name], 1] for name in ("l_ankle", "r_ankle") if bones.known[INDEX[name]]]
    ankle = float(np.clip(min(ankles) / tall, 0.01, 0.12)) if ankles else STANDARD.ankle
    foot = length("ankle", "toe", STANDARD.foot)
    return replace(
        STANDARD,
        thigh=length("hip", "knee", STANDARD.thigh),
        shin=length("knee", "ankle", STANDARD.shin),
        ankle=ankle,
        foot=max(float(np.sqrt(max(foot**2 - ankle**2, 0))), 0.03),
    )


def rest_track(figure: Figure, placement: Placement, frames: int = 1) -> PoseTrack:
    """The drawn pose held for `frames` frames; confidence is the figure's own."""
    bones = bones_of(figure)
    depth = seen(pose_joints(_standing(), STANDARD), VIEW[figure.facing])[0, :, 2]
    joints = np.concatenate(
        [placement.to_cell(bones.xy), (depth * bones.height * placement.scale)[:, None].astype(np.float32)], -1
    )
    confidence = np.where(bones.known, np.maximum(figure.joints[:, 2], 0.5 * bones.known), 0)
    return PoseTrack(np.repeat(joints[None], frames, 0), np.repeat(confidence[None].astype(np.float32), frames, 0))


def _standing() -> dict[str, np.ndarray]:
    return {name: np.full(1, value) for name, value in REST.items()}


def fit(
    motion: Motion,
    figure: Figure,
    placement: Placement,
    frames: int,
    fps: float,
    energy: float = 1.0,
    strength: float = 1.0,
) -> PoseTrack:
    """The motion acted by the figure, in cells, facing as drawn.

    `energy`: size of the movement, 0.3..1.6. `strength`: 0 stays in the drawn stance, 1 acts in full.
    """
    bones = bones_of(figure)
    sole = sole_line(figure.art[..., 3])
    body = body_of(bones, sole)
    yaw, tall = VIEW[figure.facing], bones.height
    moved = seen(motion.joints(frames, Style(energy=energy), body).astype(np.float64), yaw) * tall
    stood = seen(pose_joints(_standing(), body).astype(np.float64), yaw)[0] * tall
    out = np.zeros((frames, N_JOINTS, 3))
    out[..., 2] = moved[..., 2]
    lean = _trunk(out, moved, stood, bones, strength)
    away = motion.loop and _strays(moved, stood, tall)
    _legs(out, moved, stood, bones, sole, away, strength, figure.facing, lean)
    for side in "lr":
        _arm(out, moved, stood, bones, side, motion.loop, strength)
    _ride(out, bones)
    cells = placement.to_cell(out[..., :2])
    joints = np.concatenate([cells, (out[..., 2:] * placement.scale).astype(np.float32)], -1)
    known = np.where(bones.known, np.maximum(figure.joints[:, 2], 0.5), 0).astype(np.float32)
    return PoseTrack(joints, np.repeat(known[None], frames, 0), fps, motion.loop)


def _strays(moved: np.ndarray, stood: np.ndarray, tall: float) -> bool:
    """Whether a loop walks: feet that leave the stance by more than a twentieth of the body."""
    feet = [INDEX["l_ankle"], INDEX["r_ankle"]]
    return bool(np.abs(moved[:, feet] - stood[feet]).max() > 0.05 * tall)


def _trunk(out: np.ndarray, moved: np.ndarray, stood: np.ndarray, bones: Bones, strength: float) -> np.ndarray:
    """Places pelvis, spine, head, shoulders and hips; returns the lean (T,) in radians."""
    xy = bones.xy

    def turn(low: str, high: str) -> np.ndarray:
        bone = moved[:, INDEX[high], :2] - moved[:, INDEX[low], :2]
        rest = stood[INDEX[high], :2] - stood[INDEX[low], :2]
        return strength * np.unwrap(wrap(_angle(bone) - _angle(rest)))

    def put(name: str, root: str, angle: np.ndarray, size: np.ndarray | float = 1.0) -> None:
        step = _turned(xy[INDEX[name]] - xy[INDEX[root]], angle) * np.reshape(size, (-1, 1))
        out[:, INDEX[name], :2] = out[:, INDEX[root], :2] + step

    pelvis = INDEX["pelvis"]
    shift = moved[:, pelvis, :2] - stood[pelvis, :2]
    out[:, pelvis, :2] = xy[pelvis] + strength * shift
    lean, nod = turn("pelvis", "chest"), turn("neck", "crown")
    spine = np.hypot(*(moved[:, INDEX["chest"], :2] - moved[:, pelvis, :2]).T)
    short = 1 + strength * (np.clip(spine / np.hypot(*(stood[INDEX["chest"], :2] - stood[pelvis, :2])), 0.75, 1) - 1)
    put("chest", "pelvis", lean, short)
    put("neck", "chest", lean, short)
    nod = lean + np.clip(nod - lean, -0.7, 0.7)
    put("head", "neck", nod)
    put("crown", "neck", nod)
    for side in "lr":
        for name, root in ((f"{side}_shoulder", "chest"), (f"{side}_hip", "pelvis")):
            put(name, root, lean)
            offset = moved[:, INDEX[name], :2] - moved[:, INDEX[root], :2]
            twist = offset - _turned(stood[INDEX[name], :2] - stood[INDEX[root], :2], lean)
            out[:, INDEX[name], :2] += strength * twist * (0.8, 0.5)
    return lean


def _legs(
    out: np.ndarray,
    moved: np.ndarray,
    stood: np.ndarray,
    bones: Bones,
    sole: float,
    away: bool,
    strength: float,
    facing: str,
    lean: np.ndarray,
) -> None:
    """Feet from where they stand, the pelvis no higher than they let it, knees by two-bone inverse kinematics."""
    xy, tall = bones.xy, bones.height
    sides = [side for side in "lr" if len(bones.chain(f"{side}_leg")) >= 3]
    feet: dict[str, np.ndarray] = {}
    lengths: dict[str, tuple[float, float]] = {}
    flat = [xy[INDEX[f"{side}_ankle"], 1] for side in sides]
    for side in sides:
        hip, knee, ankle = (INDEX[f"{side}_{name}"] for name in ("hip", "knee", "ankle"))
        drawn = xy[ankle].copy()
        if drawn[1] < max(flat) - 0.07 * tall:
            drawn[1] = max(flat)  # drawn in mid-step: it stands where the other foot stands
        delta = moved[:, ankle, :2] - stood[ankle, :2]
        if away:
            # A gait swings about the hip, not about the drawn stance.
            ahead = moved[:, ankle, 0] - stood[hip, 0]
            target = np.stack([xy[hip, 0] + ahead, drawn[1] + delta[:, 1]], -1)
        else:
            target = drawn + delta
        feet[side] = xy[ankle] + strength * (target - xy[ankle])
        lengths[side] = (float(np.hypot(*(xy[knee] - xy[hip]))), float(np.hypot(*(xy[ankle] - xy[knee]))))

    drop = np.zeros(len(out))
    for side in sides:
        reach = 0.9995 * sum(lengths[side])
        hip = out[:, INDEX[f"{side}_hip"], :2]
        aside = np.minimum(np.abs(feet[side][:, 0] - hip[:, 0]), 0.98 * reach)
        lowest = feet[side][:, 1] - np.sqrt(reach**2 - aside**2)
        standing = np.clip(1 - (feet[side][:, 1].max() - feet[side][:, 1]) / (0.05 * tall), 0, 1)
        drop = np.maximum(drop, standing * np.maximum(lowest - hip[:, 1], 0))
    out[..., 1] += drop[:, None]
    for side in sides:
        _knee(out, side, feet[side], lengths[side], facing, bones)
        ankle, toe = INDEX[f"{side}_ankle"], INDEX[f"{side}_toe"]
        pitch = wrap(_angle((moved[:, toe] - moved[:, ankle])[:, :2]) - _angle((stood[toe] - stood[ankle])[:2]))
        out[:, toe, :2] = out[:, ankle, :2] + _turned(xy[toe] - xy[ankle], strength * pitch)


def _knee(
    out: np.ndarray, side: str, foot: np.ndarray, lengths: tuple[float, float], facing: str, bones: Bones
) -> None:
    hip = out[:, INDEX[f"{side}_hip"], :2]
    thigh, shin = lengths
    reach = foot - hip
    far = np.maximum(np.hypot(*reach.T), 1e-6)
    sideways = facing in ("right", "left")
    # Seen from the front a lifted leg points at the viewer: it shortens before its knee goes aside.
    shorten = np.ones(len(out)) if sideways else np.clip(1.04 * far / (thigh + shin), SHORTEST, 1)
    thigh_now, shin_now = thigh * shorten, shin * shorten
    span = np.clip(far, np.abs(thigh_now - shin_now) + 0.1 * (thigh + shin), 0.9995 * (thigh_now + shin_now))
    along = (thigh_now**2 - shin_now**2 + span**2) / (2 * span)
    aside = np.sqrt(np.maximum(thigh_now**2 - along**2, 0))
    unit = reach / far[:, None]
    # The knee bends the way the figure looks; y points down, so that is to the left of a leg that points down.
    ahead = -1.0 if facing == "left" else 1.0
    normal = np.stack([unit[:, 1], -unit[:, 0]], -1) * ahead
    out[:, INDEX[f"{side}_knee"], :2] = hip + unit * along[:, None] + normal * aside[:, None]
    out[:, INDEX[f"{side}_ankle"], :2] = hip + unit * span[:, None]


def _arm(
    out: np.ndarray, moved: np.ndarray, stood: np.ndarray, bones: Bones, side: str, loop: bool, strength: float
) -> None:
    """Arm and what it holds, bone by bone."""
    held = "weapon_tip" if side == "r" else "offhand_tip"
    names = (*LIMBS[f"{side}_arm"], held)
    before = rest_before = drawn_before = None
    for start, end in zip(names, names[1:], strict=False):
        a, b = INDEX[start], INDEX[end]
        bone, rest, drawn = moved[:, b] - moved[:, a], stood[b] - stood[a], bones.xy[b] - bones.xy[a]
        angle, rest_angle, drawn_angle = _angle(bone), float(_angle(rest)), float(_angle(drawn))
        flat = np.hypot(*bone[:, :2].T) / np.maximum(np.linalg.norm(bone, axis=-1), 1e-6)
        if end == held and before is not None:
            wrist = wrap((angle - before[0]) - (rest_angle - rest_before))
            kept = drawn_angle - drawn_before
            bent = wrap(np.asarray(rest_angle - rest_before - kept))
            turn = kept + strength * flat * (WRIST * wrist + (1 - loyal) * bent)
            direction, size = before[1] + turn, np.clip(flat / 0.9, 0.75, 1)
            if loop:
                direction = drawn_angle + STEADY * wrap(direction - drawn_angle)
        else:
            stray = np.abs(wrap(angle - rest_angle))
            loyal = np.exp(-(((stray.max() if loop else stray) / LOYAL) ** 2))
            wanted = angle + loyal * wrap(np.asarray(drawn_angle - rest_angle))
            direction = drawn_angle + strength * np.unwrap(wrap(wanted - drawn_angle))
            size = 1 + (1 - loyal) * strength * (np.clip(flat, SHORTEST, 1) - 1)
            before, rest_before, drawn_before = (angle, direction), rest_angle, drawn_angle
        out[:, b, :2] = out[:, a, :2] + _unit(direction) * (np.hypot(*drawn) * size)[:, None]


def _ride(out: np.ndarray, bones: Bones) -> None:
    """Joints that the figure lacks ride on their parents."""
    for number in range(N_JOINTS):
        if not bones.known[number] and PARENT[number] >= 0:
            out[:, number, :2] = out[:, PARENT[number], :2]


def fit_track(track: PoseTrack, figure: Figure, placement: Placement, smooth: float = 0.8) -> PoseTrack:
    """Another figure's tracked joints put on this figure's bones. Both must face the same way.

    Directions come from the track, lengths from the drawing (foreshortened where the track shortens), the path of the pelvis
    in leg lengths, the ground from the track's lowest ankles. `smooth`: width of the temporal filter in frames.
    """
    bones, count = bones_of(figure), len(track)
    moved, found = _steady(track, smooth), track.confidence.max(0, initial=0) > 0
    out = np.zeros((count, N_JOINTS, 3))
    out[..., 2] = moved[..., 2] / placement.scale
    pelvis, chest = INDEX["pelvis"], INDEX["chest"]
    lean = np.zeros(count)
    if found[pelvis] and found[chest]:
        lean = wrap(_angle((moved[:, chest] - moved[:, pelvis])[:, :2]) - _angle(bones.xy[chest] - bones.xy[pelvis]))
    for number in range(
        N_JOINTS
    ):  # parents come before their children but for the toes, crown and tips, which come last
        parent = PARENT[number]
        if parent < 0:
            continue
        drawn = bones.xy[number] - bones.xy[parent]
        step = _turned(drawn, lean)
        if parent not in (pelvis, chest) and found[number] and found[parent]:
            bone = (moved[:, number] - moved[:, parent])[:, :2]
            length = np.hypot(*bone.T)
            size = np.clip(length / max(float(np.quantile(length, 0.9)), 1e-6), SHORTEST, 1)
            step = _unit(_angle(bone)) * (np.hypot(*drawn) * size)[:, None]
        out[:, number, :2] = out[:, parent, :2] + step
    shift = np.zeros((count, 2))
    ankles = [INDEX[name] for name in ("l_ankle", "r_ankle") if found[INDEX[name]] and bones.known[INDEX[name]]]
    if found[pelvis]:
        hips = moved[:, ankles, 1].max(1) - moved[:, pelvis, 1] if ankles else np.ones(count)
        leg = max(float(np.quantile(hips, 0.9)), 1e-6)
        own = max(float(bones.xy[ankles, 1].max() - bones.xy[pelvis, 1]), 1e-6) if ankles else bones.height / 2
        shift[:, 0] = (moved[:, pelvis, 0] - moved[:, pelvis, 0].mean()) / leg * own
        if ankles:
            lowest = moved[:, ankles, 1].max(1)
            lift = (np.quantile(lowest, 0.9) - lowest).clip(min=0) / leg * own
            shift[:, 1] = bones.xy[ankles, 1].max() - out[:, ankles, 1].max(1) - lift - bones.xy[pelvis, 1]
    out[..., :2] += (bones.xy[pelvis] + shift)[:, None]
    joints = np.concatenate([placement.to_cell(out[..., :2]), (out[..., 2:] * placement.scale).astype(np.float32)], -1)
    return replace(
        track, joints=joints, confidence=np.where(bones.known, np.maximum(track.confidence, 0.1), 0).astype(np.float32)
    )


def _steady(track: PoseTrack, smooth: float) -> np.ndarray:
    """Joints filtered over time, sure ones counting more."""
    weight = np.maximum(track.confidence, 1e-3)[..., None]
    mode = "wrap" if track.loop else "nearest"
    return gaussian_filter1d(track.joints * weight, smooth, 0, mode=mode) / gaussian_filter1d(
        weight, smooth, 0, mode=mode
    )
