"""Carries out the operations of `edits` on a clip: pure, the same input gives the same bytes."""

from __future__ import annotations

from collections.abc import Sequence
from functools import singledispatch
from typing import Any

import numpy as np
from PIL import Image, ImageDraw

from studio.sprites import dither, loop, timing
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

Strip = tuple[Frames, tuple[int, ...]]
"""``(T, H, W, 4)`` and one duration in ms per frame."""


def apply(frames: Frames, durations_ms: Sequence[int], edits: Sequence[Edit]) -> Strip:
    """The clip after `edits`, in their order; the input stays as it is. Raises EditError or TimingError."""
    times = timing.checked_durations(durations_ms, len(checked(frames)))
    limit = max(MOST_FRAMES, len(frames))
    for edit in edits:
        number = getattr(edit, "frame", 0)
        if number >= len(frames):
            raise EditError(f"There is no frame {number}; the clip has {len(frames)}, counted from 0. Undo the edit.")
        frames, times = _done(edit, frames, times)
        if len(frames) > limit:
            raise EditError(f"The clip would have {len(frames)} frames; keep it to {limit}.")
    return frames, times


@singledispatch
def _done(edit: Any, frames: Frames, times: tuple[int, ...]) -> Strip:
    raise EditError(f"There is no edit {type(edit).__name__}.")


def _picked(frames: Frames, times: tuple[int, ...], order: Sequence[int]) -> Strip:
    return frames[list(order)], tuple(times[n] for n in order)


def _redrawn(frames: Frames, number: int, drawing: Frames) -> Frames:
    out = frames.copy()
    out[number] = zero_hidden(drawing)
    return out


@_done.register
def _(edit: Delete, frames: Frames, times: tuple[int, ...]) -> Strip:
    if len(frames) == 1:
        raise EditError("A clip keeps at least one frame; delete the clip instead.")
    return _picked(frames, times, [n for n in range(len(frames)) if n != edit.frame])


@_done.register
def _(edit: Duplicate, frames: Frames, times: tuple[int, ...]) -> Strip:
    return _picked(frames, times, sorted([*range(len(frames)), edit.frame]))


@_done.register
def _(edit: Move, frames: Frames, times: tuple[int, ...]) -> Strip:
    if edit.to >= len(frames):
        raise EditError(f"Frame {edit.frame} cannot become number {edit.to}; the clip has {len(frames)}, from 0.")
    order = [n for n in range(len(frames)) if n != edit.frame]
    return _picked(frames, times, [*order[: edit.to], edit.frame, *order[edit.to :]])


@_done.register
def _(edit: Hold, frames: Frames, times: tuple[int, ...]) -> Strip:
    held = min(max(times[edit.frame] + edit.ms, 1), 65535)
    return frames, (*times[: edit.frame], held, *times[edit.frame + 1 :])


@_done.register
def _(edit: Nudge, frames: Frames, times: tuple[int, ...]) -> Strip:
    height, width = frames.shape[1:3]
    out = np.zeros_like(frames[0])
    if abs(edit.x) < width and abs(edit.y) < height:
        into = (slice(max(edit.y, 0), height + min(edit.y, 0)), slice(max(edit.x, 0), width + min(edit.x, 0)))
        taken = (slice(max(-edit.y, 0), height - max(edit.y, 0)), slice(max(-edit.x, 0), width - max(edit.x, 0)))
        out[into] = frames[edit.frame][taken]
    return _redrawn(frames, edit.frame, out), times


@_done.register
def _(edit: Mirror, frames: Frames, times: tuple[int, ...]) -> Strip:
    return _redrawn(frames, edit.frame, frames[edit.frame, :, ::-1]), times


@_done.register
def _(edit: Brush, frames: Frames, times: tuple[int, ...]) -> Strip:
    height, width = frames.shape[1:3]
    mask = Image.new("1", (width, height))
    pen = ImageDraw.Draw(mask)
    if edit.size > 1 and len(edit.points) > 1:
        pen.line(edit.points, fill=1, width=edit.size)
    elif len(edit.points) > 1:
        pen.line(edit.points, fill=1)
    low = edit.size // 2
    for x, y in edit.points:
        pen.ellipse((x - low, y - low, x - low + edit.size - 1, y - low + edit.size - 1), fill=1)
    drawing = frames[edit.frame].copy()
    drawing[np.asarray(mask)] = (0, 0, 0, 0) if edit.colour is None else (*edit.colour, 255)
    return _redrawn(frames, edit.frame, drawing), times


@_done.register
def _(edit: Retime, frames: Frames, times: tuple[int, ...]) -> Strip:
    shown = timing.on(edit.step, times)
    return shown.apply(frames), timing.checked_durations(shown.durations_ms, len(shown.picks))


@_done.register
def _(edit: KeyFrames, frames: Frames, times: tuple[int, ...]) -> Strip:
    shown = timing.kept(timing.key_frames(frames, min(edit.count, len(frames)), edit.loop), times)
    return shown.apply(frames), timing.checked_durations(shown.durations_ms, len(shown.picks))


@_done.register
def _(edit: PingPong, frames: Frames, times: tuple[int, ...]) -> Strip:
    return loop.ping_pong(frames, times)


@_done.register
def _(edit: PaletteLock, frames: Frames, times: tuple[int, ...]) -> Strip:
    return dither.locked(frames, np.array(edit.colours, np.uint8), edit.dither), times
