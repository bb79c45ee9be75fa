"""How far the sheets of a puppet go on beyond what can be seen of them: under what lies in front, and shared with what
lies behind."""

from __future__ import annotations

import cv2
import numpy as np

from ..pose.skeleton import INDEX
from .bones import LIMBS, Bones
from .strokes import along

SEAM = 0.02
"""How far every layer goes on under the ones before it, as a share of the body's height."""

LEAST_TRUNK = 0.055
"""Half width of a trunk of which next to nothing can be seen, as a share of the body's height."""


def grown(mask: np.ndarray, radius: int) -> np.ndarray:
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * radius + 1, 2 * radius + 1))
    return cv2.dilate(mask.astype(np.uint8), kernel) > 0


def touching(mask: np.ndarray, own: np.ndarray) -> np.ndarray:
    """The connected pieces of the mask that lie next to `own`."""
    _, pieces = cv2.connectedComponents(mask.astype(np.uint8))
    beside = np.unique(pieces[mask & grown(own, 1)])
    return mask & np.isin(pieces, beside)


def _discs(shape: tuple[int, ...], centres: list[tuple[np.ndarray, float]]) -> np.ndarray:
    canvas = np.zeros(shape, np.uint8)
    for centre, radius in centres:
        cv2.circle(
            canvas, tuple(np.round(centre * 16).astype(int).tolist()), max(16, round(radius * 16)), 1, -1, shift=4
        )
    return canvas > 0


def _capsules(shape: tuple[int, ...], points: np.ndarray, radius: float) -> np.ndarray:
    canvas = np.zeros(shape, np.uint8)
    path = np.round(points * 16).astype(np.int32).reshape(-1, 1, 2)
    cv2.polylines(canvas, [path], False, 1, max(1, round(2 * radius)), cv2.LINE_8, 4)
    return canvas > 0


def spurs(mask: np.ndarray, radius: int) -> np.ndarray:
    """What of a mask is thinner than twice the radius."""
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * radius + 1, 2 * radius + 1))
    return mask & (cv2.morphologyEx(mask.astype(np.uint8), cv2.MORPH_OPEN, kernel) == 0)


def rounded(hidden: np.ndarray, own: np.ndarray, radius: float) -> np.ndarray:
    """`hidden` with steps and spikes of its edge smoothed away, but for what lies right beside `own`."""
    whole = cv2.GaussianBlur((hidden | own).astype(np.float32), (0, 0), radius) > 0.5
    return (whole | (hidden & grown(own, 2))) & ~own


