"""Areas of background colour that the figure encloses: a gap between arm and body, or white armour?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from .backdrop import Backdrop

Holes = Literal["auto", "keep", "remove"]

LINE_DRAWING = 0.35
"""Share of the silhouette above which enclosed background colour means an uncoloured drawing, not gaps."""

VIVID = 0.35
"""Saturation from which a key is a chosen key: no eye or tooth has that colour."""

SMALL = 0.0005
"""Share of the silhouette below which an enclosed area is never opened."""

EYE = 0.01
"""Share of the silhouette below which enclosed white or black is an eye, a tooth or a highlight, unless it has the
figure's outline all around and nothing inside."""

OUTLINED = 0.85
"""Share of an area's rim that must look like the outer outline."""


@dataclass(frozen=True)
class Enclosed:
    """What was found inside the figure."""

    mask: np.ndarray
    """bool (H, W): the areas that are background."""
    removed: int
    kept: int
    """Areas of background colour that were judged to be figure."""


def judge(
    away: np.ndarray, candidates: np.ndarray, outside: np.ndarray, backdrop: Backdrop, mode: Holes = "auto"
) -> Enclosed:
    """Decides for every enclosed component of `candidates` (bool (H, W)) whether it is background (field report 19).

    away float32 (H, W) is the RGB distance to the background's field; outside bool (H, W) what is already removed.
    Kept as figure: areas that shade softly into paint next to them (a background ends at a hard edge), areas too small
    to be gaps under a neutral key, and everything when most of the silhouette has the paper's colour.
    """
    import cv2

    nothing = np.zeros_like(candidates)
    if not candidates.any():
        return Enclosed(nothing, 0, 0)
    count, labels, stats, _ = cv2.connectedComponentsWithStats(candidates.astype(np.uint8), connectivity=4)
    if count <= 1 or mode == "keep":
        return Enclosed(nothing, 0, max(0, count - 1) if mode == "keep" else 0)
    silhouette = max(1, int((~outside).sum()))
    areas = stats[1:, cv2.CC_STAT_AREA]
    vivid = backdrop.saturation() >= VIVID
    common = min(backdrop.colour) > 235 or max(backdrop.colour) < 30
    least = max(4, 2e-5 * silhouette) if vivid or mode == "remove" else max(9, SMALL * silhouette)
    outline = _rim(away, outside) if common else away[:0, 0]
    big = [i for i in range(1, count) if areas[i - 1] >= least]
    if mode == "auto" and not vivid and sum(areas[i - 1] for i in big) > LINE_DRAWING * silhouette:
        return Enclosed(nothing, 0, len(big))
    mask, removed = nothing.copy(), 0
    for i in big:
        x, y, w, h = (int(n) for n in stats[i, :4])
        window = np.s_[max(0, y - 6) : y + h + 6, max(0, x - 6) : x + w + 6]
        area = labels[window] == i
        small = common and areas[i - 1] < EYE * silhouette
        if mode == "remove" or (
            _is_background(away[window], area, backdrop) and not (small and not _outlined(away[window], area, outline))
        ):
            mask[window] |= area
            removed += 1
    return Enclosed(mask, removed, len(big) - removed)


def _is_background(away: np.ndarray, area: np.ndarray, backdrop: Backdrop) -> bool:
    import cv2

    square = np.ones((3, 3), np.uint8)
    core = cv2.erode(area.astype(np.uint8), square) > 0
    inside = away[core] if core.any() else away[area]
    # The field must be met as closely as the border meets it: white armour is rarely exactly the paper's white.
    close = backdrop.tolerance if backdrop.saturation() >= VIVID else max(4.0, 2.5 * backdrop.noise)
    if float(np.median(inside)) > close:
        return False
    ring = _rim(away, area)
    soft = float((ring < 3 * backdrop.tolerance).mean()) if len(ring) else 1.0
    return soft < 0.2


def _outlined(away: np.ndarray, area: np.ndarray, outline: np.ndarray) -> bool:
    """True when the area's rim is drawn like the figure's outer one, and no pupil or other island lies in it."""
    from scipy import ndimage

    if not len(outline) or (ndimage.binary_fill_holes(area) & ~area).sum() > 3:
        return False
    ink = float(np.median(outline))
    width = 10 + 0.12 * ink

    def like(rim: np.ndarray) -> float:
        return float((np.abs(rim - ink) < width).mean()) if len(rim) else 0.0

    return like(outline) > 0.6 and like(_rim(away, area)) > OUTLINED


def _rim(away: np.ndarray, area: np.ndarray) -> np.ndarray:
    """Distances to the key of the pixels three and four steps outside bool (H, W) `area`: past the soft edge."""
    import cv2

    square = np.ones((3, 3), np.uint8)
    near = cv2.dilate(area.astype(np.uint8), square, iterations=2)
    grown = cv2.dilate(near, square, iterations=2)
    return away[(grown > 0) & (near == 0)]
