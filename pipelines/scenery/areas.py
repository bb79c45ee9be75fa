"""Which part of a scene picture is sky, far, near or ground."""

from __future__ import annotations

import numpy as np

WORKING_SIDE = 1024
"""Pixels of the longer side at which the areas are found."""

SKY, FAR, NEAR, GROUND = range(4)

GROUND_ROWS = (0.4, 0.92)
"""Share of the height between which the horizon of the ground is looked for."""

LEAST_SKY = 0.1
"""Share of the picture below which there is no sky: an indoor scene, a cave."""

RIM = 7
"""Pixels of width up to which a strip beside something near is its soft edge."""

TALL = 0.012
"""Share of the height below which what stands out is grass tips and no thing of its own."""

SOFT = 3
"""Largest step, in 8-bit steps, from a pixel of a painted sky to the next."""

SAMPLES = 20_000

APART = 14.0
"""CIELAB distance of two groups of colours from which they are two planes and not one."""


def areas(rgb: np.ndarray, horizon: int | None, depth: np.ndarray | None) -> tuple[np.ndarray, int]:
    """int8 (H, W) of `SKY`, `FAR`, `NEAR`, `GROUND` for uint8 (H, W, 3), and the row where the ground begins."""
    import cv2

    height, width = rgb.shape[:2]
    small = min(1.0, WORKING_SIDE / max(height, width))
    size = (max(8, round(width * small)), max(8, round(height * small)))
    little = cv2.resize(rgb, size, interpolation=cv2.INTER_AREA)
    near = None if depth is None else cv2.resize(depth.astype(np.float32), size, interpolation=cv2.INTER_AREA)
    row = ground_row(little) if horizon is None else min(size[1] - 1, max(1, round(horizon * small)))
    label = np.where(sky_of(little, row), SKY, FAR).astype(np.int8)
    label[row:] = GROUND
    between = label == FAR
    if near is None and (label == SKY).any():
        label[between & nearer(little, between, label == SKY)] = NEAR
    elif near is not None and between.sum() > 16:
        level = otsu(near[between])
        label[between & (near > level)] = NEAR
    # A row of grass tips is no tree.
    tall = np.ones((max(3, round(TALL * size[1])), 1), np.uint8)
    standing = cv2.morphologyEx((label == NEAR).astype(np.uint8), cv2.MORPH_OPEN, tall)
    label[(label == NEAR) & (standing == 0)] = FAR
    # Around what is near, its soft edge is no far plane.
    round_ = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (RIM, RIM))
    broad = cv2.morphologyEx((label == FAR).astype(np.uint8), cv2.MORPH_OPEN, round_)
    touching = cv2.dilate((label == NEAR).astype(np.uint8), round_) > 0
    label[(label == FAR) & (broad == 0) & touching] = NEAR
    full = cv2.resize(smooth(label), (width, height), interpolation=cv2.INTER_NEAREST)
    at = horizon if horizon is not None else round(row / small)
    full[at:] = GROUND
    full[:at][full[:at] == GROUND] = FAR
    return full, int(at)


def sky_of(rgb: np.ndarray, row: int) -> np.ndarray:
    """bool (H, W): the sky of uint8 (H, W, 3), or nothing where there is none.

    A painted sky changes softly: what the top edge reaches in small steps is sky, with the clouds in it. A sky with
    brush strokes stops such a flood; then the skyline is looked for. What goes down to the ground's row is a back wall.
    """
    import cv2
    from scipy import ndimage

    height, width = rgb.shape[:2]
    picture = cv2.GaussianBlur(rgb, (0, 0), 0.6)
    reached = np.zeros((height + 2, width + 2), np.uint8)
    flags = 4 | cv2.FLOODFILL_MASK_ONLY | (1 << 8)
    for x in range(width):
        if not reached[1, x + 1]:
            cv2.floodFill(picture, reached, (x, 0), (0, 0, 0), (SOFT,) * 3, (SOFT,) * 3, flags)
    flood = reached[1:-1, 1:-1] > 0
    flood = ndimage.binary_fill_holes(np.pad(flood, ((1, 0), (0, 0)), constant_values=True))[1:]
    if LEAST_SKY < flood.mean() < 0.9:
        return np.asarray(flood)
    line = skyline(rgb)
    wall = np.median(line) > 0.85 * row
    return (np.arange(height)[:, None] < line[None]) & (not wall)


