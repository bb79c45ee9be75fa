"""Cutting the empty border off a frame, and colour under the transparent pixels next to an edge."""

from dataclasses import dataclass

import numpy as np

from studio.sprites.frames import Frames


@dataclass(frozen=True)
class Box:
    """A rectangle in whole pixels; y points down."""

    x: int
    y: int
    w: int
    h: int

    @property
    def area(self) -> int:
        return self.w * self.h


def visible_box(frame: Frames) -> Box:
    """Smallest box around every pixel of ``(H, W, 4)`` with alpha above 0.

    An empty frame gives the 1x1 box at (0, 0): engines cannot draw a rectangle of size zero, and dropping the
    frame would shift every tag behind it.
    """
    alpha = frame[..., 3] > 0
    rows = np.flatnonzero(alpha.any(axis=1))
    if rows.size == 0:
        return Box(0, 0, 1, 1)
    columns = np.flatnonzero(alpha.any(axis=0))
    left, top = int(columns[0]), int(rows[0])
    return Box(left, top, int(columns[-1]) - left + 1, int(rows[-1]) - top + 1)


def crop(frame: Frames, box: Box) -> Frames:
    """The pixels of ``(H, W, 4)`` inside `box`."""
    return frame[box.y : box.y + box.h, box.x : box.x + box.w]


def bleed(picture: Frames, reach: int) -> Frames:
    """Give transparent pixels within `reach` px of a visible one its colour; alpha stays 0.

    Filtering engines average colour and alpha apart, so black under alpha 0 draws a dark halo (field report 18).
    Only for files: inside this package RGB stays 0 there. ``(H, W, 4)`` in and out.
    """
    out = picture.copy()
    box = visible_box(picture)
    rows = slice(max(box.y - reach, 0), box.y + box.h + reach)
    columns = slice(max(box.x - reach, 0), box.x + box.w + reach)
    _grow(out[rows, columns], reach)  # nothing changes farther away
    return out


def _grow(near: Frames, reach: int) -> None:
    """Spread the colours of ``(H, W, 4)`` in place, one ring of neighbours at a time."""
    height, width, _ = near.shape
    known = near[..., 3] > 0
    for _ in range(reach):
        source, grown = near[..., :3].copy(), known.copy()
        for dy, dx in ((0, 1), (0, -1), (1, 0), (-1, 0), (1, 1), (1, -1), (-1, 1), (-1, -1)):
            to, frm = _shifted(height, dy), _shifted(height, -dy)
            to_x, frm_x = _shifted(width, dx), _shifted(width, -dx)
            fresh = known[frm, frm_x] & ~grown[to, to_x]
            near[to, to_x, :3][fresh] = source[frm, frm_x][fresh]
            grown[to, to_x] |= fresh
        known = grown


def _shifted(size: int, by: int) -> slice:
    return slice(max(by, 0), size + min(by, 0))
