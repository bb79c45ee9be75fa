"""How long each drawing is held. All times are whole milliseconds, so what is previewed is what is exported."""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from studio.sprites.errors import TimingError
from studio.sprites.frames import Frames, checked
from studio.sprites.motion import distances


@dataclass(frozen=True)
class Timing:
    """Which drawings of a clip are shown, in order, and for how long: ``frames[list(timing.picks)]``."""

    picks: tuple[int, ...]
    durations_ms: tuple[int, ...]

    def apply(self, frames: Frames) -> Frames:
        """The shown drawings of ``(T, H, W, 4)``."""
        return frames[list(self.picks)]


def durations_from_fps(count: int, fps: float | Fraction) -> tuple[int, ...]:
    """Milliseconds of `count` frames at `fps`, whole but without drift: their sum is count/fps within half a ms."""
    if count < 1:
        raise TimingError(f"{count} frames have no duration; an action needs at least one frame.")
    rate = Fraction(fps).limit_denominator(100_000)
    if not 0 < rate <= 1000:
        raise TimingError(f"{fps} frames per second cannot be timed; use a rate above 0 and up to 1000.")
    edges = [int(Fraction(1000 * i) / rate + Fraction(1, 2)) for i in range(count + 1)]
    return tuple(b - a for a, b in itertools.pairwise(edges))


def fps_from_durations(durations_ms: Sequence[int]) -> Fraction:
    """Average frames per second, exact."""
    checked_durations(durations_ms, len(durations_ms))
    return Fraction(1000 * len(durations_ms), sum(durations_ms))


def checked_durations(durations_ms: Sequence[int], count: int) -> tuple[int, ...]:
    """Whole milliseconds from 1 to 65535 (the most an APNG can hold), one per frame, else TimingError."""
    if len(durations_ms) != count or count < 1:
        raise TimingError(f"There are {len(durations_ms)} durations for {count} frames; give one per frame.")
    for value in durations_ms:
        if int(value) != value or not 1 <= value <= 65535:
            raise TimingError(f"A frame cannot last {value} ms; use whole milliseconds from 1 to 65535.")
    return tuple(int(value) for value in durations_ms)


def on(step: int, durations_ms: Sequence[int]) -> Timing:
    """Animate on ones, twos, threes: every `step`-th drawing, held through the ones it replaces."""
    if step < 1:
        raise TimingError(f"Animating on {step}s is not possible; use 1 (every frame), 2 (on twos) or 3.")
    return kept(range(0, len(durations_ms), step), durations_ms)


def kept(picks: Sequence[int], durations_ms: Sequence[int]) -> Timing:
    """Show only `picks`; each is held until the next one was due, so the length of the action does not change.

    Time before the first pick is given to the first pick.
    """
    count = len(durations_ms)
    order = sorted(set(picks))
    if not order or order[0] < 0 or order[-1] >= count:
        raise TimingError(f"The picked frames {list(picks)} are not within 0 to {count - 1}.")
    edges = [0, *order[1:], count]
    held = tuple(sum(durations_ms[a:b]) for a, b in itertools.pairwise(edges))
    return Timing(tuple(order), held)


def hold(durations_ms: Sequence[int], index: int, extra_ms: int) -> tuple[int, ...]:
    """Lengthen (or, below 0, shorten) one drawing: the pose at the impact, the breath before the blow."""
    if not -len(durations_ms) <= index < len(durations_ms):
        raise TimingError(f"There is no frame {index}; the action has {len(durations_ms)} frames, counted from 0.")
    out = list(durations_ms)
    out[index] += extra_ms
    return checked_durations(out, len(out))


def key_frames(frames: Frames, count: int, loop: bool = True) -> tuple[int, ...]:
    """The `count` drawings of ``(T, H, W, 4)`` that tell the motion best, in order; the first always stays.

    Farthest-first: each pick is the frame least like any pick so far, which finds the extreme poses before the
    in-betweens. An action that does not loop also keeps its last frame, where the character comes to rest.
    """
    total = len(checked(frames))
    if not 1 <= count <= total:
        raise TimingError(f"{count} key frames cannot be picked from {total} frames; ask for 1 to {total}.")
    distance = distances(frames)
    picks = [0] if loop or count == 1 or total == 1 else [0, total - 1]
    return tuple(sorted(_farthest_first(distance, picks, count)))


def _farthest_first(distance: NDArray[np.float64], picks: list[int], count: int) -> list[int]:
    place = np.arange(len(distance))
    while len(picks) < count:
        near = distance[:, picks].min(axis=1)
        # a still stretch has no farthest frame: the one farthest away in time then spreads the picks evenly
        tie = np.abs(place[:, None] - np.array(picks)).min(axis=1) * 1e-9
        score = near + tie
        score[picks] = -1.0
        picks = [*picks, int(score.argmax())]
    return picks
