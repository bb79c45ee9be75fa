"""Durations: whole milliseconds that add up."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from studio.sprites.errors import TimingError
from studio.sprites.timing import (
    checked_durations,
    durations_from_fps,
    fps_from_durations,
    hold,
    kept,
    key_frames,
    on,
)

from .figures import COAT, orbit, swinger


@given(st.integers(1, 400), st.integers(1, 240))
def test_durations_never_drift(count, fps):
    """Field report 42: the length of the action is count / fps to half a millisecond, each frame within one."""
    durations = durations_from_fps(count, fps)
    assert abs(sum(durations) - Fraction(1000 * count, fps)) <= Fraction(1, 2)
    assert max(durations) - min(durations) <= 1
    assert abs(fps_from_durations(durations) - fps) <= Fraction(fps * fps, 1000 * count)


def test_twelve_per_second_and_the_broadcast_rate():
    assert durations_from_fps(3, 12) == (83, 84, 83)
    assert sum(durations_from_fps(24000, Fraction(24000, 1001))) == 1001000
    assert durations_from_fps(2, 1000) == (1, 1)


@given(st.lists(st.integers(1, 500), min_size=1, max_size=40), st.integers(1, 5), st.data())
def test_dropping_drawings_keeps_the_time(durations, step, data):
    timing = on(step, durations)
    assert timing.picks == tuple(range(0, len(durations), step))
    assert sum(timing.durations_ms) == sum(durations)
    picks = data.draw(st.sets(st.integers(0, len(durations) - 1), min_size=1))
    chosen = kept(sorted(picks), durations)
    assert chosen.picks == tuple(sorted(picks)) and sum(chosen.durations_ms) == sum(durations)


def test_on_twos_shows_every_second_drawing_twice_as_long():
    frames = orbit(5, 5)
    timing = on(2, (80, 90, 80, 90, 80))
    assert timing.durations_ms == (170, 170, 80)
    assert np.array_equal(timing.apply(frames), frames[[0, 2, 4]])


def test_hold_lengthens_one_drawing():
    assert hold((80, 80, 80), 1, 120) == (80, 200, 80)
    assert hold((80, 80, 80), -1, -30) == (80, 80, 50)
    with pytest.raises(TimingError, match="no frame 3"):
        hold((80, 80, 80), 3, 10)
    with pytest.raises(TimingError, match="-20 ms"):
        hold((80,), 0, -100)


def test_key_frames_find_the_extremes_and_spread_over_stillness():
    frames = swinger(9)
    frames[5, 5:20] = COAT
    assert key_frames(frames, 3, loop=False) == (0, 5, 8)
    assert key_frames(frames, 2) == (0, 5)
    assert key_frames(frames, 2, loop=False) == (0, 8)
    assert key_frames(frames, 1, loop=False) == key_frames(frames[:1], 1, loop=False) == (0,)
    still = np.repeat(frames[:1], 9, axis=0)
    assert key_frames(still, 3) == (0, 4, 8)
    assert key_frames(frames, 9) == tuple(range(9))
    assert key_frames(frames, 1) == (0,)


@pytest.mark.parametrize("bad", [(0, 12), (4, 0), (4, -1), (4, 1001)])
def test_impossible_rates_say_what_to_use(bad):
    with pytest.raises(TimingError, match=r"at least one frame|use a rate"):
        durations_from_fps(*bad)


@pytest.mark.parametrize("bad", [(), (80, 0), (80, -5), (80, 70000), (80, 1.5)])
def test_impossible_durations_are_refused(bad):
    with pytest.raises(TimingError):
        checked_durations(bad, 2)


def test_impossible_picks_are_refused():
    for call in (lambda: kept([9], (80, 80)), lambda: on(0, (80,)), lambda: key_frames(orbit(4, 4), 5)):
        with pytest.raises(TimingError):
            call()
