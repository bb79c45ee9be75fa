"""The drawn lines of the art: thin and dark."""

from __future__ import annotations

import cv2
import numpy as np

LINE = 0.016
"""Widest outline, as a share of the body's height."""


def drawn_lines(art: np.ndarray, tall: float) -> np.ndarray:
    """bool (H, W): thin dark lines (black-hat of the luminance), the outlines of the art."""
    grey = cv2.cvtColor(np.ascontiguousarray(art[..., :3]), cv2.COLOR_RGB2GRAY)
    # Outside counts as bright, or the outline along the silhouette would not be thin.
    grey = np.where(art[..., 3] > 127, grey, 255).astype(np.uint8)
    size = 2 * max(1, round(LINE * tall)) + 1
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size))
    hat = cv2.morphologyEx(grey, cv2.MORPH_BLACKHAT, kernel)
    return (hat > 30) & (grey < 95) & (art[..., 3] > 127)
