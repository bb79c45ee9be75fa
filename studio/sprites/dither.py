"""Frames locked to a palette: plainly, with an ordered pattern, or with the error passed on."""

from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import cKDTree

from studio.sprites.errors import PaletteError
from studio.sprites.frames import Frames, checked
from studio.sprites.oklab import Lab, to_oklab
from studio.sprites.palette import Palette

Dither = Literal["none", "ordered", "error"]

BAYER = (np.array([[0, 8, 2, 10], [12, 4, 14, 6], [3, 11, 1, 9], [15, 7, 13, 5]], np.float64) + 0.5) / 16 - 0.5
"""Bayer's 4x4 threshold matrix (1973), -0.5 to 0.5: the pattern that pixel artists lay by hand."""

SPREAD = ((0, 1, 7 / 16), (1, -1, 3 / 16), (1, 0, 5 / 16), (1, 1, 1 / 16))
"""Floyd and Steinberg (1976): (down, right, share) of the error that each neighbour takes."""


def locked(frames: Frames, palette: Palette, dither: Dither = "none", strength: float = 1.0) -> Frames:
    """``(T, H, W, 4)`` whose every visible pixel has a colour of `palette` ``(N, 3)``, nearest in OKLab; alpha stays.

    ``ordered`` is fixed to the canvas, so a body that stands still never shimmers: the choice for animation.
    ``error`` is smoother on a still picture; what moves changes its grain from frame to frame. Both work within
    one frame and inside the body only. `strength` 0 to 1 weakens the pattern.
    """
    checked(frames)
    if palette.ndim != 2 or palette.shape[1:] != (3,) or not 1 <= len(palette) <= 256:
        raise PaletteError(
            f"The palette has the shape {palette.shape}; it must be 1 to 256 colours of red, green, blue."
        )
    if not 0.0 <= strength <= 1.0:
        raise PaletteError(f"The dither strength {strength} is not usable; use 0 (none) to 1 (full).")
    if dither not in ("none", "ordered", "error"):
        raise PaletteError(f"The dither '{dither}' is unknown; use none, ordered or error.")
    tree = cKDTree(to_oklab(palette))
    out = np.zeros_like(frames)
    for t, frame in enumerate(frames):
        seen = frame[..., 3] > 0
        lab = to_oklab(frame[..., :3])
        if dither == "error":
            picks = _diffused(lab, seen, tree, strength)[seen]
        else:
            rows, columns = np.nonzero(seen)
            wanted = lab[seen]
            if dither == "ordered" and len(palette) > 1:
                wanted = wanted + (BAYER[rows % 4, columns % 4] * strength)[:, None] * _gap(wanted, tree)
            picks = tree.query(wanted)[1]
        out[t, seen, :3] = palette[picks]
        out[t, ..., 3] = frame[..., 3]
    return out


def _gap(wanted: Lab, tree: cKDTree) -> Lab:
    """From the nearest palette colour to the second nearest: a pattern may mix these two, never a third.

    Zero where the colour is in the palette, so flat areas of the character stay flat.
    """
    distance, near = tree.query(wanted, k=2)
    step = tree.data[near[:, 1]] - tree.data[near[:, 0]]
    return np.asarray(np.where(distance[:, :1] > 1e-9, step, 0.0))


def _diffused(lab: Lab, seen: NDArray[np.bool_], tree: cKDTree, strength: float) -> NDArray[np.int64]:
    height, width = seen.shape
    rest = np.zeros((height + 1, width + 2, 3))
    picks = np.zeros((height, width), np.int64)
    for y, x in zip(*np.nonzero(seen), strict=True):
        wanted = lab[y, x] + rest[y, x + 1]
        _, near = tree.query(wanted)
        picks[y, x] = near
        error = (wanted - tree.data[near]) * strength
        for down, right, share in SPREAD:
            rest[y + down, x + 1 + right] += error * share
    return picks
