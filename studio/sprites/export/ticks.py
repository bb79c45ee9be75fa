"""Frame times as a rate and counts, for formats that count frames instead of milliseconds."""

import itertools
import math
from collections.abc import Sequence
from fractions import Fraction

from studio.sprites.timing import checked_durations

RATES = (*range(1, 31), 48, 50, 60)
"""Frames a second that an artist may have typed, the slowest first: held drawings are then one long frame."""

SCREEN = 60
"""Pictures a second that every screen shows."""

PLAIN = Fraction(10)
"""Rate for times that follow none: a count of 1.00 is 100 ms, so every whole ms is an exact decimal."""


def ticks(durations_ms: Sequence[int]) -> tuple[Fraction, tuple[Fraction, ...]]:
    """(rate, counts): frame i is shown for ``counts[i] / rate`` seconds.

    Whole milliseconds at 12 frames a second are 83, 84, 83; the rate they were rounded from is found again, so an
    engine shows 12, not 12.048, and plays without drift. Each edge between frames stays within half a ms of the one
    in the preview (field report 42). Held drawings count 2, 3, ...; other times keep every ms.
    """
    durations = checked_durations(durations_ms, len(durations_ms))
    edges = list(itertools.accumulate(durations))
    for rate in RATES:
        counts = _counts(edges, rate)
        if counts:
            common = math.gcd(*counts)
            return Fraction(rate, common), tuple(Fraction(count, common) for count in counts)
    if len(set(durations)) == 1:
        return Fraction(1000, durations[0]), (Fraction(1),) * len(durations)
    return PLAIN, tuple(PLAIN * duration / 1000 for duration in durations)


def whole_ticks(durations_ms: Sequence[int]) -> tuple[int, tuple[int, ...]]:
    """(rate, counts) in whole numbers, for formats that can only repeat a frame.

    Times that follow no rate are rounded to 60 a second, what a screen can show; every frame stays at least one.
    """
    rate, counts = ticks(durations_ms)
    share = math.lcm(*(count.denominator for count in counts))
    if share == 1 and rate.denominator <= 2:
        return rate.numerator, tuple(int(count) * rate.denominator for count in counts)
    out, at = [], 0
    for edge in itertools.accumulate(durations_ms):
        count = max((edge * SCREEN + 500) // 1000 - at, 1)
        out.append(count)
        at += count
    return SCREEN, tuple(out)


def _counts(edges: Sequence[int], rate: int) -> tuple[int, ...] | None:
    """Whole counts at `rate` whose edges round to `edges`, or None; rounding as `timing.durations_from_fps`."""
    ends = [(edge * rate + 500) // 1000 for edge in edges]
    if any((2000 * end + rate) // (2 * rate) != edge for end, edge in zip(ends, edges, strict=True)):
        return None
    counts = tuple(b - a for a, b in itertools.pairwise([0, *ends]))
    return counts if min(counts) > 0 else None
