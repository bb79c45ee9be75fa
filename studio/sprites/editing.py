"""Carries out the operations of `edits` on a clip: pure, the same input gives the same bytes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import singledispatch
from typing import Any

import numpy as np
from PIL import Image, ImageDraw

from studio.sprites import dither, loop, timing
from studio.sprites.align import place
from studio.sprites.edits import (
    MOST_FRAMES,
    Brush,
    Delete,
    Duplicate,
    Edit,
    EditError,
    Hold,
    KeyFrames,
    Mirror,
    Move,
    Nudge,
    PaletteLock,
    PingPong,
    Retime,
)
from studio.sprites.frames import Frames, checked, zero_hidden

Times = tuple[int, ...]


@dataclass(frozen=True)
class Strip:
    """A clip in the middle of its edits, and where each of its frames comes from."""

    frames: Frames
    """``(T, H, W, 4)``"""
    times: Times
    """One duration in ms per frame."""
    sources: Times
    """The drawn frame, from 0, behind each frame."""
    places: tuple[tuple[int, int, int], ...]
    """(side, x, y) per frame: a point (px, py) of the drawing now lies at (side * px + x, py + y); side -1 mirrors."""

    def picked(self, order: Sequence[int], times: Times | None = None) -> Strip:
        """The frames of `order`, with their times unless others are given."""
        held = tuple(self.times[n] for n in order) if times is None else times
        sources, places = tuple(self.sources[n] for n in order), tuple(self.places[n] for n in order)
        return Strip(self.frames[list(order)], held, sources, places)

    def redrawn(self, number: int, drawing: Frames) -> Strip:
        """One frame ``(H, W, 4)`` exchanged."""
        out = self.frames.copy()
        out[number] = zero_hidden(drawing)
        return replace(self, frames=out)

    def placed(self, number: int, side: int, x: int, y: int) -> Strip:
        """Note that one frame was mirrored (side -1) and then moved."""
        before = self.places[number]
        after = (side * before[0], side * before[1] + x, before[2] + y)
        return replace(self, places=(*self.places[:number], after, *self.places[number + 1 :]))


def apply(frames: Frames, durations_ms: Sequence[int], edits: Sequence[Edit]) -> tuple[Frames, Times]:
    """The clip after `edits`, in their order; the input stays as it is. Raises EditError or TimingError."""
    strip = traced(frames, durations_ms, edits)
    return strip.frames, strip.times


def traced(frames: Frames, durations_ms: Sequence[int], edits: Sequence[Edit]) -> Strip:
    """`apply` that also tells where every frame comes from: what lies on the drawing moves along with it."""
    times = timing.checked_durations(durations_ms, len(checked(frames)))
    strip = Strip(frames, times, tuple(range(len(frames))), ((1, 0, 0),) * len(frames))
    limit = max(MOST_FRAMES, len(frames))
    for edit in edits:
        number, count = getattr(edit, "frame", 0), len(strip.frames)
        if number >= count:
            raise EditError(f"There is no frame {number}; the clip has {count}, counted from 0. Undo the edit.")
        strip = _done(edit, strip)
        if len(strip.frames) > limit:
            raise EditError(f"The clip would have {len(strip.frames)} frames; keep it to {limit}.")
    return strip


@singledispatch
def _done(edit: Any, strip: Strip) -> Strip:
    raise EditError(f"There is no edit {type(edit).__name__}.")


@_done.register
def _(edit: Delete, strip: Strip) -> Strip:
    count = len(strip.frames)
    if count == 1:
        raise EditError("A clip keeps at least one frame; delete the clip instead.")
    return strip.picked([n for n in range(count) if n != edit.frame])


@_done.register
def _(edit: Duplicate, strip: Strip) -> Strip:
    return strip.picked(sorted([*range(len(strip.frames)), edit.frame]))


@_done.register
def _(edit: Move, strip: Strip) -> Strip:
    count = len(strip.frames)
    if edit.to >= count:
        raise EditError(f"Frame {edit.frame} cannot become number {edit.to}; the clip has {count}, from 0.")
    order = [n for n in range(count) if n != edit.frame]
    return strip.picked([*order[: edit.to], edit.frame, *order[edit.to :]])


@_done.register
def _(edit: Hold, strip: Strip) -> Strip:
    held = min(max(strip.times[edit.frame] + edit.ms, 1), 65535)
    return replace(strip, times=(*strip.times[: edit.frame], held, *strip.times[edit.frame + 1 :]))


@_done.register
def _(edit: Nudge, strip: Strip) -> Strip:
    height, width = strip.frames.shape[1:3]
    moved = place(strip.frames[edit.frame], width, height, edit.x, edit.y)
    return strip.redrawn(edit.frame, moved).placed(edit.frame, 1, edit.x, edit.y)


@_done.register
def _(edit: Mirror, strip: Strip) -> Strip:
    turned = strip.redrawn(edit.frame, strip.frames[edit.frame, :, ::-1])
    return turned.placed(edit.frame, -1, strip.frames.shape[2], 0)


@_done.register
def _(edit: Brush, strip: Strip) -> Strip:
    height, width = strip.frames.shape[1:3]
    mask = Image.new("1", (width, height))
    pen = ImageDraw.Draw(mask)
    if edit.size > 1 and len(edit.points) > 1:
        pen.line(edit.points, fill=1, width=edit.size)
    elif len(edit.points) > 1:
        pen.line(edit.points, fill=1)
    low = edit.size // 2
    for x, y in edit.points:
        pen.ellipse((x - low, y - low, x - low + edit.size - 1, y - low + edit.size - 1), fill=1)
    drawing = strip.frames[edit.frame].copy()
    drawing[np.asarray(mask)] = (0, 0, 0, 0) if edit.colour is None else (*edit.colour, 255)
    return strip.redrawn(edit.frame, drawing)


@_done.register
def _(edit: Retime, strip: Strip) -> Strip:
    return _shown(strip, timing.on(edit.step, strip.times))


@_done.register
def _(edit: KeyFrames, strip: Strip) -> Strip:
    keys = timing.key_frames(strip.frames, min(edit.count, len(strip.frames)), edit.loop)
    return _shown(strip, timing.kept(keys, strip.times))


@_done.register
def _(edit: PingPong, strip: Strip) -> Strip:
    return strip.picked(loop.ping_pong_order(len(strip.frames)))


@_done.register
def _(edit: PaletteLock, strip: Strip) -> Strip:
    return replace(strip, frames=dither.locked(strip.frames, np.array(edit.colours, np.uint8), edit.dither))


def _shown(strip: Strip, shown: timing.Timing) -> Strip:
    return strip.picked(shown.picks, timing.checked_durations(shown.durations_ms, len(shown.picks)))
