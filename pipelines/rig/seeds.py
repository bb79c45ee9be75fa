"""Where each part starts to grow from: the heart of every bone, with the thickness that the art has there."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from scipy.ndimage import distance_transform_edt

from ..pose.skeleton import INDEX, Facing
from .bones import LIMBS, Bones

_LIMB_PARTS = {"l_arm": (2, 3), "r_arm": (4, 5), "l_leg": (6, 7, 10), "r_leg": (8, 9, 11)}
_TORSO, _HEAD, _WEAPON, _OFFHAND = 0, 1, 12, 13

FAR = {"right": "l", "left": "r", "front": "", "back": ""}
"""The side of the body that is away from the viewer, by facing."""


@dataclass(frozen=True)
class Seeds:
    """Per part that exists: its number, its seed pixels, and its radius."""

    parts: tuple[int, ...]
    masks: tuple[np.ndarray, ...]
    """bool (h, w) each."""
    radii: tuple[float, ...]
    """Half thickness in pixels: a pixel's distance to a part counts from its surface, not from its bone."""


def _stroke(shape: tuple[int, ...], points: np.ndarray, radius: float) -> np.ndarray:
    canvas = np.zeros(shape, np.uint8)
    path = np.round(points * 16).astype(np.int32).reshape(-1, 1, 2)
    cv2.polylines(canvas, [path], False, 1, max(1, round(2 * radius)), cv2.LINE_8, 4)
    return canvas.astype(bool)


def _along(start: np.ndarray, end: np.ndarray, first: float, last: float, count: int = 24) -> np.ndarray:
    return start + (end - start) * np.linspace(first, last, count)[:, None]


def _thickness(depth: np.ndarray, points: np.ndarray, share: float) -> float:
    """Quantile of the distance to the silhouette along points; 0 where they all lie outside."""
    column = np.clip(np.round(points[:, 0]).astype(int), 0, depth.shape[1] - 1)
    row = np.clip(np.round(points[:, 1]).astype(int), 0, depth.shape[0] - 1)
    inside = depth[row, column]
    inside = inside[inside > 0]
    return float(np.quantile(inside, share)) if len(inside) else 0.0


def seeds_of(bones: Bones, solid: np.ndarray, facing: Facing) -> Seeds:
    """Seeds inside the silhouette `solid` bool (h, w); near limbs take precedence over the trunk, the trunk over far limbs."""
    xy, tall, shape = bones.xy, bones.height, solid.shape
    depth = cv2.distanceTransform(np.pad(solid, 1).astype(np.uint8), cv2.DIST_L2, 5)[1:-1, 1:-1]
    cores: dict[int, np.ndarray] = {}
    radius: dict[int, float] = {}

    def joint(name: str) -> np.ndarray:
        return xy[INDEX[name]]

    hems = {limb: _hem(bones, limb, depth) for limb in ("l_leg", "r_leg")}
    for limb in LIMBS:
        chain = bones.chain(limb)
        if len(chain) < 2:
            continue
        arm = limb.endswith("arm")
        low, high = (0.012, 0.06) if arm else (0.015, 0.075)
        points = np.concatenate([_along(xy[a], xy[b], 0.25, 1.0) for a, b in zip(chain[:3], chain[1:3], strict=False)])
        thick = float(np.clip(_thickness(depth, points, 0.3), max(low * tall, 1.0), high * tall))
        for number, (a, b) in zip(_LIMB_PARTS[limb], zip(chain, chain[1:], strict=False), strict=False):
            # A thigh starts half way down: whether a skirt or a plate over its upper half belongs to it, the drawn edges decide.
            first = 0.06 if a != chain[0] else 0.02 if arm else max(0.5, hems.get(limb, 0.0))
            radius[number] = 0.55 * thick + (0.0 if a != chain[0] or arm else 0.3 * float(np.hypot(*(xy[b] - xy[a]))))
            cores[number] = _stroke(shape, _along(xy[a], xy[b], first, 1.0 if b == chain[-1] else 0.94), 0.45 * thick)
    for item, number, widest in (("weapon", _WEAPON, 0.05), ("offhand", _OFFHAND, 0.14)):
        held = bones.held(item)
        if held is None:
            continue
        hand, tip = xy[held[0]], xy[held[1]]
        thick = float(np.clip(_thickness(depth, _along(hand, tip, 0.35, 0.9), 0.4), 1.0, widest * tall))
        reach = float(np.hypot(*(tip - hand)))
        first = float(np.clip(0.035 * tall / max(reach, 1e-6), 0.12, 0.4))
        radius[number] = 0.5 * thick
        cores[number] = _stroke(shape, _along(hand, tip, first, 1.0), 0.5 * thick)
        cores[number] |= _other_end(depth, hand, tip, first * reach, thick)

    radius[_TORSO], cores[_TORSO] = _torso(bones, depth, shape)
    cores[_TORSO] |= _skirt(bones, hems, shape)
    skull = float(np.hypot(*(joint("crown") - joint("neck")))) / 2
    radius[_HEAD] = 0.3 * skull
    head = np.zeros(shape, np.uint8)
    cv2.circle(head, tuple(np.round(joint("head")).astype(int).tolist()), max(1, round(0.72 * skull)), 1, -1)
    cores[_HEAD] = head.astype(bool) | _stroke(shape, _along(joint("neck"), joint("crown"), 0.3, 1.0), 0.2 * skull)
    return _ranked(cores, radius, solid, FAR[facing])


