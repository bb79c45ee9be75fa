"""Cut-out from a flat or softly graded background: estimate the painted key, remove what touches the border, unmix."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..cancel import NEVER, CancelToken
from .backdrop import Backdrop, Colour, measure, refine
from .holes import VIVID, Holes, judge
from .strokes import BACKGROUND, FIGURE
from .unmix import unmix

ECHO_REACH = 16
"""Pixels from the outline that an 8-pixel JPEG block, or a 16-pixel one of halved chroma, can smear to."""

CLEAN = 4.0
"""Distance to the key, close to the figure, that a file without JPEG echoes stays below."""

VIVID_ECHO, PALE_ECHO = 64.0, 24.0
"""Largest distance to the key that counts as an echo; figures do wear nearly-white, hardly ever nearly-green."""


@dataclass(frozen=True)
class Areas:
    """What of a picture is background, before its edges are looked at; every mask bool (H, W)."""

    backdrop: Backdrop
    outside: np.ndarray
    """Background that touches the border."""
    enclosed: np.ndarray
    """Background colour inside the figure, judged or not."""
    opened: np.ndarray
    """The part of `enclosed` that was judged to be background."""
    smeared: bool
    """JPEG has bent the colours along the outline."""
    removed: int
    kept: int
    """Enclosed areas that were judged to be figure."""


@dataclass(frozen=True)
class Keyed:
    """A figure without its background."""

    rgb: np.ndarray
    """uint8 (H, W, 3)"""
    alpha: np.ndarray
    """uint8 (H, W)"""
    backdrop: Backdrop
    holes_removed: int
    holes_kept: int


def key(
    rgb: np.ndarray,
    *,
    backdrop: Backdrop | None = None,
    key_colour: Colour | None = None,
    strokes: np.ndarray | None = None,
    hard_edge: bool = False,
    holes: Holes = "auto",
    cancel: CancelToken = NEVER,
) -> Keyed:
    """Keys uint8 (H, W, 3). Only background connected to the border goes, so white armour on white paper survives;
    enclosed gaps go when `holes.judge` says so; edges are unmixed, everything deeper keeps its exact colour.
    """
    found = areas(rgb, backdrop or measure(rgb, key_colour), strokes, holes)
    cancel.check()
    art, alpha = edges(rgb, found, found.opened, strokes, hard_edge)
    return Keyed(art, alpha, found.backdrop, found.removed, found.kept)


def areas(rgb: np.ndarray, backdrop: Backdrop, strokes: np.ndarray | None = None, holes: Holes = "auto") -> Areas:
    """Where the background of uint8 (H, W, 3) is, outside and inside the figure."""
    height, width = rgb.shape[:2]
    away = distance(rgb, backdrop.field(height, width))
    outside = connected(away <= backdrop.tolerance, strokes)
    better = refine(rgb, outside, backdrop)
    if better is not backdrop:
        backdrop = better
        away = distance(rgb, backdrop.field(height, width))
        outside = connected(away <= backdrop.tolerance, strokes)
    near, level = ringing(away, outside, backdrop)
    like_key = (away <= backdrop.tolerance) | (near & (away <= level))
    if level > backdrop.tolerance:
        outside = connected(like_key, strokes)
    enclosed = without_marked(like_key & ~outside, strokes)
    found = judge(away, enclosed, outside, backdrop, holes)
    return Areas(backdrop, outside, enclosed, found.mask, level > 0, found.removed, found.kept)


def edges(
    rgb: np.ndarray, found: Areas, opened: np.ndarray, strokes: np.ndarray | None, hard_edge: bool
) -> tuple[np.ndarray, np.ndarray]:
    """The figure's colours uint8 (H, W, 3) and its alpha uint8 (H, W); opened bool (H, W): the gaps to cut out."""
    backdrop, background = found.backdrop, found.outside | opened
    alpha, art = (~background).astype(np.float32), rgb
    if not hard_edge:
        art, behind, box = rgb.copy(), local_key(rgb, background, backdrop), around(background)
        vivid = backdrop.saturation() >= VIVID
        alpha[box], art[box] = unmix(rgb[box], behind[box], background[box], vivid, found.smeared)
    if strokes is not None:
        marked = strokes == FIGURE
        alpha = np.where(marked, 1.0, np.where(strokes == BACKGROUND, 0.0, alpha))
        art = np.where(marked[..., None], rgb, art)
    return art, np.round(alpha * 255).astype(np.uint8)


