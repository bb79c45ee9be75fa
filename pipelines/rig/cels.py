"""Cels: the areas that drawn lines close off. A plate, a glove or a lock of hair moves as one."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from scipy.ndimage import distance_transform_edt

SEEDED = 0.03
"""Share of a part's seeds that a cel must hold for the part to have a claim on a piece of it."""

MINOR = 0.45
"""Share of a cel below which a piece of it changes hands."""

LITTLE = 0.12
"""The same for a piece of the trunk."""

TRUNK = 2.5
"""How much more than a limb the trunk, part 0, weighs in a cel without seeds."""

SPECK = 5e-4
"""Share of the figure below which an area between lines is none."""

HEM = 0.35
"""Share of a strip's border that it must have in common with the cel whose trim it is."""


@dataclass(frozen=True)
class Cels:
    """The cels of one drawing."""

    number: np.ndarray
    """int32 (H, W): 0 outside, else the cel; lines count to the nearest cel."""
    plain: np.ndarray
    """bool (H, W): inside a cel, not on a line."""
    gap: np.ndarray
    """float32 (H, W): pixels to the nearest plain one."""
    nearest: np.ndarray
    """int (2, H, W): row and column of it."""


def cels_of(visible: np.ndarray, lines: np.ndarray) -> Cels:
    """Cels of `visible` bool (H, W) with drawn `lines` bool (H, W)."""
    # Lines are taken a little wider: a crack in one must not join what it parts.
    plain = visible & (cv2.dilate(lines.astype(np.uint8), np.ones((3, 3), np.uint8)) == 0)
    _, pieces, stats, _ = cv2.connectedComponentsWithStats(plain.astype(np.uint8), connectivity=4)
    # Specks between lines are no areas; noisy art would have thousands.
    large = stats[:, cv2.CC_STAT_AREA] >= SPECK * max(int(visible.sum()), 1)
    plain &= large[pieces]
    pieces = (np.cumsum(large & (np.arange(len(large)) > 0)) * large)[pieces]
    if not plain.any():
        plain, pieces = visible, visible.astype(np.int32)
    gap, nearest = distance_transform_edt(~plain, return_indices=True)
    number = np.where(visible, pieces[nearest[0], nearest[1]], 0).astype(np.int32)
    return Cels(number, plain, np.asarray(gap, np.float32), nearest)


def whole_cels(
    labels: np.ndarray, seeds: np.ndarray, cels: Cels, sheets: np.ndarray, fixed: tuple[int, ...], widest: float
) -> np.ndarray:
    """Labels with cels given whole to one layer where no other has a claim on them, and lines to the nearest cel.

    `labels`, `seeds` int (H, W) part numbers, -1: none. `sheets` int (P,): layer of each part. `fixed`: layers that
    neither give nor take. `widest`: pixels up to which a line follows the cel beside it; what is darker and wider is
    a thing of its own.
    """
    out = labels.copy()
    parts, layers, count = len(sheets), int(sheets.max()) + 1, int(cels.number.max()) + 1
    inside = cels.plain & (labels >= 0)
    cel, part = cels.number[inside], labels[inside].astype(np.int64)
    sizes = np.bincount(cel * parts + part, minlength=count * parts).reshape(count, parts)
    found = cels.plain & (seeds >= 0)
    seeded = np.bincount(cels.number[found] * parts + seeds[found], minlength=count * parts).reshape(count, parts)
    seeded_by = seeded > SEEDED * np.maximum(seeded.sum(0), 1)
    member = sheets[:, None] == np.arange(layers)[None]
    areas = sizes @ member
    own = (seeded_by @ member) & (areas > 0)
    # The trunk gives little away: cloth and plates hang from it, and cracks in lines let limbs into it.
    trunk = np.arange(layers) == sheets[0]
    owner = np.where(own.any(1, keepdims=True), areas * own, areas * np.where(trunk, TRUNK, 1.0)).argmax(1)
    yields = ~own & (areas > 0) & (areas < np.where(trunk, LITTLE, MINOR) * areas.sum(1, keepdims=True))
    # What several claim is more than one thing.
    yields &= own.sum(1, keepdims=True) < 2
    yields[:, list(fixed)] = False
    yields[np.isin(owner, fixed)] = False
    yields[np.arange(count), owner] = False
    heir = np.where(member.T[owner], sizes, -1).argmax(1)
    moves = yields[cel, sheets[part]]
    out[inside] = np.where(moves, heir[cel], part)
    beside = (labels >= 0) & ~cels.plain & (cels.gap <= widest)
    at = cels.nearest[:, beside]
    out[beside] = out[at[0], at[1]]
    return out


