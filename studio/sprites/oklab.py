"""OKLab: the colour space in which equal distances look equal (Ottosson 2020, bottosson.github.io/posts/oklab)."""

import numpy as np
from numpy.typing import NDArray

Lab = NDArray[np.float64]
"""``(..., 3)``: lightness 0 (black) to 1 (white), then the two colour axes, about -0.4 to 0.4, 0 for greys."""

_TO_CONES = np.array(
    [
        [0.4122214708, 0.5363325363, 0.0514459929],
        [0.2119034982, 0.6806995451, 0.1073969566],
        [0.0883024619, 0.2817188376, 0.6299787005],
    ]
)
_TO_LAB = np.array(
    [
        [0.2104542553, 0.7936177850, -0.0040720468],
        [1.9779984951, -2.4285922050, 0.4505937099],
        [0.0259040371, 0.7827717662, -0.8086757660],
    ]
)
_FROM_CONES, _FROM_LAB = np.linalg.inv(_TO_CONES), np.linalg.inv(_TO_LAB)


def to_oklab(rgb: NDArray[np.uint8]) -> Lab:
    """OKLab of ``(..., 3)`` sRGB."""
    value = np.arange(256) / 255.0
    linear = np.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4)
    return np.asarray(np.cbrt(linear[rgb] @ _TO_CONES.T) @ _TO_LAB.T)


def from_oklab(lab: Lab) -> NDArray[np.uint8]:
    """The nearest ``(..., 3)`` sRGB; a colour that no screen can show is cut to 0..255 per channel."""
    linear = np.clip((lab @ _FROM_LAB.T) ** 3 @ _FROM_CONES.T, 0.0, 1.0)
    value = np.where(linear <= 0.0031308, linear * 12.92, 1.055 * linear ** (1 / 2.4) - 0.055)
    return np.rint(value * 255.0).astype(np.uint8)
