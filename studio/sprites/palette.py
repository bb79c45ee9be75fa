"""One palette for all frames of all actions: per-frame palettes make flat colours flicker (field report 33)."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from PIL import Image
from scipy.spatial import cKDTree

from studio.sprites.errors import FramesError
from studio.sprites.frames import OPAQUE, Frames

Palette = NDArray[np.uint8]
"""``(N, 3)`` sRGB, N from 1 to 256, never padded: padding would add a black that wins the nearest-colour search."""

SAMPLES = 1_000_000
"""Pixels that the median cut looks at; of more, every k-th counts."""


def shared_palette(clips: Sequence[Frames], colours: int) -> Palette:
    """At most `colours` (1 to 256) colours for all opaque pixels of all clips.

    Exact, in a fixed order, when the art has no more colours than that; else Pillow's median cut.
    """
    if not 1 <= colours <= 256:
        raise FramesError(f"A palette of {colours} colours cannot be made; use 1 to 256.")
    seen = [clip[clip[..., 3] >= OPAQUE][:, :3] for clip in clips]
    pixels = np.concatenate(seen) if seen else np.zeros((0, 3), np.uint8)
    if len(pixels) == 0:
        return np.zeros((1, 3), np.uint8)
    exact = np.unique(_packed(pixels))
    if len(exact) <= colours:
        return _unpacked(exact)
    sample = pixels[:: len(pixels) // SAMPLES + 1]
    picture = Image.fromarray(sample[None], "RGB").quantize(colours, Image.Quantize.MEDIANCUT)
    flat = np.array(picture.getpalette("RGB"), np.uint8).reshape(-1, 3)
    return _unpacked(np.unique(_packed(flat[np.unique(np.asarray(picture))])))


def indexed(frames: Frames, palette: Palette) -> NDArray[np.uint8]:
    """``(T, H, W)`` numbers of the nearest palette colour of every pixel; alpha is not looked at."""
    colours, inverse = np.unique(_packed(frames[..., :3].reshape(-1, 3)), return_inverse=True)
    _, nearest = cKDTree(palette.astype(np.float64)).query(_unpacked(colours).astype(np.float64))
    out: NDArray[np.uint8] = nearest.astype(np.uint8)[inverse].reshape(frames.shape[:3])
    return out


def _packed(rgb: NDArray[np.uint8]) -> NDArray[np.uint32]:
    wide = rgb.astype(np.uint32)
    codes = (wide[:, 0] << 16) | (wide[:, 1] << 8) | wide[:, 2]
    return codes.astype(np.uint32)


def _unpacked(codes: NDArray[np.uint32]) -> Palette:
    return np.stack([codes >> 16, codes >> 8 & 255, codes & 255], axis=1).astype(np.uint8)
