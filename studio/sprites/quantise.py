"""A palette chosen as the eye sees it: k-means in OKLab over all clips of a character.

imagequant would do this too, but the library beneath it is GPL; k-means on counted colours needs no more than this.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import cKDTree

from studio.sprites.errors import PaletteError
from studio.sprites.frames import OPAQUE, Frames
from studio.sprites.oklab import Lab, from_oklab, to_oklab
from studio.sprites.palette import Palette

ROUNDS = 24
"""Most rounds of k-means; it stops earlier when no colour moves."""

STILL = 1e-4
"""OKLab distance under which a colour has stopped moving: far below one step of 8 bits."""


def oklab_palette(clips: Sequence[Frames], colours: int) -> Palette:
    """At most `colours` (1 to 256) colours, ``(N, 3)`` sorted from dark to light, for all opaque pixels of `clips`.

    Exact when the art has no more colours than that. Else k-means; each start is the colour that is worst served so
    far, its distance weighed with the root of how often it occurs, so that the glint in an eye keeps its colour
    beside a large coat. Nothing is drawn by chance: the same clips give the same bytes.
    """
    if not 1 <= colours <= 256:
        raise PaletteError(f"A palette of {colours} colours cannot be made; use 1 to 256.")
    rgb, count = counted(clips)
    if len(rgb) == 0:
        return np.zeros((1, 3), np.uint8)
    if len(rgb) > colours:
        rgb = _means(rgb, count, colours)
    lightness = to_oklab(rgb)[:, 0]
    order = np.lexsort((rgb[:, 2], rgb[:, 1], rgb[:, 0], lightness))
    return rgb[order]


def counted(clips: Sequence[Frames]) -> tuple[Palette, NDArray[np.int64]]:
    """The different colours ``(K, 3)`` of all opaque pixels, in the order of their codes, and how often each occurs."""
    codes, counts = [np.zeros(0, np.uint32)], [np.zeros(0, np.int64)]
    for clip in clips:
        rgb = clip[clip[..., 3] >= OPAQUE][:, :3].astype(np.uint32)
        code, count = np.unique((rgb[:, 0] << 16) | (rgb[:, 1] << 8) | rgb[:, 2], return_counts=True)
        codes.append(code)
        counts.append(count)
    code, inverse = np.unique(np.concatenate(codes), return_inverse=True)
    total = np.bincount(inverse, weights=np.concatenate(counts), minlength=len(code)).astype(np.int64)
    return np.stack([code >> 16, code >> 8 & 255, code & 255], axis=1).astype(np.uint8), total


def _means(rgb: Palette, count: NDArray[np.int64], colours: int) -> Palette:
    lab, weight = to_oklab(rgb), np.sqrt(count)
    centres = _starts(lab, weight, colours)
    for _ in range(ROUNDS):
        _, owner = cKDTree(centres).query(lab)
        mass = np.bincount(owner, weights=weight, minlength=len(centres))
        sums = np.stack([np.bincount(owner, weights=weight * lab[:, i], minlength=len(centres)) for i in range(3)], 1)
        moved = np.where(mass[:, None] > 0, sums / np.maximum(mass, 1e-12)[:, None], centres)
        step, centres = float(np.abs(moved - centres).max()), moved
        if step < STILL:
            break
    return np.unique(from_oklab(centres), axis=0)


def _starts(lab: Lab, weight: NDArray[np.float64], colours: int) -> Lab:
    picks = [int(weight.argmax())]
    gap = ((lab - lab[picks[0]]) ** 2).sum(axis=1)
    while len(picks) < colours:
        picks.append(int((gap * weight).argmax()))
        gap = np.minimum(gap, ((lab - lab[picks[-1]]) ** 2).sum(axis=1))
    return lab[picks]
