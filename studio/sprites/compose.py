"""Pixels onto pages: slots filled, edges extruded, colour bled; and frames taken back off a page."""

from collections.abc import Sequence

import numpy as np

from studio.sprites.frames import Frames, zero_hidden
from studio.sprites.layout import Layout
from studio.sprites.trim import Box, bleed, crop


def pages(pieces: Sequence[Frames], boxes: Sequence[Box], layout: Layout, extrude: int, reach: int) -> list[Frames]:
    """Draw each ``(h, w, 4)`` piece into its box on its page; a larger box enlarges it by whole pixels.

    `extrude` repeats the outermost pixels outwards so that filtering never fetches a neighbour's colour; `reach`
    is the distance of `trim.bleed`.
    """
    sheets = [np.zeros((height, width, 4), np.uint8) for width, height in layout.pages]
    drawn: set[tuple[int, Box]] = set()
    for piece, box, slot in zip(pieces, boxes, layout.slots, strict=True):
        if (slot.page, box) in drawn:
            continue  # an equal picture already lies there
        drawn.add((slot.page, box))
        scale = box.w // piece.shape[1]
        edged = piece.repeat(scale, axis=0).repeat(scale, axis=1)
        edged = np.pad(edged, ((extrude, extrude), (extrude, extrude), (0, 0)), mode="edge")
        top, left = box.y - extrude, box.x - extrude
        sheets[slot.page][top : top + edged.shape[0], left : left + edged.shape[1]] = edged
    return [bleed(sheet, reach) if reach else sheet for sheet in sheets]


def taken(page: Frames, box: Box, offset: tuple[int, int], cell: tuple[int, int]) -> Frames:
    """The full ``(H, W, 4)`` frame whose trimmed pixels lie in `box` of `page`; hidden RGB is 0 again."""
    out = np.zeros((cell[1], cell[0], 4), np.uint8)
    x, y = offset
    out[y : y + box.h, x : x + box.w] = zero_hidden(crop(page, box))
    return out
