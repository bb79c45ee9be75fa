"""One scene picture taken apart: sky, far, near and ground, each painted on behind what covers it."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ..errors import PictureError, RequestError
from .areas import areas
from .loop import loop_sideways
from .plate import paint_over
from .scene import FACTORS, NAMES, Layer, Name, Scene

UNDER = 0.12
"""How far, as a share of the height, a layer goes on behind the one in front, so that scrolling opens no crack."""

STAND = 0.45
"""Where on the ground's strip, from its top, a character stands."""


def split_scene(
    picture: np.ndarray,
    *,
    horizon: int | None = None,
    depth: np.ndarray | None = None,
    masks: Mapping[Name, np.ndarray] | None = None,
    loops: bool = True,
) -> Scene:
    """Splits uint8 (H, W, 3 or 4) into layers that scroll (R134).

    horizon: y in px where the ground meets what stands on it; None measures it. depth float (H, W), 1 nearest, as
    `depth_of` gives it, tells far from near and the horizon. masks bool (H, W) by layer name: drawn by hand, they
    overrule. loops: make every layer repeat sideways. The first view shows the picture itself, but for the strip at the
    ends of each layer that its loop uses up. Raises `PictureError`, `RequestError`.
    """
    if picture.dtype != np.uint8 or picture.ndim != 3 or picture.shape[2] not in (3, 4) or min(picture.shape[:2]) < 16:
        raise PictureError(f"A scene needs an RGB picture of at least 16 x 16 px; this one is {picture.shape}.")
    height, width = picture.shape[:2]
    rgb = np.ascontiguousarray(picture[..., :3])
    drawn = _checked(masks or {}, (height, width))
    if horizon is not None and not 0 < horizon < height:
        raise RequestError(f"The horizon is a row of the picture, 1 to {height - 1}; got {horizon}.")
    if depth is not None and depth.shape != (height, width):
        raise RequestError(f"The depth is {depth.shape}, the picture {(height, width)}; they must be the same size.")
    label, line = areas(rgb, horizon, depth)
    for number, name in enumerate(NAMES):
        if name in drawn:
            label[drawn[name]] = number
    present = [number for number in range(len(NAMES)) if (label == number).any()]
    layers = [_layer(rgb, label, number, number == present[0], loops) for number in present]
    ground = label == NAMES.index("ground")
    rows = np.nonzero(ground.any(axis=1))[0]
    line = int(rows[0]) if "ground" in drawn and len(rows) else line
    return Scene(width, height, line, round(line + STAND * (height - line)), tuple(layers))


def _layer(rgb: np.ndarray, label: np.ndarray, number: int, last: bool, loops: bool) -> Layer:
    """The layer that is labelled `number`; the last one, behind all others, is painted on over the whole view."""
    import cv2

    height = label.shape[0]
    own = label == number
    wanted = own | (label > number) if last else own | behind(label, number)
    # The outermost pixels of an area are mixed with its neighbour's colours.
    inner = cv2.erode(own.astype(np.uint8), np.ones((5, 5), np.uint8), borderValue=1) > 0
    source = inner if inner.any() else own
    filled = paint_over(rgb, wanted & ~source, source, copies=NAMES[number] != "sky")
    filled = np.where((own & ~_rim(label, number))[..., None], rgb, filled)
    # Its outermost pixel is mixed with what lies behind: it is left out rather than carried along.
    cover = wanted if last else cv2.erode(wanted.astype(np.uint8), np.ones((3, 3), np.uint8), borderValue=1) > 0
    soft = np.clip(2 * cv2.GaussianBlur(cover.astype(np.float32), (0, 0), 0.7) - 0.4, 0, 1)
    alpha = np.ones(own.shape) if last else np.where(cover, soft, 0)
    rows = np.nonzero(wanted.any(axis=1))[0]
    top, bottom = (0, height) if last else (int(rows[0]), int(rows[-1]) + 1)
    art = np.dstack([filled, np.round(255 * alpha).astype(np.uint8)])[top:bottom]
    art = art * (art[..., 3:] > 0)
    name = NAMES[number]
    return Layer(name, loop_sideways(art) if loops else art, FACTORS[name], loops, 0, top)


def behind(label: np.ndarray, number: int) -> np.ndarray:
    """bool (H, W): where layer `number` goes on behind the layers in front of it.

    Its top is a line from column to column, drawn straight where something in front hides it; below the line, and a
    strip farther down than it is seen, the layer goes on.
    """
    from scipy.ndimage import median_filter

    height, width = label.shape
    own = label == number
    columns = np.nonzero(own.any(axis=0))[0]
    top = own.argmax(axis=0)
    above = label[np.maximum(top - 1, 0), np.arange(width)]
    seen = columns[(top[columns] == 0) | (above[columns] < number)]
    bottom = int(np.nonzero(own.any(axis=1))[0][-1]) + max(2, round(UNDER * height))
    y = np.arange(height)[:, None]
    if NAMES[number] == "near" or not len(seen):
        # What stands alone, such as a tree, goes on downwards only.
        reach = max(2, round(UNDER * height))
        foot = own & np.pad(label[1:] > number, ((0, 1), (0, 0)))
        total = np.pad(foot.cumsum(axis=0), ((reach, 0), (0, 0)))
        return np.asarray((total[reach:] - total[:-reach] > 0) & (label > number))
    line = median_filter(np.interp(np.arange(width), seen, top[seen]), max(3, width // 60), mode="nearest")
    return np.asarray((y >= line[None]) & (y <= bottom) & (label > number))


def _rim(label: np.ndarray, number: int) -> np.ndarray:
    """bool (H, W): the outermost two pixels of an area where it meets one in front."""
    import cv2

    return cv2.dilate((label > number).astype(np.uint8), np.ones((5, 5), np.uint8)) > 0


def _checked(masks: Mapping[Name, np.ndarray], shape: tuple[int, int]) -> dict[Name, np.ndarray]:
    for name, mask in masks.items():
        if name not in NAMES:
            raise RequestError(f"There is no layer {name!r}. Use one of: {', '.join(NAMES)}.")
        if mask.shape != shape:
            raise RequestError(f"The mask of {name} is {mask.shape}, the picture {shape}; paint it on this picture.")
    return {name: mask.astype(bool) for name, mask in masks.items()}
