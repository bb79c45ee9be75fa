"""Clips of a character -> actions of one sheet: one scale, canvas, ground point and palette, with their marks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from pipelines.clip import Clip
from pipelines.pose.skeleton import INDEX

from ..library.clips import ClipRecord
from ..sprites import dither
from ..sprites.align import register, steady
from ..sprites.canvas import Reach, resized
from ..sprites.frames import Frames
from ..sprites.quantise import oklab_palette
from ..sprites.sheet import Action
from ..sprites.unify import Offsets, together
from .marking import marks_of
from .orders import ExportOptions

FEET = tuple(INDEX[name] for name in ("l_ankle", "r_ankle", "l_toe", "r_toe"))


@dataclass(frozen=True)
class Take:
    """A clip as drawn and as edited by hand, both at the scale of the sheet."""

    drawn: Clip
    edited: Clip
    sources: tuple[int, ...]
    """The drawn frame behind each edited one."""
    sides: tuple[int, ...]
    """-1 where an edited frame is mirrored, else 1."""


def actions_of(records: Sequence[ClipRecord], options: ExportOptions, pixel_art: bool) -> list[Action]:
    """One action per clip, in their order; two clips of one action are told apart by number: walk, walk 2.

    All stand on one ground point of one canvas: the character's cell, grown where an action reaches beyond it. Clips
    drawn at different cell sizes are brought to the smallest, so the character never changes its size.
    """
    size = min(record.size for record in records)
    takes = [_take(record, size, pixel_art) for record in records]
    first = takes[0].drawn
    anchor = (round(first.anchor[0] * size), round(first.anchor[1] * size))
    moves = [_moves(take, anchor, options) for take in takes]
    frames = coloured([take.edited.frames for take in takes], options)
    cell = Reach(anchor[0], anchor[1], size - anchor[0], size - anchor[1])
    one = together(frames, [tuple((x - anchor[0], y - anchor[1]) for x, y in row) for row in moves], least=cell)
    shift = (one.anchor[0] - anchor[0], one.anchor[1] - anchor[1])
    pivot = (first.anchor[0] * size + shift[0], first.anchor[1] * size + shift[1])
    seen: Counter[str] = Counter()
    actions = []
    for take, row, drawing in zip(takes, moves, one.clips, strict=True):
        clip = take.edited
        seen[clip.action] += 1
        name = clip.action if seen[clip.action] == 1 else f"{clip.action} {seen[clip.action]}"
        marks = marks_of(take.drawn, clip, take.sources)
        placed = marks.moved([(x + shift[0], y + shift[1]) for x, y in row])
        actions.append(Action(name, drawing, clip.milliseconds(), clip.loop, pivot, placed))
    return actions


def coloured(clips: Sequence[Frames], options: ExportOptions) -> list[Frames]:
    """`clips` locked to the palette of `options`: its own colours, or as many as asked for; else untouched."""
    if options.palette:
        palette = np.array(options.palette, np.uint8)
    elif options.colours:
        palette = oklab_palette(clips, options.colours)
    else:
        return list(clips)
    return [dither.locked(frames, palette, options.dither) for frames in clips]


def _take(record: ClipRecord, size: int, pixel_art: bool) -> Take:
    strip = record.strip()
    drawn, edited = record.drawn(), record.edited()
    if record.size != size:
        scale = size / record.size
        drawn, edited = (replace(clip, frames=resized(clip.frames, scale, pixel_art)) for clip in (drawn, edited))
    return Take(drawn, edited, strip.sources, tuple(side for side, _, _ in strip.places))


def _moves(take: Take, anchor: tuple[int, int], options: ExportOptions) -> Offsets:
    """How far each edited frame moves. Measured on the drawing, so what was nudged by hand stays nudged."""
    if take.drawn.joints is None or not np.isfinite(take.drawn.joints[:, INDEX["pelvis"]]).all():
        # An action that plays once keeps its steps and crouches: only its first frame is brought to the point.
        mode = "in_place" if take.drawn.loop and options.motion == "in_place" else "root_motion"
        drawn: Offsets = register(take.drawn.frames, anchor, mode).offsets  # type: ignore[arg-type]
    else:
        drawn = tuple((int(x), 0) for x in _posed(take.drawn, options))
    return tuple((side * drawn[n][0], drawn[n][1]) for side, n in zip(take.sides, take.sources, strict=True))


def _posed(clip: Clip, options: ExportOptions) -> np.ndarray:
    """Sideways moves of a clip whose joints are known: it stands on the ground point as it was posed."""
    joints = clip.joints
    assert joints is not None
    pelvis = joints[:, INDEX["pelvis"], 0] * clip.size
    if not clip.loop:
        return np.zeros(len(clip), int)
    if options.motion == "in_place":
        return steady((np.median(pelvis) - pelvis).astype(float))
    # Walked on the spot: where the standing foot slides back, the character has gone ahead.
    steps = [0.0]
    for before, after in zip(joints[:-1, FEET], joints[1:, FEET], strict=True):
        foot = int(np.nan_to_num(before[:, 1] + after[:, 1], nan=-1.0).argmax())
        steps.append(float(before[foot, 0] - after[foot, 0]) * clip.size)
    return np.rint(np.nan_to_num(np.cumsum(steps))).astype(int)
