"""The outline that an artist puts around a figure: how wide, and in which colour."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from .lines import LINE, drawn_lines

OUTLINED = 0.6
"""Share of the silhouette that must run along a dark line for the art to count as outlined."""


@dataclass(frozen=True)
class Outline:
    """A line of one colour along the silhouette."""

    width: float
    """Pixels."""
    colour: tuple[float, float, float]
    """sRGB in 0..1."""


def outline_of(art: np.ndarray, tall: float) -> Outline | None:
    """Outline of uint8 straight RGBA art with a body `tall` pixels high, or None where there is none."""
    solid = art[..., 3] > 127
    depth = cv2.distanceTransform(np.pad(solid, 1).astype(np.uint8), cv2.DIST_L2, 5)[1:-1, 1:-1]
    lines = drawn_lines(art, tall)
    last = max(2, round(2 * LINE * tall))
    dark = [float(lines[(depth > d) & (depth <= d + 1)].mean()) if (depth > d).any() else 0.0 for d in range(last + 1)]
    peak = max(dark)
    if peak < OUTLINED:
        return None
    width = next((d for d in range(dark.index(peak), last + 1) if dark[d] < 0.5 * peak), last)
    rim = lines & (depth <= width)
    red, green, blue = (float(value) / 255 for value in np.median(art[rim][:, :3], axis=0))
    return Outline(float(max(width, 1)), (red, green, blue))
