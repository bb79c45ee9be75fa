"""Edges as mixtures: every edge pixel is `alpha * F + (1 - alpha) * K`, and only edge pixels are touched."""

from __future__ import annotations

import numpy as np

DEEPEST = 8
"""Widest edge ramp, in pixels, that is taken for a soft edge; anything wider is paint."""

FAINT = 0.04
"""Alpha below which an edge pixel is dropped: JPEG ringing and grain, not figure."""

NEIGHBOURS = ((-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1))


def unmix(
    rgb: np.ndarray, key: np.ndarray, background: np.ndarray, vivid: bool = False
) -> tuple[np.ndarray, np.ndarray]:
    """Solves the mixing equation (Porter and Duff 1984) in a narrow band along the background.

    rgb uint8 (H, W, 3), key float32 (H, W, 3) the background's colour everywhere, background bool (H, W).
    vivid: no paint is expected that is close to the key.
    Returns alpha float32 (H, W) 0..1 and rgb uint8 (H, W, 3) with the key taken out of the band. Deeper pixels keep
    their exact colour, so a despill can never shift a real one (field report 20).

    F of an edge pixel is found by climbing, away from the background, to the pixel that differs most from the key;
    a light fill behind a dark outline is never climbed back from, and stays opaque (field report 19).
    """
    import cv2

    depth = cv2.distanceTransform((~background).astype(np.uint8), cv2.DIST_L2, 3)
    away = np.sqrt(((rgb.astype(np.float32) - key) ** 2).sum(axis=2))
    alpha = (~background).astype(np.float32)
    out = rgb.copy()
    ramp = edge_ramp(depth, away)
    y, x = np.nonzero((depth > 0) & (depth < ramp + 0.5))
    if not len(y):
        return alpha, out
    top_y, top_x = climb(away, depth, y, x, steps=ramp + 1)
    figure = rgb[top_y, top_x].astype(np.float32)
    behind = key[y, x]
    span = figure - behind
    seen = rgb[y, x].astype(np.float32) - behind
    length = np.maximum((span**2).sum(axis=1), 1.0)
    share = np.clip((seen * span).sum(axis=1) / length, 0, 1)
    # A colour that no mixture of F and K explains is paint of its own, unless it touches the background.
    stray = np.sqrt(((seen - share[:, None] * span) ** 2).sum(axis=1))
    paint = (stray > 14 + 0.12 * np.sqrt(length)) & (depth[y, x] > 1.2)
    if vivid:
        paint &= away[y, x] > 0.35 * np.sqrt(length)
    share = np.where(paint | (share > 0.97), 1.0, np.where(share < FAINT, 0.0, share))
    alpha[y, x] = share
    mixed = share < 1
    out[y[mixed], x[mixed]] = rgb[top_y[mixed], top_x[mixed]]
    return alpha, out


def edge_ramp(depth: np.ndarray, away: np.ndarray) -> int:
    """Width of the picture's edges in pixels: where, on most of the outline, the figure's full colour is reached."""
    band = (depth > 0.5) & (depth < DEEPEST + 0.5)
    shell, level = np.round(depth[band]).astype(np.int64), away[band]
    levels = np.array([np.median(level[shell == i]) if (shell == i).any() else 0.0 for i in range(1, DEEPEST + 1)])
    full = np.nonzero(levels >= 0.92 * levels.max(initial=1.0))[0]
    return int(min(full[0] + 1, DEEPEST)) + 1 if len(full) else 2


def climb(
    away: np.ndarray, depth: np.ndarray, y: np.ndarray, x: np.ndarray, steps: int
) -> tuple[np.ndarray, np.ndarray]:
    """Steepest ascent on the distance to the key, never towards the background. Index arrays in, index arrays out."""
    height, width = away.shape
    y, x = y.copy(), x.copy()
    for _ in range(steps):
        best, best_y, best_x = away[y, x] + 0.5, y, x
        for down, right in NEIGHBOURS:
            ny, nx = np.clip(y + down, 0, height - 1), np.clip(x + right, 0, width - 1)
            better = (away[ny, nx] > best) & (depth[ny, nx] >= depth[y, x])
            best = np.where(better, away[ny, nx], best)
            best_y, best_x = np.where(better, ny, best_y), np.where(better, nx, best_x)
        if (best_y == y).all() and (best_x == x).all():
            break
        y, x = best_y, best_x
    return y, x
