"""Where each part starts to grow from: the heart of every bone, with the thickness that the art has there."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import cv2
import numpy as np
from scipy.ndimage import distance_transform_edt

from ..pose.skeleton import INDEX, PARENT, Facing
from .bones import LIMBS, Bones
from .cover import hem_of, skirt
from .held import staff
from .strokes import along, stroke, thickness

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
    axes: tuple[np.ndarray, ...]
    """bool (h, w) each: the line that `limits` count from; the seeds, or for a held thing its line drawn out both
    ways."""
    limits: tuple[float, ...]
    """Pixels from its axis beyond which a part reaches out only where no other part does."""


def seeds_of(bones: Bones, solid: np.ndarray, facing: Facing) -> Seeds:
    """Seeds inside the silhouette `solid` bool (h, w); near limbs take precedence over the trunk, the trunk over far
    limbs."""
    xy, tall, shape = bones.xy, bones.height, solid.shape
    depth = cv2.distanceTransform(np.pad(solid, 1).astype(np.uint8), cv2.DIST_L2, 5)[1:-1, 1:-1]
    cores: dict[int, np.ndarray] = {}
    radius: dict[int, float] = {}
    limit: dict[int, float] = {}
    axes: dict[int, np.ndarray] = {}

    def joint(name: str) -> np.ndarray:
        return xy[INDEX[name]]

    hem = hem_of(bones, depth)
    for limb in LIMBS:
        chain = bones.chain(limb)
        if len(chain) < 2:
            continue
        arm = limb.endswith("arm")
        low, high = (0.012, 0.06) if arm else (0.015, 0.075)
        points = np.concatenate([along(xy[a], xy[b], 0.25, 1.0) for a, b in pairwise(chain[:3])])
        thick = float(np.clip(thickness(depth, points, 0.3), max(low * tall, 1.0), high * tall))
        for number, (a, b) in zip(_LIMB_PARTS[limb], pairwise(chain), strict=False):
            # A thigh starts half way down: whether a skirt or a plate over its upper half belongs to it, the drawn
            # edges decide.
            first = (
                0.06
                if a != chain[0]
                else (0.35 if FAR[facing] and limb.startswith(FAR[facing]) else 0.15)
                if arm
                else max(0.62, min(hem + 0.1, 0.85))
            )
            radius[number] = 0.7 * thick + (
                0.0 if a != chain[0] or arm or hem > 0 else 0.15 * float(np.hypot(*(xy[b] - xy[a])))
            )
            limit[number] = max((1.3 if arm else 1.8) * thick, 0.05 * tall)
            last = 0.94 if b != chain[-1] else 1.0
            if arm and (a, b) == chain[1:3]:
                last += 0.05 * tall / max(float(np.hypot(*(xy[b] - xy[a]))), 1.0)  # into the hand
            cores[number] = stroke(shape, along(xy[a], xy[b], first, last), 0.3 * thick)
    for item, number, widest in (("weapon", _WEAPON, 0.05), ("offhand", _OFFHAND, 0.14)):
        held = bones.held(item)
        if held is None:
            continue
        hand, tip = xy[held[0]], xy[held[1]]
        thick = float(np.clip(thickness(depth, along(hand, tip, 0.35, 0.9), 0.4), 1.0, widest * tall))
        reach = float(np.hypot(*(tip - hand)))
        first = float(np.clip(0.085 * tall / max(reach, 1e-6), 0.15, 0.45))
        radius[number] = 0.5 * thick
        limit[number] = max(2 * widest * tall, 2 * thick)
        axes[number] = stroke(shape, along(hand, tip, -1.2, 1.2), 1)
        cores[number] = stroke(shape, along(hand, tip, first, 1.0), 0.5 * thick)
        axis = staff(depth, hand, tip, thick, xy[PARENT[held[0]]])
        if len(axis):
            cores[number] |= stroke(shape, axis, 0.5 * thick)

    radius[_TORSO], cores[_TORSO] = _torso(bones, depth, shape)
    cores[_TORSO] |= skirt(bones, hem, shape)
    skull = float(np.hypot(*(joint("crown") - joint("neck")))) / 2
    radius[_HEAD] = 0.3 * skull
    head = np.zeros(shape, np.uint8)
    cv2.circle(head, tuple(np.round(joint("head")).astype(int).tolist()), max(1, round(0.72 * skull)), 1, -1)
    # Hair beside the face and a hat above it belong to the head though an outline parts them from the face.
    up = (joint("crown") - joint("neck")) / max(2 * skull, 1e-6)
    rows, columns = np.mgrid[: shape[0], : shape[1]]
    off = np.stack([columns, rows], -1) - joint("head")
    head[(np.hypot(off[..., 0], off[..., 1]) < 0.95 * skull) & (off @ up > -0.55 * skull)] = 1
    hat = along(joint("neck"), joint("crown") + up * 0.5 * skull, 0.3, 1.0)
    cores[_HEAD] = head.astype(bool) | stroke(shape, hat, 0.3 * skull)
    return _ranked(cores, radius, (axes, limit), solid, FAR[facing])


def _torso(bones: Bones, depth: np.ndarray, shape: tuple[int, ...]) -> tuple[float, np.ndarray]:
    """Radius and core of the trunk: the shrunken quadrilateral of shoulders and hips around the spine."""
    spine = [bones.xy[INDEX[name]] for name in ("pelvis", "chest", "neck")]
    thick = float(np.clip(thickness(depth, along(spine[0], spine[1], 0, 1), 0.6), 1.0, 0.16 * bones.height))
    core = stroke(
        shape, np.concatenate([along(spine[0], spine[1], 0.2, 1), along(spine[1], spine[2], 0, 0.3)]), 0.08 * thick
    )
    shares = {"l_shoulder": 0.3, "r_shoulder": 0.3, "r_hip": 0.1, "l_hip": 0.1}
    if all(bones.known[INDEX[name]] for name in shares):
        # Well inside the chest: shoulder plates and hip plates belong to the limbs.
        centre = np.mean([bones.xy[INDEX[name]] for name in shares], axis=0)
        inner = np.array([centre + (bones.xy[INDEX[name]] - centre) * (share, 0.8) for name, share in shares.items()])
        hull = cv2.convexHull(np.round(inner).astype(np.int32).reshape(-1, 1, 2))
        canvas = np.zeros(shape, np.uint8)
        cv2.fillConvexPoly(canvas, hull, 1)
        core |= canvas.astype(bool)
    return 0.4 * thick, core


def _ranked(
    cores: dict[int, np.ndarray],
    radius: dict[int, float],
    bounds: tuple[dict[int, np.ndarray], dict[int, float]],
    solid: np.ndarray,
    far: str,
) -> Seeds:
    """Gives every seed pixel to one part. A part whose bone lies outside the art seeds its nearest opaque pixel."""
    axes, limit = bounds
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
                mask = (cv2.dilate(mask.astype(np.uint8), np.ones((7, 7), np.uint8)) > 0) & solid & ~taken
        taken |= mask
        parts.append(number)
        masks.append(mask)
    return Seeds(
        tuple(parts),
        tuple(masks),
        tuple(radius[number] for number in parts),
        tuple(axes.get(number, mask) for number, mask in zip(parts, masks, strict=True)),
        tuple(limit.get(number, np.inf) for number in parts),
    )
