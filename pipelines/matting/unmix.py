"""Edges as mixtures: every edge pixel is `alpha * F + (1 - alpha) * K`, and only edge pixels are touched."""

from __future__ import annotations

import numpy as np

DEEPEST = 8
"""Widest edge ramp, in pixels, that is taken for a soft edge; anything wider is paint."""

FAINT = 0.04
"""Alpha below which an edge pixel is dropped: JPEG ringing and grain, not figure."""

SOLID = 0.9
"""Alpha from which a pixel ends a soft edge."""

BEND, BEND_SHARE = 8.0, 0.10
"""How far off the line from the key, in 8-bit steps and as a share of its length, a mixture may lie."""

LAX, SMEARED = 2.5, 4.0
"""How much farther it may where it touches the background, and in a file where JPEG has bent the colours there."""

NEARLY = 0.35
"""Share of the way from a vivid key to the figure's colour up to which nothing is paint."""

NEIGHBOURS = ((-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1))


def unmix(
    rgb: np.ndarray, key: np.ndarray, background: np.ndarray, vivid: bool = False, smeared: bool = False
) -> tuple[np.ndarray, np.ndarray]:
    """Solves the mixing equation (Porter and Duff 1984) in a narrow band along the background.

    rgb uint8 (H, W, 3), key float32 (H, W, 3) the background's colour everywhere, background bool (H, W).
    vivid: no paint is expected that is close to the key. smeared: JPEG has bent the colours along the edge.
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
    top_y, top_x = climb(rgb - key, away, depth, y, x, ramp + 1, vivid, smeared)
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
        paint &= away[y, x] > NEARLY * np.sqrt(length)
    share = np.where(paint | (share > 0.97), 1.0, np.where(share < FAINT, 0.0, share))
    alpha[y, x] = share
    share = np.where(behind_paint(alpha, ramp)[y, x], 1.0, share)
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


def behind_paint(alpha: np.ndarray, ramp: int) -> np.ndarray:
    """bool (H, W): pixels that no path of soft pixels joins to the background; an edge is soft from outside only."""
    import cv2

    reached, soft = (alpha == 0).astype(np.uint8), (alpha < SOLID).astype(np.uint8)
    cross = cv2.getStructuringElement(cv2.MORPH_CROSS, (3, 3))
    for _ in range(ramp):
        # A solid pixel is reached, and ends the path.
        reached |= cv2.dilate(reached & soft, cross)
    return reached == 0


def climb(
    span: np.ndarray,
    away: np.ndarray,
    depth: np.ndarray,
    y: np.ndarray,
    x: np.ndarray,
    steps: int,
    vivid: bool,
    smeared: bool,
) -> tuple[np.ndarray, np.ndarray]:
    """Steepest ascent on the distance to the key, never towards the background. Index arrays in, index arrays out.

    span float32 (H, W, 3) is the colour relative to the key. Mixtures of one paint with the key lie on a straight line
    from it: a step to a colour that bends away is a step into other paint, such as from ink to skin, and is not taken.
    vivid: what is still close to the key is a mixture with it, however JPEG bent its colour.
    """
    height, width = away.shape
    own, length = span[y, x], away[y, x]
    touching, factor = (2.5, SMEARED) if smeared else (1.2, LAX)
    lax = np.where(depth[y, x] > touching, 1.0, factor) * (BEND + BEND_SHARE * length)
    y, x = y.copy(), x.copy()
    going = np.arange(len(y))
    for _ in range(steps):
        here_y, here_x, colour, square = y[going], x[going], own[going], length[going] ** 2 - lax[going] ** 2
        best, best_y, best_x = away[here_y, here_x] + 0.5, here_y, here_x
        low = depth[here_y, here_x]
        for down, right in NEIGHBOURS:
            ny, nx = np.clip(here_y + down, 0, height - 1), np.clip(here_x + right, 0, width - 1)
            level = away[ny, nx]
            along = np.einsum("nc,nc->n", colour, span[ny, nx]) / np.maximum(level, 1)
            straight = square <= along**2
            if vivid:
                straight |= length[going] < NEARLY * level
            better = (level > best) & straight & (depth[ny, nx] >= low)
            best = np.where(better, level, best)
            best_y, best_x = np.where(better, ny, best_y), np.where(better, nx, best_x)
        moved = (best_y != here_y) | (best_x != here_x)
        # Whoever stands on a peak stays there.
        y[going], x[going] = best_y, best_x
        going = going[moved]
        if not len(going):
            break
    return y, x
