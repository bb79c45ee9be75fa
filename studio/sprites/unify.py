"""One anchor, one scale and one canvas for all actions of a character: no pop when the game changes the action."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from studio.sprites.align import Mode, place, register
from studio.sprites.canvas import Reach, resized, widest
from studio.sprites.errors import FramesError
from studio.sprites.frames import Frames
from studio.sprites.trim import visible_box

Offsets = tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Unified:
    """All clips of a character, ready for one sheet."""

    clips: tuple[Frames, ...]
    """Each ``(T, H, W, 4)`` on the same canvas."""
    anchor: tuple[int, int]
    """Where the soles stand below the core, in px of that canvas; the pivot of every action."""
    scale: float
    """What all clips were resized by; 1 unless a cell was asked for and too small."""


def unify(
    clips: Sequence[Frames],
    modes: Sequence[Mode] | None = None,
    cell: tuple[int, int] | None = None,
    margin: int = 2,
    pixel_art: bool = False,
) -> Unified:
    """Register every clip (`modes`: in_place unless given) and bring all to one anchor, scale and canvas.

    Without `cell` the canvas is the smallest that holds every action plus `margin` px. With `cell` (width, height)
    everything is shrunk by one factor until the action that reaches furthest fits, never enlarged; it stands on the
    cell's bottom margin, in its middle. Nothing is cut. Raises FramesError for no clips or a cell without room.
    """
    modes = modes or ["in_place"] * len(clips)
    if len(modes) != len(clips):
        raise FramesError(f"{len(clips)} clips and {len(modes)} modes do not pair up; give one mode per clip.")
    moves = [register(clip, (0, 0), mode).offsets for clip, mode in zip(clips, modes, strict=True)]
    free = together(clips, moves, margin=0 if cell else margin)
    if cell is None:
        return free
    room = (cell[0] - 2 * margin, cell[1] - 2 * margin)
    if min(room) < 1:
        raise FramesError(f"A cell of {cell[0]}x{cell[1]} px has no room inside a margin of {margin} px.")
    height, width = free.clips[0].shape[1:3]
    scale = min(1.0, room[0] / width, room[1] / height)
    small = free.clips if scale == 1.0 else [resized(clip, scale, pixel_art) for clip in free.clips]
    tall, wide = small[0].shape[1:3]
    left, top = (cell[0] - wide) // 2, cell[1] - margin - tall
    fitted = tuple(np.stack([place(frame, *cell, left, top) for frame in clip]) for clip in small)
    return Unified(fitted, (left + round(free.anchor[0] * scale), top + round(free.anchor[1] * scale)), scale)


def together(clips: Sequence[Frames], moves: Sequence[Offsets], margin: int = 0, least: Reach | None = None) -> Unified:
    """Every frame moved by its (x, y) in px, which brings its anchor to (0, 0), on the smallest canvas for all.

    `least` is a reach that the canvas has at least: the character's own cell, which then only grows where an action
    reaches beyond it.
    """
    needs = [_reach(clip, offsets) for clip, offsets in zip(clips, moves, strict=True)]
    need = widest([*needs, least] if least else needs)
    width, height = need.left + need.right + 2 * margin, need.up + need.down + 2 * margin
    x, y = need.left + margin, need.up + margin
    out = [
        np.stack([place(f, width, height, x + dx, y + dy) for f, (dx, dy) in zip(clip, offsets, strict=True)])
        for clip, offsets in zip(clips, moves, strict=True)
    ]
    return Unified(tuple(out), (x, y), 1.0)


def _reach(clip: Frames, offsets: Offsets) -> Reach:
    """How far a clip extends from the anchor once moved; at least 1 px each way, so an empty clip has a canvas."""
    sides = []
    for frame, (dx, dy) in zip(clip, offsets, strict=True):
        box = visible_box(frame)
        x, y = box.x + dx, box.y + dy
        sides.append(Reach(max(-x, 0), max(-y, 1), max(x + box.w, 1), max(y + box.h, 0)))
    return widest(sides)