def around(background: np.ndarray) -> tuple[slice, slice]:
    """The box of everything that is not background, bool (H, W), and two pixels around it."""
    rows, columns = (np.nonzero(~background.all(axis=axis))[0] for axis in (1, 0))
    if not len(rows):
        return np.s_[:1, :1]
    return np.s_[max(0, rows[0] - 2) : rows[-1] + 3, max(0, columns[0] - 2) : columns[-1] + 3]


def distance(rgb: np.ndarray, field: np.ndarray) -> np.ndarray:
    """float32 (H, W): RGB distance of every pixel to the background's field."""
    difference = rgb - field
    return np.sqrt(np.einsum("hwc,hwc->hw", difference, difference))


def ringing(away: np.ndarray, outside: np.ndarray, backdrop: Backdrop) -> tuple[np.ndarray, float]:
    """Where JPEG echoes of the outline lie, bool (H, W), and the distance to the key that they reach; 0: none.

    Measured a few pixels off the figure, where a clean file has nothing but background.
    """
    import cv2

    inside = away[~outside]
    if not len(inside):
        return outside & False, 0.0
    strong = (away > 0.5 * float(np.median(inside))) & (away > 3 * backdrop.tolerance)
    off = cv2.distanceTransform((~strong).astype(np.uint8), cv2.DIST_L2, 3)
    # Pale paint inside the figure is no echo: only what the background reaches is measured.
    reached = cv2.dilate(outside.astype(np.uint8), np.ones((7, 7), np.uint8)) > 0
    zone = away[(off > 3) & (off < 9) & reached]
    cap = VIVID_ECHO if backdrop.saturation() >= VIVID else PALE_ECHO
    smeared = len(zone) > 50 and float(np.percentile(zone, 90)) > max(CLEAN, 3 * backdrop.noise)
    return off < ECHO_REACH, cap if smeared else 0.0


def connected(like_key: np.ndarray, strokes: np.ndarray | None = None) -> np.ndarray:
    """The part of bool (H, W) that touches the picture's border or a background stroke, 4-connected.

    Figure strokes are walls.
    """
    import cv2

    open_ = like_key if strokes is None else (like_key | (strokes == BACKGROUND)) & (strokes != FIGURE)
    count, labels = cv2.connectedComponents(open_.astype(np.uint8), connectivity=4)
    touched = np.zeros(count, dtype=bool)
    for side in (labels[0], labels[-1], labels[:, 0], labels[:, -1]):
        touched[side] = True
    if strokes is not None:
        touched[labels[strokes == BACKGROUND]] = True
    touched[0] = False
    return touched[labels]


def without_marked(candidates: np.ndarray, strokes: np.ndarray | None) -> np.ndarray:
    """Enclosed areas that no figure stroke runs through."""
    import cv2

    if strokes is None or not (strokes == FIGURE).any():
        return candidates
    count, labels = cv2.connectedComponents(candidates.astype(np.uint8), connectivity=4)
    marked = np.zeros(count, dtype=bool)
    near = cv2.dilate((strokes == FIGURE).astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
    marked[labels[near]] = True
    marked[0] = False
    return candidates & ~marked[labels]


def local_key(rgb: np.ndarray, background: np.ndarray, backdrop: Backdrop) -> np.ndarray:
    """float32 (H, W, 3): the field, corrected by what the background really looks like close by (paper stains)."""
    import cv2

    height, width = rgb.shape[:2]
    field = backdrop.field(height, width)
    if backdrop.noise < 0.75:
        return field
    small = min(1.0, 512 / max(height, width))
    size = (max(1, round(width * small)), max(1, round(height * small)))
    weight = background.astype(np.float32)
    residual = (rgb.astype(np.float32) - field) * weight[..., None]
    residual = cv2.boxFilter(cv2.resize(residual, size, interpolation=cv2.INTER_AREA), -1, (15, 15))
    total = cv2.boxFilter(cv2.resize(weight, size, interpolation=cv2.INTER_AREA), -1, (15, 15))
    correction = residual / np.maximum(total, 0.05)[..., None]
    return np.clip(field + cv2.resize(correction, (width, height)), 0, 255)
