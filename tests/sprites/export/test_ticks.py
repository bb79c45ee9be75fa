"""The rate an engine shows is the rate the artist typed."""

import itertools
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from studio.sprites.export.registry import EXPORTERS
from studio.sprites.export.ticks import ticks
from studio.sprites.sheet import Action, build_sheet
from studio.sprites.timing import durations_from_fps, on

from ..figures import orbit


@pytest.mark.parametrize("fps", [4, 6, 8, 10, 12, 12.5, 15, 24, 30, 60])
@pytest.mark.parametrize("count", [1, 3, 8, 24])
def test_the_typed_rate_is_found_again(fps, count):
    assert ticks(durations_from_fps(count, fps)) == (Fraction(fps), (1,) * count)


def test_held_drawings_are_whole_counts():
    assert ticks(on(2, durations_from_fps(8, 24)).durations_ms) == (12, (1, 1, 1, 1))
    assert ticks((83, 84, 83, 250)) == (12, (1, 1, 1, 3))


def test_other_times_keep_every_millisecond():
    assert ticks((90, 90)) == (Fraction(1000, 90), (1, 1))
    assert ticks((83, 217, 61)) == (10, (Fraction("0.83"), Fraction("2.17"), Fraction("0.61")))


@given(st.lists(st.integers(1, 65535), min_size=1, max_size=12))
def test_edges_stay_within_half_a_millisecond(durations):
    rate, counts = ticks(durations)
    ends = [1000 * end / rate for end in itertools.accumulate(counts)]
    assert all(count > 0 for count in counts)
    assert all(abs(a - b) <= Fraction(1, 2) for a, b in zip(ends, itertools.accumulate(durations), strict=True))


def test_godot_shows_twelve_and_ones(tmp_path):
    """Field report 42: it was 12.048 and 1.012."""
    clip = Action("walk", orbit(6, 6), durations_from_fps(6, 12), True, (24, 40))
    text = EXPORTERS["godot"].write(build_sheet([clip]), tmp_path, "hero")[-1].read_text()
    assert '"speed": 12.0' in text and text.count('"duration": 1.0,') == 6
    assert np.sum(clip.durations_ms) == 500
