"""The artist's brush: what is certainly figure, what is certainly background."""

from __future__ import annotations

import numpy as np

from ..errors import PictureError

BACKGROUND = 1
FIGURE = 2


def checked(strokes: np.ndarray | None, shape: tuple[int, int]) -> np.ndarray | None:
    """Strokes uint8 (H, W) of 0 none, 1 background, 2 figure; `PictureError` when they do not fit the picture."""
    if strokes is None or not strokes.any():
        return None
    if strokes.shape != shape:
        raise PictureError(
            f"The strokes are {strokes.shape[1]} x {strokes.shape[0]} px, the picture {shape[1]} x {shape[0]} px. "
            "Paint them again on this picture."
        )
    if strokes.max() > FIGURE:
        raise PictureError(f"Strokes hold 0 (none), 1 (background) or 2 (figure); found {int(strokes.max())}.")
    return strokes.astype(np.uint8)


def resized(strokes: np.ndarray | None, height: int, width: int) -> np.ndarray | None:
    """The strokes at another resolution; thin strokes are never lost to the reduction."""
    import cv2

    if strokes is None or strokes.shape == (height, width):
        return strokes
    out = np.zeros((height, width), np.uint8)
    for value in (BACKGROUND, FIGURE):
        cover = cv2.resize((strokes == value).astype(np.float32), (width, height), interpolation=cv2.INTER_AREA)
        out[cover > 0.05] = value
    return out
