"""The limbs of a drawn figure placed after a motion: trunk by leaning, feet by where they stand, arms bone by bone.

All arrays are art pixels, x right, y down: `moved` (T, 21, 3) and `stood` (21, 3) are the motion and its relaxed
stance as seen.
"""

from __future__ import annotations

import numpy as np
from scipy.ndimage import gaussian_filter1d

from ..rig.bones import LIMBS, Bones
from .skeleton import INDEX

SHORTEST = 0.6
"""A bone that points at the viewer is drawn at no less than this share of its length."""

LOYAL = 0.45
"""Radians: where a motion strays less than about this from relaxed standing, a limb keeps the angle it is drawn at."""

WRIST = 0.7
"""Share of a motion's wrist that a held thing follows; the rest it keeps its drawn angle to the forearm."""

NARROW = 0.45
"""Share of the drawn distance of the hips from the middle at which the feet of a walker run."""

STEADY = 0.35
"""Share of the arm's swing that a held thing follows in a loop: a walker carries a staff, he does not wave it."""


def wrap(angle: np.ndarray) -> np.ndarray:
    """The same angle in -pi..pi."""
    return (angle + np.pi) % (2 * np.pi) - np.pi


def angle_of(vector: np.ndarray) -> np.ndarray:
    return np.arctan2(vector[..., 1], vector[..., 0])


def turned(vector: np.ndarray, angle: np.ndarray) -> np.ndarray:
    """(2,) or (T, 2) turned by (T,) angles: (T, 2)."""
    cos, sin = np.cos(angle), np.sin(angle)
    return np.stack([vector[..., 0] * cos - vector[..., 1] * sin, vector[..., 0] * sin + vector[..., 1] * cos], -1)


def unit(angle: np.ndarray) -> np.ndarray:
    return np.stack([np.cos(angle), np.sin(angle)], -1)


def place_trunk(out: np.ndarray, moved: np.ndarray, stood: np.ndarray, bones: Bones, strength: float) -> np.ndarray:
    """Places pelvis, spine, head, shoulders and hips; returns the lean (T,) in radians."""
    xy = bones.xy

    def turn(low: str, high: str) -> np.ndarray:
        bone = moved[:, INDEX[high], :2] - moved[:, INDEX[low], :2]
        rest = stood[INDEX[high], :2] - stood[INDEX[low], :2]
        return strength * np.unwrap(wrap(angle_of(bone) - angle_of(rest)))

    def put(name: str, root: str, angle: np.ndarray, size: np.ndarray | float = 1.0) -> None:
        step = turned(xy[INDEX[name]] - xy[INDEX[root]], angle) * np.reshape(size, (-1, 1))
        out[:, INDEX[name], :2] = out[:, INDEX[root], :2] + step

    pelvis = INDEX["pelvis"]
    shift = moved[:, pelvis, :2] - stood[pelvis, :2]
    out[:, pelvis, :2] = xy[pelvis] + strength * shift
    lean, nod = turn("pelvis", "chest"), turn("neck", "crown")
    spine = np.hypot(*(moved[:, INDEX["chest"], :2] - moved[:, pelvis, :2]).T)
    short = 1 + strength * (np.clip(spine / np.hypot(*(stood[INDEX["chest"], :2] - stood[pelvis, :2])), 0.75, 1) - 1)
    put("chest", "pelvis", lean, short)
    put("neck", "chest", lean, short)
    nod = lean + np.clip(0.8 * (nod - lean), -0.4, 0.4)
    put("head", "neck", nod)
    put("crown", "neck", nod)
    for side in "lr":
        for name, root in ((f"{side}_shoulder", "chest"), (f"{side}_hip", "pelvis")):
            put(name, root, lean)
            offset = moved[:, INDEX[name], :2] - moved[:, INDEX[root], :2]
            twist = offset - turned(stood[INDEX[name], :2] - stood[INDEX[root], :2], lean)
            out[:, INDEX[name], :2] += strength * twist * (0.8, 0.5)
    return lean


