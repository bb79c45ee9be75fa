"""Geodesic distance of every pixel to every part, inside the silhouette, dearer across drawn edges."""

from __future__ import annotations

import cv2
import numpy as np
import scipy.sparse as sparse
from scipy.ndimage import distance_transform_edt
from scipy.ndimage import label as components
from scipy.sparse.csgraph import dijkstra

from .lines import drawn_lines
from .seeds import Seeds

EDGE = 12.0
"""How much dearer a step across the strongest colour edge is than one inside a flat area."""

LINE = 4.0
"""How much dearer a step along a drawn line is, or parts would creep along outlines."""

BEYOND = 1.5
"""What each pixel beyond a part's limit costs."""

FAR = np.float32(1e6)


def _graph(art: np.ndarray, solid: np.ndarray) -> sparse.csr_matrix:
    """Pixel graph of the solid pixels, eight neighbours."""
    height, width = solid.shape
    number = np.full(solid.shape, -1, np.int64)
    number[solid] = np.arange(int(solid.sum()))
    colour = cv2.cvtColor(np.ascontiguousarray(art[..., :3]), cv2.COLOR_RGB2LAB).astype(np.float32)
    lines = drawn_lines(art, float(height))
    rows, columns, weights = [], [], []
    for dy, dx, length in ((0, 1, 1.0), (1, 0, 1.0), (1, 1, 2**0.5), (1, -1, 2**0.5)):
        here = (slice(0, height - dy), slice(max(0, -dx), width - max(0, dx)))
        there = (slice(dy, height), slice(max(0, dx), width - max(0, -dx)))
        both = solid[here] & solid[there]
        step = np.sqrt(((colour[here] - colour[there])[both] ** 2).sum(-1)) / length
        rows.append(number[here][both])
        columns.append(number[there][both])
        along = (lines[here] & lines[there])[both]
        weights.append(length * (1 + EDGE * np.minimum(step / 60, 1) ** 1.5 + LINE * along))
    count = int(solid.sum())
    flat = (np.concatenate(weights), (np.concatenate(rows), np.concatenate(columns)))
    one_way = sparse.coo_matrix(flat, shape=(count, count)).tocsr()
    return (one_way + one_way.T).tocsr()


def spread(art: np.ndarray, seeds: Seeds) -> np.ndarray:
    """float32 (P, h, w): distance from the surface of each part in `seeds`; a large number outside the silhouette.

    An island that no seed reaches belongs to the part that is nearest in a straight line.
    """
    solid = art[..., 3] > 127
    fields = np.full((len(seeds.parts), *solid.shape), FAR, np.float32)
    if not solid.any():
        return fields
    number = np.full(solid.shape, -1, np.int64)
    number[solid] = np.arange(int(solid.sum()))
    graph = _graph(art, solid)
    for field, mask, radius, limit in zip(fields, seeds.masks, seeds.radii, seeds.limits, strict=True):
        if mask.any():
            reach = dijkstra(graph, directed=True, indices=number[mask], min_only=True)
            if np.isfinite(limit):
                straight = cv2.distanceTransform((~mask).astype(np.uint8), cv2.DIST_L2, 3)[solid]
                reach = reach + BEYOND * np.maximum(straight - limit, 0)
            field[solid] = np.where(np.isfinite(reach), reach - radius, FAR)
    lost = solid & (fields.min(0) >= FAR)
    if lost.any() and not lost[solid].all():
        _adopt(fields, lost, solid)
    return fields


def _adopt(fields: np.ndarray, lost: np.ndarray, solid: np.ndarray) -> None:
    """Every island takes the distances of the nearest pixel that was reached."""
    gap, nearest = distance_transform_edt(~(solid & ~lost), return_indices=True)
    islands, count = components(lost, structure=np.ones((3, 3)))
    for island in range(1, count + 1):
        rows, columns = np.nonzero(islands == island)
        closest = np.argmin(gap[rows, columns])
        at = nearest[:, rows[closest], columns[closest]]
        fields[:, rows, columns] = fields[:, at[0], at[1]][:, None]
