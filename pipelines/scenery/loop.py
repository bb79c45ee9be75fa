"""Pictures that repeat sideways without a visible seam."""

from __future__ import annotations

import numpy as np

OVERLAPS = np.linspace(0.08, 0.3, 12)
"""Shares of the width that are tried as the overlap of the picture's two ends."""

PATIENCE = 1.15
"""How much worse than the best an overlap may be and still win by keeping more of the picture."""

FEATHER = 2
"""Pixels on each side of the cut over which the ends are blended."""


def loop_sideways(picture: np.ndarray) -> np.ndarray:
    """uint8 (H, W', 4) with W' <= W, whose right edge continues at its left, from uint8 (H, W, 4).

    The ends are laid over each other and cut along the path where they differ least (Efros and Freeman 2001, image
    quilting); the overlap is the one whose best path is cheapest. A picture that loops already comes back as it is.
    """
    width = picture.shape[1]
    if width < 32 or seam(picture) <= 1:
        return picture
    solid = picture[..., :3].astype(np.float32) * (picture[..., 3:] / np.float32(255))
    flat = np.dstack([solid, picture[..., 3]]).astype(np.float32)
    tried = []
    for share in OVERLAPS:
        overlap = max(4 * FEATHER, round(share * width))
        error = ((flat[:, width - overlap :] - flat[:, :overlap]) ** 2).sum(axis=2)
        # The blend around the cut has to end inside the overlap.
        path = least_cut(error[:, FEATHER : overlap - FEATHER]) + FEATHER
        tried.append((float(np.take_along_axis(error, path[:, None], 1).mean()), overlap, path))
    best = min(cost for cost, _, _ in tried)
    _, overlap, path = next(one for one in tried if one[0] <= PATIENCE * best + 1)
    # Left of the cut the end of the picture goes on, right of it its start takes over.
    across = np.arange(overlap)[None] - path[:, None]
    start = np.clip((across + FEATHER + 0.5) / (2 * FEATHER + 1), 0, 1)[..., None].astype(np.float32)
    end, begin = flat[:, width - overlap :], flat[:, :overlap]
    mixed = end * (1 - start) + begin * start
    if (picture[..., 3] == 255).all():
        mixed = two_bands(end, begin, start)
    alpha = mixed[..., 3:]
    colour = mixed[..., :3] * 255 / np.maximum(alpha, 1)
    blended = np.round(np.clip(np.dstack([colour, alpha]), 0, 255)).astype(np.uint8)
    return np.concatenate([blended, picture[:, overlap : width - overlap]], axis=1)


def two_bands(end: np.ndarray, begin: np.ndarray, start: np.ndarray) -> np.ndarray:
    """float32 (H, w, 4): detail changes at the cut, light and colour over the whole overlap (Burt and Adelson 1983).

    start float32 (H, w, 1): the share of `begin` in the detail.
    """
    import cv2

    reach = end.shape[1] / 8
    slow = np.linspace(0, 1, end.shape[1], dtype=np.float32)[None, :, None]
    low_end, low_begin = (cv2.GaussianBlur(one, (0, 0), reach, borderType=cv2.BORDER_REPLICATE) for one in (end, begin))
    low = low_end * (1 - slow) + low_begin * slow
    return np.asarray(low + (end - low_end) * (1 - start) + (begin - low_begin) * start)


def seam(picture: np.ndarray) -> float:
    """How visible the wrap of uint8 (H, W, 4) is: the step from the last column to the first, as a multiple of the 95th
    percentile of the steps between neighbouring columns. Up to 1 nothing shows."""
    flat = picture[..., :3].astype(np.float32) * (picture[..., 3:] / np.float32(255))
    flat = np.dstack([flat, picture[..., 3]])
    steps = np.abs(np.diff(flat, axis=1, append=flat[:, :1])).mean(axis=(0, 2))
    return float(steps[-1] / max(float(np.percentile(steps[:-1], 95)), 0.5))


def least_cut(error: np.ndarray) -> np.ndarray:
    """int64 (H,): the column in each row of float (H, W) on the cheapest path from top to bottom, one aside a step."""
    height, width = error.shape
    total = error.astype(np.float64).copy()
    for y in range(1, height):
        above = np.pad(total[y - 1], 1, constant_values=np.inf)
        total[y] += np.minimum(np.minimum(above[:-2], above[1:-1]), above[2:])
    path = np.empty(height, np.int64)
    path[-1] = int(total[-1].argmin())
    for y in range(height - 2, -1, -1):
        left = max(0, path[y + 1] - 1)
        path[y] = left + int(total[y, left : min(width, path[y + 1] + 2)].argmin())
    return path
