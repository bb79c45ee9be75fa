"""Cut-out of a drawing photographed on paper: uneven light, and a body that is as white as the sheet."""

from __future__ import annotations

import numpy as np

from ..cancel import NEVER, CancelToken
from ..errors import NoFigureError
from .refine import figure_colours
from .strokes import BACKGROUND, FIGURE, resized

WORKING_SIDE = 900
"""Pixels of the longer side at which the lines are found."""

GAPS = (0.004, 0.008, 0.014)
"""Pen gaps that are bridged, as shares of the longer side; the smallest that closes a body wins."""


def looks_like_paper(rgb: np.ndarray) -> bool:
    """True for uint8 (H, W, 3) that is mostly one bright, pale sheet with little ink on it."""
    import cv2

    small = min(1.0, 400 / max(rgb.shape))
    little = cv2.resize(rgb, None, fx=small, fy=small, interpolation=cv2.INTER_AREA)
    sheet = paper(little)
    lab = cv2.cvtColor(little, cv2.COLOR_RGB2LAB)[sheet].astype(np.float32)
    if sheet.mean() < 0.4:
        return False
    pale = np.linalg.norm(lab[:, 1:] - 128, axis=1) < 28
    inked = ink(little)[sheet].mean()
    return bool(pale.mean() > 0.6 and 0.002 < inked < 0.45 and np.median(lab[:, 0]) > 120)


def drawing(
    rgb: np.ndarray, strokes: np.ndarray | None = None, cancel: CancelToken = NEVER
) -> tuple[np.ndarray, np.ndarray]:
    """Alpha float32 (H, W) and rgb uint8 (H, W, 3) of the drawing on uint8 (H, W, 3).

    Lines are what is darker or more colourful than the paper around them; gaps in them are bridged, what they enclose
    is figure, and the largest piece is kept (the idea of AnimatedDrawings' mask step, Smith et al. 2023).
    """
    import cv2

    height, width = rgb.shape[:2]
    small = min(1.0, WORKING_SIDE / max(height, width))
    size = (max(8, round(width * small)), max(8, round(height * small)))
    little = cv2.resize(rgb, size, interpolation=cv2.INTER_AREA)
    lines = ink(little)
    sheet = paper(little)
    lines &= sheet
    brush = resized(strokes, size[1], size[0])
    if brush is not None:
        lines = (lines | (brush == FIGURE)) & (brush != BACKGROUND)
    cancel.check()
    body = np.zeros_like(lines)
    for gap in GAPS:
        body = _filled(lines, max(1, round(gap * max(size))))
        if body.sum() > 3.0 * max(1, lines.sum()):
            break
    if body.mean() < 0.003:
        raise NoFigureError("No drawing was found on the paper. Photograph it closer, with even light.")
    full = cv2.resize(body.astype(np.float32), (width, height), interpolation=cv2.INTER_LINEAR)
    blur = max(1.0, 0.7 / small)
    alpha = np.clip((cv2.GaussianBlur(full, (0, 0), blur) - 0.35) / 0.3, 0, 1)
    if strokes is not None:
        alpha = np.where(strokes == BACKGROUND, 0, alpha).astype(np.float32)
    return alpha, figure_colours(rgb, alpha)


def ink(little: np.ndarray) -> np.ndarray:
    """bool (H, W): strokes and coloured areas, measured against the local paper."""
    import cv2

    lab = cv2.cvtColor(little, cv2.COLOR_RGB2LAB).astype(np.float32)
    radius = max(little.shape) / 24
    light = float(np.percentile(lab[..., 0], 50))
    # The paper's own light: a broad maximum, smoothed, is blind to strokes and follows shadows.
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * int(radius) + 1,) * 2)
    blank = cv2.GaussianBlur(cv2.morphologyEx(lab[..., 0], cv2.MORPH_CLOSE, kernel), (0, 0), radius / 3)
    dark = blank - lab[..., 0]
    hue = np.linalg.norm(lab[..., 1:] - np.median(lab[..., 1:].reshape(-1, 2), axis=0), axis=2)
    grain = 1.5 * float(np.median(np.abs(dark - np.median(dark)))) + 2
    return (dark > max(0.09 * light, 4 * grain)) | (hue > 16)


def paper(little: np.ndarray) -> np.ndarray:
    """bool (H, W): the sheet, away from its own edge: the largest bright area, ink and holes closed."""
    import cv2
    from scipy import ndimage

    grey = np.asarray(cv2.GaussianBlur(cv2.cvtColor(little, cv2.COLOR_RGB2GRAY), (0, 0), 3), np.float32)
    level = float(cv2.threshold(grey.astype(np.uint8), 0, 1, cv2.THRESH_OTSU)[0])
    reach = max(2, round(0.012 * max(grey.shape)))
    # A figure that spans the sheet must not split it: lines are closed before the largest area is taken.
    wide = 4 * reach
    bright = np.pad((grey > 0.75 * level).astype(np.uint8), wide, mode="edge")
    closed = cv2.morphologyEx(bright, cv2.MORPH_CLOSE, np.ones((wide, wide), np.uint8))[wide:-wide, wide:-wide]
    _, labels, stats, _ = cv2.connectedComponentsWithStats(closed)
    if len(stats) < 2:
        return np.ones(grey.shape, dtype=bool)
    sheet = ndimage.binary_fill_holes(labels == 1 + int(np.argmax(stats[1:, cv2.CC_STAT_AREA])))
    framed = np.pad(sheet.astype(np.uint8), reach + 1, mode="edge")
    eroded = cv2.erode(framed, np.ones((2 * reach + 1,) * 2, np.uint8))
    return eroded[reach + 1 : -reach - 1, reach + 1 : -reach - 1] > 0


def _filled(lines: np.ndarray, gap: int) -> np.ndarray:
    """Bridges gaps, fills what is enclosed, keeps the largest piece and what is a fair share of it."""
    import cv2
    from scipy import ndimage

    square = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * gap + 1,) * 2)
    pad = 2 * gap + 2
    wide = np.pad(lines.astype(np.uint8), pad)
    closed = cv2.morphologyEx(wide, cv2.MORPH_CLOSE, square)
    solid = ndimage.binary_fill_holes(closed)[pad:-pad, pad:-pad]
    count, labels, stats, _ = cv2.connectedComponentsWithStats(solid.astype(np.uint8), connectivity=8)
    if count < 2:
        return lines & False
    areas = stats[:, cv2.CC_STAT_AREA].astype(np.float64)
    areas[0] = 0
    return (areas >= 0.04 * areas.max())[labels] & solid
