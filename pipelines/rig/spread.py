"""Geodesic distance of every pixel to every part, inside the silhouette, dearer across drawn edges."""

from __future__ import annotations

import cv2
import numpy as np
import scipy.sparse as sparse
from scipy.ndimage import distance_transform_edt
from scipy.ndimage import label as components
from scipy.sparse.csgraph import connected_components, dijkstra

from .lines import drawn_lines
from .seeds import Seeds

EDGE = 12.0
"""How much dearer a step across the strongest colour edge is than one inside a flat area."""

LINE = 4.0
"""How much dearer a step along a drawn line is, or parts would creep along outlines."""

MINOR = 0.4
"""Share of a flat area below which a piece without seeds changes hands."""

FLAT = 7.0
"""Largest step between neighbouring pixels of one flat area, in CIELAB as OpenCV scales it to bytes."""

BEYOND = 4.0
"""What each pixel beyond a part's limit costs."""

FAR = np.float32(1e6)


def _graph(art: np.ndarray, solid: np.ndarray) -> tuple[sparse.csr_matrix, np.ndarray]:
    """Pixel graph of the solid pixels, eight neighbours; and the number of the flat area that each solid pixel is
    in."""
    height, width = solid.shape
    number = np.full(solid.shape, -1, np.int64)
    number[solid] = np.arange(int(solid.sum()))
    colour = cv2.cvtColor(np.ascontiguousarray(art[..., :3]), cv2.COLOR_RGB2LAB).astype(np.float32)
    lines = drawn_lines(art, float(height))
    rows, columns, weights, steps = [], [], [], []
    for dy, dx, length in ((0, 1, 1.0), (1, 0, 1.0), (1, 1, 2**0.5), (1, -1, 2**0.5)):
        here = (slice(0, height - dy), slice(max(0, -dx), width - max(0, dx)))
        there = (slice(dy, height), slice(max(0, dx), width - max(0, -dx)))
        both = solid[here] & solid[there]
        step = np.sqrt(((colour[here] - colour[there])[both] ** 2).sum(-1)) / length
        rows.append(number[here][both])
        columns.append(number[there][both])
        steps.append(step)
        along = (lines[here] & lines[there])[both]
        weights.append(length * (1 + EDGE * np.minimum(step / 60, 1) ** 1.5 + LINE * along))
    count = int(solid.sum())
    flat = (np.concatenate(weights), (np.concatenate(rows), np.concatenate(columns)))
    one_way = sparse.coo_matrix(flat, shape=(count, count)).tocsr()
    # Outlines run from part to part: they are nobody's area.
    light = colour[..., 0][solid] > 90
    calm = (np.concatenate(steps) < FLAT) & light[flat[1][0]] & light[flat[1][1]]
    same = sparse.coo_matrix((calm[calm], (flat[1][0][calm], flat[1][1][calm])), shape=(count, count))
    return (one_way + one_way.T).tocsr(), connected_components(same, directed=False)[1]


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
    graph, areas = _graph(art, solid)
    for field, mask, axis, radius, limit in zip(
        fields, seeds.masks, seeds.axes, seeds.radii, seeds.limits, strict=True
    ):
        if mask.any():
            reach = dijkstra(graph, directed=True, indices=number[mask], min_only=True)
            if np.isfinite(limit):
                straight = cv2.distanceTransform((~axis).astype(np.uint8), cv2.DIST_L2, 3)[solid]
                reach = reach + BEYOND * np.maximum(straight - limit, 0)
            field[solid] = np.where(np.isfinite(reach), reach - radius, FAR)
    fields[:, solid] = _whole_areas(fields[:, solid], areas, np.stack([mask[solid] for mask in seeds.masks]))
    lost = solid & (fields.min(0) >= FAR)
    if lost.any() and not lost[solid].all():
        _adopt(fields, lost, solid)
    return fields


def _whole_areas(fields: np.ndarray, areas: np.ndarray, seeded: np.ndarray) -> np.ndarray:
    """Gives flat areas of the art to one part where nothing speaks against it: a lock of hair, a plate, a pocket.

    Of an area (P, N fields over its pixels) that several parts share, those pieces change hands that hold no seed of
    their part and less than `MINOR` of the area; they go to its largest seeded piece, or to its largest piece where
    none is seeded.
    """
    parts, count = len(fields), int(areas.max()) + 1
    winner = fields.argmin(0)
    sizes = np.bincount(areas * parts + winner, minlength=count * parts).reshape(count, parts)
    own = np.zeros((count, parts), bool)
    part, pixel = np.nonzero(seeded)
    own[areas[pixel], part] = True
    total = sizes.sum(1, keepdims=True)
    owner = np.where(own.any(1, keepdims=True), sizes * own, sizes).argmax(1)
    seedless = ~own.any(1, keepdims=True)
    yields = ~own & (sizes > 0) & ((sizes < MINOR * total) | seedless)
    yields[np.arange(count), owner] = False
    moves = yields[areas, winner]
    out = fields.copy()
    to, at = owner[areas[moves]], np.nonzero(moves)[0]
    out[to, at] = fields[:, at].min(0) - 2
    return out


def _adopt(fields: np.ndarray, lost: np.ndarray, solid: np.ndarray) -> None:
    """Every island takes the distances of the nearest pixel that was reached."""
    gap, nearest = distance_transform_edt(~(solid & ~lost), return_indices=True)
    islands, count = components(lost, structure=np.ones((3, 3)))
    for island in range(1, count + 1):
        rows, columns = np.nonzero(islands == island)
        closest = np.argmin(gap[rows, columns])
        at = nearest[:, rows[closest], columns[closest]]
        fields[:, rows, columns] = fields[:, at[0], at[1]][:, None]