def _hem(bones: Bones, limb: str, depth: np.ndarray) -> float:
    """Share of the thigh that a skirt or robe hides: down to there the art is much thicker around the bone than the leg."""
    chain = bones.chain(limb)
    if len(chain) < 3:
        return 0.0
    hip, knee, ankle = (bones.xy[number] for number in chain[:3])
    lower = np.concatenate([_along(hip, knee, 0.85, 1.0, 6), _along(knee, ankle, 0.0, 0.8, 20)])
    leg = float(np.clip(_thickness(depth, lower, 0.4), 1.0, 0.06 * bones.height))
    shares = np.linspace(0.3, 0.94, 33)
    thick = np.array([_thickness(depth, (hip + (knee - hip) * share)[None], 0.5) for share in shares])
    covered = thick > 1.7 * leg
    return float(shares[covered.nonzero()[0][-1]]) if covered.sum() > 8 else 0.0


def _skirt(bones: Bones, hems: dict[str, float], shape: tuple[int, ...]) -> np.ndarray:
    """The inside of a skirt, which hangs from the trunk: between the hips and where the thighs come out of it."""
    canvas = np.zeros(shape, np.uint8)
    corners = [bones.xy[INDEX["pelvis"]]]
    for limb, hem in hems.items():
        if hem > 0:
            hip, knee = (bones.xy[number] for number in bones.chain(limb)[:2])
            corners += [hip, hip + (knee - hip) * max(0.0, hem - 0.08)]
    if len(corners) > 1:
        hull = cv2.convexHull(np.round(np.array(corners)).astype(np.int32).reshape(-1, 1, 2))
        cv2.fillConvexPoly(canvas, hull, 1)
    return canvas > 0


def _other_end(depth: np.ndarray, hand: np.ndarray, tip: np.ndarray, first: float, thick: float) -> np.ndarray:
    """The rest of a staff or bow on the other side of the hand: straight on, as long as the art stays as thin as that."""
    back = (hand - tip) / max(float(np.hypot(*(hand - tip))), 1e-6)
    spots = hand + back * np.arange(first * 1.4, 1.5 * float(np.hypot(*(hand - tip))), 0.5)[:, None]
    column, row = np.floor(spots).astype(int).T
    inside = (column >= 0) & (row >= 0) & (column < depth.shape[1]) & (row < depth.shape[0])
    deep = np.where(inside, depth[np.where(inside, row, 0), np.where(inside, column, 0)], 0)
    thin = (deep > 0) & (deep < 1.6 * thick + 1)
    length = len(thin) if thin.all() else int(np.argmin(thin))
    return _stroke(depth.shape, spots[:length], 0.4 * thick) if length > 4 else np.zeros(depth.shape, bool)


def _torso(bones: Bones, depth: np.ndarray, shape: tuple[int, ...]) -> tuple[float, np.ndarray]:
    """Radius and core of the trunk: the shrunken quadrilateral of shoulders and hips around the spine."""
    spine = [bones.xy[INDEX[name]] for name in ("pelvis", "chest", "neck")]
    thick = float(np.clip(_thickness(depth, _along(spine[0], spine[1], 0, 1), 0.6), 1.0, 0.16 * bones.height))
    core = _stroke(
        shape, np.concatenate([_along(spine[0], spine[1], 0, 1), _along(spine[1], spine[2], 0, 0.3)]), 0.35 * thick
    )
    corners = [
        bones.xy[INDEX[name]] for name in ("l_shoulder", "r_shoulder", "r_hip", "l_hip") if bones.known[INDEX[name]]
    ]
    if len(corners) == 4:
        centre = np.mean(corners, axis=0)
        inner = np.array([centre + (corner - centre) * (0.6, 0.85) for corner in corners])
        hull = cv2.convexHull(np.round(inner).astype(np.int32).reshape(-1, 1, 2))
        canvas = np.zeros(shape, np.uint8)
        cv2.fillConvexPoly(canvas, hull, 1)
        core |= canvas.astype(bool)
    return 0.3 * thick, core


def _ranked(cores: dict[int, np.ndarray], radius: dict[int, float], solid: np.ndarray, far: str) -> Seeds:
    """Gives every seed pixel to one part. A part whose bone lies outside the art seeds its nearest opaque pixel."""
    far_parts = {number for limb, numbers in _LIMB_PARTS.items() if limb.startswith(far or "-") for number in numbers}
    arms = {2, 3, 4, 5}
    order = [
        _WEAPON,
        *sorted(arms - far_parts),
        _OFFHAND,
        _HEAD,
        _TORSO,
        *sorted({6, 7, 8, 9, 10, 11} - far_parts),
        *sorted(far_parts),
    ]
    taken = np.zeros_like(solid)
    parts, masks = [], []
    nearest = None
    for number in order:
        if number not in cores:
            continue
        mask = cores[number] & solid & ~taken
        if not mask.any() and not (cores[number] & solid).any() and solid.any():
            if nearest is None:
                nearest = distance_transform_edt(~solid, return_distances=False, return_indices=True)
            rows, columns = np.nonzero(cores[number])
            if len(rows):
                middle = len(rows) // 2
                mask = np.zeros_like(solid)
                mask[nearest[0][rows[middle], columns[middle]], nearest[1][rows[middle], columns[middle]]] = True
                mask &= ~taken
        taken |= mask
        parts.append(number)
        masks.append(mask)
    return Seeds(tuple(parts), tuple(masks), tuple(radius[number] for number in parts))