def _hull(own: np.ndarray) -> np.ndarray:
    """The convex hull of the largest piece of a mask."""
    contours, _ = cv2.findContours(own.astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    canvas = np.zeros(own.shape, np.uint8)
    if contours:
        cv2.fillConvexPoly(canvas, cv2.convexHull(max(contours, key=cv2.contourArea)), 1)
    return canvas > 0


def half_width(own: np.ndarray) -> float:
    """Typical half thickness of a limb: area over the length of its axis, from its distance map."""
    depth = cv2.distanceTransform(np.pad(own, 1).astype(np.uint8), cv2.DIST_L2, 3)
    ridge = depth[depth > 0]
    return float(np.quantile(ridge, 0.9)) if len(ridge) else 1.0


def _closed(own: np.ndarray, radius: float) -> np.ndarray:
    """Morphological closing by a disc: gaps and notches narrower than twice the radius are bridged."""
    border = int(radius) + 2
    grown = cv2.distanceTransform(np.pad(~own, border, constant_values=True).astype(np.uint8), cv2.DIST_L2, 5) > radius
    kept = cv2.distanceTransform((~grown).astype(np.uint8), cv2.DIST_L2, 5) > radius
    return kept[border:-border, border:-border]


def _behind_arms(own: np.ndarray, above: np.ndarray, bones: Bones, inside: np.ndarray) -> np.ndarray:
    """The trunk where an arm hides its very axis, as in a side view: as wide as it is drawn where it can be seen."""
    spine = bones.xy[[INDEX["pelvis"], INDEX["chest"], INDEX["neck"]]]
    axis = np.concatenate([along(spine[0], spine[1], 0, 1, 40), along(spine[1], spine[2], 0, 1, 20)])
    column, row = np.clip(np.round(axis).astype(int), 0, np.array(own.shape[::-1]) - 1).T
    hidden = above[row, column]
    if not hidden.any():
        return np.zeros_like(own)
    depth = cv2.distanceTransform(np.pad(own, 1).astype(np.uint8), cv2.DIST_L2, 3)[1:-1, 1:-1]
    seen = depth[row, column][own[row, column]]
    least = LEAST_TRUNK * bones.height
    wide = max(least, float(np.quantile(seen, 0.75))) if len(seen) > 0.25 * len(axis) else least
    # No wider than the whole drawing is there.
    radii = np.clip(inside[row, column], 1, wide)
    return _discs(own.shape, list(zip(axis[hidden], radii[hidden], strict=True)))


def overlap(
    name: str,
    chain: tuple[int, ...],
    own: np.ndarray,
    depth: np.ndarray,
    rank: int,
    bones: Bones,
    inside: np.ndarray,
) -> tuple[np.ndarray, np.ndarray]:
    """Masks (H, W) of pixels hidden under others, to be filled, and of pixels shared with what lies below, kept as
    drawn."""
    shape = own.shape
    above, below = depth > rank, (depth >= 0) & (depth < rank)
    seam = grown(own, max(2, round(SEAM * bones.height)))
    points = bones.xy[list(chain)]
    if name.endswith("plate"):
        return (seam | _hull(own)) & above & grown(_hull(own), 2), np.zeros(shape, bool)
    if name == "torso":
        gap = 0.06 * bones.height
        closed = _closed(own, gap)
        neck = bones.xy[INDEX["neck"]]
        skull = float(np.hypot(*(bones.xy[INDEX["crown"]] - neck))) / 2
        # As wide as the neck is drawn, or a wedge would open beside it when the head nods.
        border = np.argwhere(seam & (depth == rank + 1)) - neck[::-1]
        across = float(np.quantile(np.hypot(*border.T), 0.95)) if len(border) else 0.0
        wide = float(np.clip(1.05 * across, 0.4 * skull, 2.0 * skull))
        reach = seam | closed
        for limb in ("l_arm", "r_arm"):
            for shoulder in bones.chain(limb)[:1]:
                reach |= _capsules(shape, bones.xy[[INDEX["chest"], shoulder]], 0.05 * bones.height)
        # Nothing sticks out of the trunk under an arm; only the neck goes on, as a stub, under the head.
        up = bones.xy[INDEX["head"]] - neck
        stub = _capsules(shape, np.array([neck, neck + 0.2 * up]), 0.5 * wide)
        behind = _behind_arms(own, above, bones, inside)
        return ((reach & _hull(own)) | stub | behind) & above, np.zeros(shape, bool)
    width = half_width(own)
    root = points[0]
    row, column = (int(np.clip(round(value), 0, size - 1)) for value, size in zip(root[::-1], shape, strict=True))
    room = float(np.clip(inside[row, column], 0.5 * width, 1.25 * width))
    if name in LIMBS:
        body = _capsules(shape, points, 0.9 * width) | _discs(shape, [(root, 1.1 * width)])
        reach = body | (seam & _capsules(shape, points, 1.2 * width))
        return reach & above, _discs(shape, [(root, 0.8 * room)]) & below
    if name == "head":
        wide = 0.3 * float(np.hypot(*(points[1] - points[0])))
        return (seam | _discs(shape, [(root, wide)])) & above, np.zeros(shape, bool)
    # A guard or a grip goes on through the fist.
    return (seam | _closed(own, 0.05 * bones.height)) & above, np.zeros(shape, bool)