def skyline(rgb: np.ndarray) -> np.ndarray:
    """int64 (W,): in each column of uint8 (H, W, 3) the first row that is not sky; 0 everywhere where there is none.

    The threshold on the gradient that tells sky and the rest apart best (Shen and Wang 2013, sky region detection in a
    single image): the one for which both have the least spread of colour.
    """
    import cv2

    height, width = rgb.shape[:2]
    grey = cv2.GaussianBlur(cv2.cvtColor(rgb, cv2.COLOR_RGB2GRAY).astype(np.float32), (0, 0), 1)
    slope = np.hypot(cv2.Sobel(grey, cv2.CV_32F, 1, 0), cv2.Sobel(grey, cv2.CV_32F, 0, 1))
    pixels, best, energy = rgb.astype(np.float64), np.zeros(width, np.int64), -1.0
    y = np.arange(height)[:, None]
    for limit in np.linspace(8, 320, 30):
        over = slope > limit
        line = np.where(over.any(axis=0), over.argmax(axis=0), height)
        sky = y < line[None]
        if min(sky.sum(), (~sky).sum()) < 0.02 * sky.size:
            continue
        spread = [np.linalg.eigvalsh(np.cov(pixels[part].T)) for part in (sky, ~sky)]
        value = 1 / max(sum(w * (e.prod() + e[-1]) for w, e in zip((2.0, 1.0), spread, strict=True)), 1e-9)
        if value > energy:
            best, energy = line, value
    return best if best.mean() > LEAST_SKY * height and np.median(best) > 2 else np.zeros(width, np.int64)


def ground_row(rgb: np.ndarray) -> int:
    """The row of uint8 (H, W, 3) below which the ground lies: where what is above and below differ most."""
    import cv2

    height = rgb.shape[0]
    lab = cv2.cvtColor(rgb.astype(np.float32) / 255, cv2.COLOR_RGB2LAB)
    total = np.concatenate([np.zeros((1, *lab.shape[1:])), lab.cumsum(axis=0)])
    window = max(2, height // 12)
    rows = np.arange(max(window, round(GROUND_ROWS[0] * height)), min(height - 2, round(GROUND_ROWS[1] * height)))
    if not len(rows):
        return height - 2
    below = np.minimum(rows + window, height)
    down = (total[below] - total[rows]) / (below - rows)[:, None, None]
    up = (total[rows] - total[rows - window]) / window
    # A median over the columns: one tree does not make a horizon, an edge from side to side does.
    return int(rows[np.median(np.linalg.norm(down - up, axis=2), axis=1).argmax()])


def nearer(rgb: np.ndarray, between: np.ndarray, sky: np.ndarray) -> np.ndarray:
    """bool (H, W): what stands near, of bool (H, W) `between`. Air pales what is far: the group of colours that is less
    like the sky is near. Nothing is, when the groups are not apart."""
    import cv2

    nothing = np.zeros_like(between)
    lab = cv2.cvtColor(cv2.bilateralFilter(rgb, 7, 40, 5).astype(np.float32) / 255, cv2.COLOR_RGB2LAB)
    if between.sum() < 64:
        return nothing
    colours = lab[between]
    some = colours[np.linspace(0, len(colours) - 1, min(SAMPLES, len(colours))).astype(np.int64)]
    cv2.setRNGSeed(7)
    stop = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 30, 0.2)
    centres = cv2.kmeans(some, 2, np.empty(0), stop, 3, cv2.KMEANS_PP_CENTERS)[2]  # type: ignore[call-overload]
    if np.linalg.norm(centres[0] - centres[1]) < APART:
        return nothing
    air = lab[sky].mean(axis=0)
    front = int(np.linalg.norm(centres - air, axis=1).argmax())
    away = np.linalg.norm(colours[:, None] - centres[None], axis=2)
    nothing[between] = away.argmin(axis=1) == front
    return nothing


def otsu(values: np.ndarray) -> float:
    """The level that splits float values 0..1 into two groups of least spread (Otsu 1979)."""
    import cv2

    grey = np.clip(values * 255, 0, 255).astype(np.uint8)[None]
    return float(cv2.threshold(grey, 0, 255, cv2.THRESH_OTSU)[0]) / 255


def smooth(label: np.ndarray) -> np.ndarray:
    """int8 (H, W) without crumbs: each pixel takes what most around it are."""
    import cv2

    votes = [cv2.GaussianBlur((label == number).astype(np.float32), (0, 0), 1.2) for number in range(4)]
    return np.argmax(votes, axis=0).astype(np.int8)
