"""Light, smoke and glass: nothing in them is solid, so every pixel is unmixed and not the edge alone."""

from __future__ import annotations

import numpy as np

from ..errors import PictureError


def colour_to_alpha(rgb: np.ndarray, key: np.ndarray, floor: float = 0.0) -> tuple[np.ndarray, np.ndarray]:
    """The least alpha that explains uint8 (H, W, 3) over the key float32 (H, W, 3), and the colour that goes with it.

    Solves `seen = alpha * F + (1 - alpha) * K` (Porter and Duff 1984) with F as far from K as sRGB allows, so that an
    effect is as see-through as it can be. floor 0..255: a distance to the key that is grain. Returns rgb uint8
    (H, W, 3) and alpha float32 (H, W) 0..1; composed over the key again they give the picture back.
    """
    seen = rgb.astype(np.float32)
    span = seen - key
    room = np.where(span > 0, 255 - key, key)
    alpha = (np.abs(span) / np.maximum(room, 1)).max(axis=2)
    # A flat key's grain would be a veil over the whole frame.
    alpha = np.where(np.abs(span).max(axis=2) <= floor, 0, np.clip(alpha, 0, 1)).astype(np.float32)
    figure = key + span / np.maximum(alpha, 1 / 255)[..., None]
    return np.round(np.clip(figure, 0, 255)).astype(np.uint8), alpha


def difference_matte(on_black: np.ndarray, on_white: np.ndarray) -> np.ndarray:
    """uint8 (..., 4) straight alpha of what was rendered twice, uint8 (..., 3) each: over black and over white.

    `white - black = 255 * (1 - alpha)` in every channel (Smith and Blinn 1996, triangulation); exact to a rounding
    step. Raises `PictureError` where the two cannot be the same picture.
    """
    if on_black.shape != on_white.shape or on_black.shape[-1] != 3:
        raise PictureError(
            f"The render on black is {on_black.shape}, the one on white {on_white.shape}; both must be RGB, same size."
        )
    black, white = on_black.astype(np.float32), on_white.astype(np.float32)
    through = (white - black) / 255
    if (through < -0.1).mean() > 0.01:
        raise PictureError("The render on white is darker than the one on black. Swap the two, or render both again.")
    alpha = np.clip(1 - through.mean(axis=-1), 0, 1)
    figure = black / np.maximum(alpha, 1 / 255)[..., None]
    out = np.concatenate([np.clip(figure, 0, 255), alpha[..., None] * 255], axis=-1)
    out = np.round(out).astype(np.uint8)
    return out * (out[..., 3:] > 0)