def place_legs(
    out: np.ndarray,
    moved: np.ndarray,
    stood: np.ndarray,
    bones: Bones,
    away: bool,
    strength: float,
    facing: str,
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
            # A gait swings about a place under the body, not about the drawn stance. Three-quarter art has its hips
            # wide apart; feet that kept to them would never pass each other.
            middle = xy[INDEX["pelvis"], 0] + NARROW * (xy[hip, 0] - xy[INDEX["pelvis"], 0])
            target = np.stack([middle + moved[:, ankle, 0] - stood[hip, 0], drawn[1] + delta[:, 1]], -1)
        else:
            target = drawn + delta
        feet[side] = xy[ankle] + strength * (target - xy[ankle])
        lengths[side] = (float(np.hypot(*(xy[knee] - xy[hip]))), float(np.hypot(*(xy[ankle] - xy[knee]))))

    drop = np.zeros(len(out))
    for side in sides:
        reach = 0.9995 * sum(lengths[side])
        root = out[:, INDEX[f"{side}_hip"], :2]
        aside = np.minimum(np.abs(feet[side][:, 0] - root[:, 0]), 0.98 * reach)
        lowest = feet[side][:, 1] - np.sqrt(reach**2 - aside**2)
        standing = np.clip(1 - (feet[side][:, 1].max() - feet[side][:, 1]) / (0.05 * tall), 0, 1)
        drop = np.maximum(drop, standing * np.maximum(lowest - root[:, 1], 0))
    out[..., 1] += drop[:, None]
    for side in sides:
        _bend_knee(out, side, feet[side], lengths[side], facing)
        ankle, toe = INDEX[f"{side}_ankle"], INDEX[f"{side}_toe"]
        pitch = wrap(angle_of((moved[:, toe] - moved[:, ankle])[:, :2]) - angle_of((stood[toe] - stood[ankle])[:2]))
        out[:, toe, :2] = out[:, ankle, :2] + turned(xy[toe] - xy[ankle], strength * pitch)


def _bend_knee(out: np.ndarray, side: str, foot: np.ndarray, lengths: tuple[float, float], facing: str) -> None:
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


def place_arm(
    out: np.ndarray, moved: np.ndarray, stood: np.ndarray, bones: Bones, side: str, loop: bool, strength: float
) -> None:
    """Arm and what it holds, bone by bone. Where the motion hardly strays from its stance the drawn stance is kept."""
    shoulder, elbow, wrist = (INDEX[name] for name in LIMBS[f"{side}_arm"])
    tip = INDEX["weapon_tip" if side == "r" else "offhand_tip"]
    turn, loyal = np.zeros(len(out)), np.ones(len(out))
    for start, end in ((shoulder, elbow), (elbow, wrist)):
        bone, rest, drawn = moved[:, end] - moved[:, start], stood[end] - stood[start], bones.xy[end] - bones.xy[start]
        stray = np.abs(wrap(angle_of(bone) - angle_of(rest)))
        loyal = np.exp(-(((np.full_like(stray, stray.max()) if loop else stray) / LOYAL) ** 2))
        wanted = angle_of(bone) + loyal * wrap(angle_of(drawn) - angle_of(rest))
        turn = strength * np.unwrap(wrap(wanted - angle_of(drawn)))
        size = 1 + (1 - loyal) * strength * (np.clip(_flatness(bone), SHORTEST, 1) - 1)
        out[:, end, :2] = out[:, start, :2] + turned(drawn, turn) * size[:, None]
    # The held thing turns with the forearm, and a little more with the wrist. Far from the stance it is held as the
    # motion holds it: a sword drawn pointing backwards must still cut forwards.
    held, held_rest, drawn = moved[:, tip] - moved[:, wrist], stood[tip] - stood[wrist], bones.xy[tip] - bones.xy[wrist]
    forearm, forearm_rest = moved[:, wrist] - moved[:, elbow], stood[wrist] - stood[elbow]
    at_rest = angle_of(held_rest) - angle_of(forearm_rest)
    as_drawn = angle_of(drawn) - angle_of(bones.xy[wrist] - bones.xy[elbow])
    bent = wrap(angle_of(held) - angle_of(forearm) - at_rest)
    grip = np.zeros(len(out)) if loop else (1 - loyal) * wrap(at_rest - as_drawn)
    turn = turn + strength * _flatness(held) * (WRIST * bent + grip)
    if loop:
        turn = STEADY * wrap(turn)
    size = 1 + strength * (np.clip(_flatness(held) / 0.9, 0.75, 1) - 1) * (1 - loyal)
    out[:, tip, :2] = out[:, wrist, :2] + turned(drawn, turn) * size[:, None]


def _flatness(bone: np.ndarray) -> np.ndarray:
    """(T,) share of the length of bones (T, 3) that lies in the picture."""
    return np.hypot(bone[:, 0], bone[:, 1]) / np.maximum(np.linalg.norm(bone, axis=-1), 1e-6)


def keep_above_ground(out: np.ndarray, bones: Bones, sole: float) -> None:
    """Lifts a lying figure by as much as its head or trunk, which have thickness, would sink into the ground."""
    skull = 0.5 * float(np.hypot(*(bones.xy[INDEX["crown"]] - bones.xy[INDEX["neck"]])))
    hips = [bones.xy[INDEX[name], 0] for name in ("l_shoulder", "r_shoulder") if bones.known[INDEX[name]]]
    girth = 0.5 * abs(hips[0] - hips[1]) if len(hips) == 2 else 0.08 * bones.height
    girth = float(np.clip(girth, 0.05 * bones.height, 0.12 * bones.height))
    lowest = np.maximum(out[:, INDEX["head"], 1] + skull, out[:, INDEX["chest"], 1] + girth)
    out[..., 1] -= np.maximum(lowest - sole, 0)[:, None]


def keep_in_cell(out: np.ndarray, bones: Bones, left: float, right: float) -> None:
    """Moves a figure that falls out of the cell (art pixels `left` to `right`) sideways, back inside."""
    skull = 0.5 * float(np.hypot(*(bones.xy[INDEX["crown"]] - bones.xy[INDEX["neck"]])))
    body = out[:, [number for number in range(19) if bones.known[number]], 0]
    low = np.minimum(body.min(1), out[:, INDEX["head"], 0] - skull) - left
    high = np.maximum(body.max(1), out[:, INDEX["head"], 0] + skull) - right
    push = np.where(low < 0, -low, np.where(high > 0, -high, 0))
    if push.any() and (high - low).max() < 0:
        out[..., 0] += gaussian_filter1d(push, 0.7, mode="nearest")[:, None]
