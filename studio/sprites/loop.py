"""Loops: is the seam visible, where does the motion repeat, and there-and-back without a doubled end."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from studio.sprites.errors import TimingError
from studio.sprites.frames import Frames, checked, premultiplied, straight
from studio.sprites.motion import distances, steps

STILL = 1e-4
"""Motion per frame (0 to 1) below which a clip counts as standing still."""


@dataclass(frozen=True)
class Loop:
    """A stretch of a clip that repeats: frames ``start`` to ``start + period - 1``."""

    start: int
    period: int
    error: float
    """Seam error as in `seam_error`: under 0.5 clean, up to 0.8 worth a look, above it visible."""


def seam_error(frames: Frames) -> float:
    """How much more the picture jumps from the last frame to the first than it moves between neighbours.

    0: the seam is a step like any other; 1: twice the clip's own mean step. One frame, or none that moves, is 0.
    """
    return _seam(distances(checked(frames)))


def _seam(distance: NDArray[np.float64]) -> float:
    if len(distance) < 2:
        return 0.0
    own = max(float(steps(distance).mean()), STILL)
    return max(float(distance[-1, 0]) / own - 1.0, 0.0)


def best_loop(frames: Frames, shortest: int = 3, longest: int | None = None) -> Loop:
    """Search start and period of the cleanest loop in ``(T, H, W, 4)``.

    A candidate is judged by its seam and by whether the frames after it continue as the loop begins. The whole
    motion is wanted, so of candidates about as clean the shortest true period wins and, with equal periods, the
    one that starts later by no more than needed: frame 0 of a generated clip often differs (field report 23).
    """
    total = len(checked(frames))
    longest = total if longest is None else min(longest, total)
    if not 2 <= shortest <= longest:
        raise TimingError(
            f"A loop of {shortest} to {longest} frames cannot be cut from {total} frames; "
            f"use a shortest loop of 2 to {total}."
        )
    distance = distances(frames)
    own = max(float(np.median(steps(distance))), STILL)
    found = [
        (_mismatch(distance, start, period, own), period, start)
        for period in range(shortest, longest + 1)
        for start in range(total - period + 1)
    ]
    best = min(found)[0]
    _, period, start = min((f for f in found if f[0] <= best + 0.1), key=lambda f: (f[1], f[0], f[2]))
    inside = distance[start : start + period, start : start + period]
    return Loop(start, period, _seam(inside))


def _mismatch(distance: NDArray[np.float64], start: int, period: int, own: float) -> float:
    """Worst of three doubts, in own steps: the seam, the frames after it, and the period over the whole clip.

    The last one, a median, keeps a short stretch that happens to close from passing as the motion's period.
    """
    end, total = start + period, len(distance)
    doubts = [abs(float(distance[end - 1, start]) / own - 1.0)]
    after = min(total - end, period)
    if after:
        doubts.append(float(np.mean([distance[start + i, end + i] for i in range(after)])) / own)
    if period < total:
        doubts.append(float(np.median(np.diagonal(distance, period))) / own)
    return max(doubts)


def ping_pong_order(count: int) -> tuple[int, ...]:
    """Frame numbers of a there-and-back loop: 3 frames give 0, 1, 2, 1. The ends show once (field report 28)."""
    if count < 1:
        raise TimingError(f"{count} frames cannot go there and back; an action needs at least one frame.")
    return (*range(count), *range(count - 2, 0, -1))


def ping_pong(frames: Frames, durations_ms: Sequence[int]) -> tuple[Frames, tuple[int, ...]]:
    """Bake a there-and-back loop into ``(T, H, W, 4)`` and its durations; the packer stores each drawing once."""
    order = ping_pong_order(len(checked(frames)))
    return frames[list(order)], tuple(durations_ms[i] for i in order)


def blended(frames: Frames, loop: Loop, overlap: int) -> Frames:
    """``(period, H, W, 4)``: `loop` cut out of ``(T, H, W, 4)``, its seam spread over `overlap` frames.

    The first frames fade in from those that follow the end, so the last frame leads on as it did in the clip. Two
    drawings show through each other meanwhile: for glow, cloth and smoke, not for outlines. Needs `overlap` (0 or
    more) frames after the end, else TimingError; mixes premultiplied, so no hidden colour shows.
    """
    end, total = loop.start + loop.period, len(checked(frames))
    spare = min(total - end, loop.period)
    if not 0 <= overlap <= spare:
        raise TimingError(
            f"{overlap} frames cannot be blended: {max(spare, 0)} frames follow the loop's end; "
            f"blend 0 to {max(spare, 0)}, or use a shorter loop."
        )
    out = frames[loop.start : end].copy()
    for i in range(overlap):
        share = np.float32((i + 1) / (overlap + 1))
        mixed = premultiplied(frames[loop.start + i]) * share + premultiplied(frames[end + i]) * (1 - share)
        out[i] = straight(mixed)
    return out
