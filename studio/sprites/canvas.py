"""One canvas and one scale for all actions of a character, by reach from the anchor."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from PIL import Image

from studio.sprites.align import place
from studio.sprites.errors import FramesError
from studio.sprites.frames import Frames, checked, premultiplied, straight
from studio.sprites.trim import visible_box


@dataclass(frozen=True)
class Reach:
    """How far the drawing extends from its anchor over all frames, in px, never negative."""

    left: int
    up: int
    right: int
    down: int


def reach(frames: Frames, anchor: tuple[int, int]) -> Reach:
    """The `Reach` of ``(T, H, W, 4)`` from `anchor` (x, y)."""
    box = visible_box(checked(frames).max(axis=0))
    x, y = anchor
    return Reach(max(x - box.x, 0), max(y - box.y, 0), max(box.x + box.w - x, 0), max(box.y + box.h - y, 0))


def widest(reaches: Sequence[Reach]) -> Reach:
    """The reach that holds all of `reaches`."""
    if not reaches:
        raise FramesError("There is no action to measure; add at least one.")
    return Reach(*(max(getattr(r, side) for r in reaches) for side in ("left", "up", "right", "down")))


def fit_scale(needed: Reach, cell: tuple[int, int], anchor: tuple[int, int]) -> float:
    """The one factor (at most 1) with which `needed` fits a cell of (width, height) around `anchor`."""
    room = (anchor[0], anchor[1], cell[0] - anchor[0], cell[1] - anchor[1])
    pairs = zip(room, (needed.left, needed.up, needed.right, needed.down), strict=True)
    return min([1.0, *(have / need for have, need in pairs if need > 0)])


def common_canvas(
    clips: Sequence[Frames], anchors: Sequence[tuple[int, int]], margin: int = 0
) -> tuple[list[Frames], tuple[int, int]]:
    """Put every clip on one smallest canvas with all anchors on one point; returns the clips and that point."""
    need = widest([reach(clip, anchor) for clip, anchor in zip(clips, anchors, strict=True)])
    x, y = need.left + margin, need.up + margin
    width, height = max(x + need.right + margin, 1), max(y + need.down + margin, 1)
    moved = [
        np.stack([place(frame, width, height, x - ax, y - ay) for frame in clip])
        for clip, (ax, ay) in zip(clips, anchors, strict=True)
    ]
    return moved, (x, y)


def resized(frames: Frames, scale: float, pixel_art: bool = False) -> Frames:
    """Resample ``(T, H, W, 4)`` by one factor: nearest for pixel art, else Lanczos on premultiplied colour."""
    count, height, width, _ = checked(frames).shape
    if scale <= 0:
        raise FramesError(f"The scale {scale} is not a size; use a number above 0, for example 0.5.")
    size = (max(round(width * scale), 1), max(round(height * scale), 1))
    if pixel_art:
        shrunk = [Image.fromarray(f, "RGBA").resize(size, Image.Resampling.NEAREST) for f in frames]
        return np.stack([np.asarray(picture) for picture in shrunk])
    out = np.empty((count, size[1], size[0], 4), np.uint8)
    for t, frame in enumerate(frames):
        planes = np.moveaxis(premultiplied(frame), -1, 0)
        bands = [Image.fromarray(plane).resize(size, Image.Resampling.LANCZOS) for plane in planes]
        out[t] = straight(np.stack([np.asarray(band) for band in bands], axis=-1))
    return out