def borders(number: np.ndarray) -> np.ndarray:
    """int (N, N): how many pixel edges every two cels share; what they share with the outside in row and column 0."""
    count = int(number.max()) + 1
    around = np.pad(number, 1).astype(np.int64)
    out = np.zeros(count * count, np.int64)
    for one, two in ((around[:, 1:], around[:, :-1]), (around[1:], around[:-1])):
        differ = one != two
        out += np.bincount(one[differ] * count + two[differ], minlength=count * count)
    square = out.reshape(count, count)
    return square + square.T


def strips(cels: Cels) -> dict[int, np.ndarray]:
    """Cels that are bands, each with the larger cels (n,) that it may be the trim of, longest border first."""
    shared = borders(cels.number)
    sizes = np.bincount(cels.number.ravel(), minlength=len(shared))
    total = np.maximum(shared.sum(1), 1)
    found: dict[int, np.ndarray] = {}
    for cel in range(1, len(shared)):
        near = np.argsort(-shared[cel])
        near = near[(near > 0) & (shared[cel][near] > HEM * total[cel]) & (sizes[near] > 1.3 * sizes[cel])]
        # A band: much longer, along its border, than the area over that length.
        if len(near) and sizes[cel] < 0.35 * shared[cel][near[0]] ** 2:
            found[cel] = near
    return found


def hemmed(labels: np.ndarray, seeds: np.ndarray, cels: Cels, sheets: np.ndarray, legs: tuple[int, ...]) -> np.ndarray:
    """Bands over the legs that edge a plate or cloth of the trunk go with it, unless many seeds lie
    in them."""
    out = labels.copy()
    inside = labels >= 0
    count, layers = int(cels.number.max()) + 1, int(sheets.max()) + 1
    areas = np.bincount(cels.number[inside] * layers + sheets[labels[inside]], minlength=count * layers)
    areas = areas.reshape(count, layers)
    share = areas / np.maximum(areas.sum(1, keepdims=True), 1)
    held = np.bincount(cels.number[seeds >= 0], minlength=count) / np.maximum(areas.sum(1), 1)
    for cel, near in strips(cels).items():
        if held[cel] < 0.3 and share[cel, list(legs)].sum() > 0.5 and (share[near, sheets[0]] > 0.7).any():
            out[(cels.number == cel) & inside] = 0
    return out


def unthreaded(labels: np.ndarray, lines: np.ndarray, sheets: np.ndarray, radius: int) -> np.ndarray:
    """Labels with threads of a layer along drawn lines, thinner than twice the radius, given to what lies beside."""
    sheet = np.where(labels >= 0, sheets[np.maximum(labels, 0)], -1)
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * radius + 1, 2 * radius + 1))
    bulk = np.zeros(labels.shape, bool)
    for layer in np.unique(sheet[sheet >= 0]):
        bulk |= cv2.morphologyEx((sheet == layer).astype(np.uint8), cv2.MORPH_OPEN, kernel) > 0
    thread = (labels >= 0) & ~bulk & (cv2.dilate(lines.astype(np.uint8), kernel) > 0)
    if not bulk.any() or not thread.any():
        return labels
    gap, at = distance_transform_edt(~bulk, return_indices=True)
    thread &= gap <= 3 * radius + 1
    return np.where(thread, labels[at[0], at[1]], labels)
