"""Pixel art: few colours, hard edges, and often blown up by a whole number."""

from __future__ import annotations

import numpy as np

MOST_COLOURS = 256
"""Colours that pixel art stays below; anti-aliased art of the same size has thousands."""

FLAT_COLOURS = 16
"""Colours up to which a ramp of shades may look like a soft edge without being one."""

MIXED_SHARE = 0.2
"""Share of softened edges from which small flat art is anti-aliased, not pixel art; real sprites stay below 0.16."""

STRONG_EDGE = 40
"""RGBA distance across a pixel from which it lies on an edge."""

LARGEST_SIDE = 384
"""Pixels of the longer side, after undoing a blow-up, above which art is not taken for pixel art."""


def pixel_scale(picture: np.ndarray) -> int:
    """The whole number that uint8 (H, W, 4) pixel art was blown up by, 1 when it was not."""
    found = 0
    for axis in (0, 1):
        change = (np.diff(picture.astype(np.int16), axis=axis) != 0).any(axis=(1 - axis, 2))
        places = np.nonzero(change)[0] + 1
        if len(places) < 3:
            continue
        found = int(np.gcd.reduce(np.append(np.diff(places), found)))
    return max(1, found)


def looks_like_pixel_art(art: np.ndarray) -> bool:
    """True when uint8 (H, W, 4), cut out or not, has a small palette, no soft edges and a small true size."""
    alpha = art[..., 3]
    visible = alpha > 0
    if visible.sum() < 16:
        return False
    # A sparse look first: nearly every other picture leaves here.
    step = max(1, max(art.shape) // 256)
    sparse = art[::step, ::step]
    some = sparse[sparse[..., 3] > 0]
    if len(np.unique(_packed(some))) > MOST_COLOURS:
        return False
    soft = visible & (alpha < 250) & (alpha > 5)
    if soft.sum() > 0.01 * visible.sum():
        return False
    scale = pixel_scale(art)
    y, x = np.nonzero(visible)
    side = max(int(np.ptp(y)), int(np.ptp(x))) + 1
    if side / scale > LARGEST_SIDE:
        return False
    colours, counts = np.unique(_packed(art[visible]), return_counts=True)
    if len(colours) > MOST_COLOURS:
        return False
    area = visible.sum() / scale**2
    if scale == 1 and len(colours) > 0.15 * area:
        return False
    top = np.sort(counts)[::-1][:48].sum()
    if top < 0.97 * counts.sum():
        return False
    own = art[scale // 2 :: scale, scale // 2 :: scale]
    return len(colours) <= FLAT_COLOURS or mixed_share(own) < MIXED_SHARE


def mixed_share(art: np.ndarray) -> float:
    """Share of strong edges, 0..1, that a pixel between both sides softens: 0.25 and more in anti-aliased flat art."""
    rgba = art.astype(np.float32)
    strong = mixed = 0
    for before, here, after in (
        (rgba[:, :-2], rgba[:, 1:-1], rgba[:, 2:]),
        (rgba[:-2], rgba[1:-1], rgba[2:]),
    ):
        span, step = after - before, here - before
        length = (span**2).sum(axis=2)
        edge = length > STRONG_EDGE**2
        share = (step * span).sum(axis=2) / np.maximum(length, 1)
        stray = np.sqrt(((step - share[..., None] * span) ** 2).sum(axis=2))
        between = edge & (share > 0.08) & (share < 0.92) & (stray < 3 + 0.04 * np.sqrt(length))
        strong, mixed = strong + int(edge.sum()), mixed + int(between.sum())
    return mixed / max(strong, 1)


def _packed(rgba: np.ndarray) -> np.ndarray:
    wide = rgba.astype(np.uint32)
    return (wide[:, 0] << 16) | (wide[:, 1] << 8) | wide[:, 2]
