"""The one pixel format of this package, checked once at each door."""

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from studio.sprites.errors import FramesError

Frames = NDArray[np.uint8]
"""``(T, H, W, 4)`` sRGB, straight alpha, RGB 0 where alpha is 0."""

Mask = NDArray[np.bool_]

OPAQUE = 128
"""Alpha from which a pixel counts as body rather than as soft edge."""

SPECK = 0.01
"""Parts smaller than this share of the largest part are matte dirt, not body."""


def checked(frames: NDArray[np.uint8], what: str = "The clip") -> Frames:
    """Return `frames` unchanged if they are ``uint8 (T, H, W, 4)`` with at least one pixel, else raise FramesError."""
    if not isinstance(frames, np.ndarray) or frames.dtype != np.uint8:
        kind = getattr(frames, "dtype", type(frames).__name__)
        raise FramesError(f"{what} has pixels of type {kind}; convert them to 8 bits per channel (uint8) first.")
    if frames.ndim != 4 or frames.shape[3] != 4:
        raise FramesError(f"{what} has the shape {frames.shape}; it must be (frames, height, width, 4) with alpha.")
    if 0 in frames.shape:
        raise FramesError(f"{what} has no pixels (shape {frames.shape}); give it at least one frame of 1x1 px.")
    return frames


def zero_hidden(frames: Frames) -> Frames:
    """Set RGB to 0 wherever alpha is 0, so that equal looks are equal bytes. Any leading shape ``(..., 4)``."""
    return np.where(frames[..., 3:] == 0, np.uint8(0), frames)


def premultiplied(frames: Frames) -> NDArray[np.float32]:
    """``(..., 4)`` float32 in 0..255 with RGB scaled by alpha: the space in which pixels may be averaged."""
    out = frames.astype(np.float32)
    out[..., :3] *= out[..., 3:] / 255.0
    return out


def straight(pixels: NDArray[np.float32]) -> Frames:
    """Inverse of `premultiplied`, rounded to uint8, RGB 0 where alpha rounds to 0."""
    alpha = np.clip(pixels[..., 3:], 0.0, 255.0)
    rgb = pixels[..., :3] * 255.0 / np.maximum(alpha, 1e-6)
    out = np.rint(np.clip(np.concatenate([rgb, alpha], axis=-1), 0.0, 255.0)).astype(np.uint8)
    return zero_hidden(out)


def body(frame: Frames) -> Mask:
    """``(H, W)`` mask of one ``(H, W, 4)`` frame without specks: parts under `SPECK` of the largest are dropped."""
    mask = frame[..., 3] >= OPAQUE
    labels, count = ndimage.label(mask, structure=np.ones((3, 3), int))
    if count < 2:
        return mask
    sizes = np.bincount(labels.ravel())
    sizes[0] = 0
    kept: Mask = (sizes >= SPECK * sizes.max())[labels] & mask
    return kept
