"""Anticipation, action, recovery, snap and smear."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from studio.sprites.beats import COUNTS, PRESETS, beats, impact_frame, paced, preset_for, snap
from studio.sprites.errors import TimingError
from studio.sprites.smear import smear
from studio.sprites.timing import kept, key_frames

from .figures import BOOT, COAT, SKIN, blank, orbit

PLACES = (60, 58, 56, 55, 54, 54, 70, 90, 106, 107, 106, 104, 100, 96, 92, 88)
"""A fist that draws back over 0 to 5, strikes over 6 to 8, and returns."""


def blow():
    frames = blank(len(PLACES), 128, 64)
    for frame, x in zip(frames, PLACES, strict=True):
        frame[10:60, 20:50] = COAT
        frame[26:34, 50 : x + 8] = SKIN
        frame[22:38, x : x + 14] = BOOT
    return frames


def test_the_blow_lands_where_its_fast_steps_end():
    assert impact_frame(blow()) == 8
    found = beats(blow())
    assert (found.anticipation, found.action, found.recovery) == (range(6), range(6, 9), range(9, 16))
    still = np.repeat(blow()[:1], 4, axis=0)
    assert impact_frame(still) == impact_frame(still[:1]) == 0
    assert beats(still).recovery == range(1, 4)


@given(st.lists(st.integers(1, 400), min_size=1, max_size=20), st.data())
def test_snap_keeps_the_time_the_impact_and_the_first_drawing(durations, data):
    impact, drop = data.draw(st.integers(0, len(durations) - 1)), data.draw(st.integers(0, 5))
    timing = snap(durations, impact, drop)
    assert sum(timing.durations_ms) == sum(durations)
    assert 0 in timing.picks and impact in timing.picks
    assert len(timing.picks) == len(durations) - min(drop, max(impact - 1, 0))


def test_snap_gives_the_dropped_time_to_the_impact():
    timing = snap((80,) * 5, 3)
    assert (timing.picks, timing.durations_ms) == ((0, 1, 3, 4), (80, 80, 160, 80))
    for bad in ((5, 1), (-1, 1), (2, -1)):
        with pytest.raises(TimingError, match="Dropping"):
            snap((80,) * 5, *bad)


def test_an_attack_waits_strikes_fast_and_holds_the_hit():
    timing = paced(blow(), PRESETS["attack"], loop=False)
    held = dict(zip(timing.picks, timing.durations_ms, strict=True))
    assert timing.picks[0] == 0 and timing.picks[-1] == 15 and len(held) == 7
    assert held[8] == max(held.values()) == 160 and held[0] == 128 and held[15] == 96
    assert not {7} & set(held), "the in-between before the hit is dropped"


@pytest.mark.parametrize("kind", PRESETS)
def test_every_preset_fits_every_length(kind):
    for count in (1, 2, 3, 5, 16):
        for loop in (True, False):
            timing = paced(blow()[:count], PRESETS[kind], loop)
            assert 1 <= len(timing.picks) <= count and len(timing.picks) == len(timing.durations_ms)
            assert list(timing.picks) == sorted(set(timing.picks)) and timing.picks[0] == 0
    assert len(set(paced(orbit(16, 16), PRESETS[kind], True).durations_ms)) == 1


@pytest.mark.parametrize("count", COUNTS)
def test_artists_counts_are_picked_by_motion_and_keep_the_time(count):
    """Sixteen frames of which most stand still: the few that move are all taken before any double."""
    frames = blow()
    picks = key_frames(frames, count, loop=False)
    assert len(picks) == count and {0, 15} <= set(picks)
    assert sum(kept(picks, (80,) * 16).durations_ms) == 1280
    assert {8, 9, 10} & set(key_frames(frames, 4, loop=False))


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("Walk_left", "walk"), ("overhead slash", "attack"), ("spin kick", "attack"), ("bow shot", "attack"),
        ("DEATH", "death"), ("frobnicate", None),
    ],
)  # fmt: skip
def test_names_tell_the_kind(name, kind):
    found = preset_for(name)
    assert (found.key if found else None) == kind


def test_a_smear_spans_the_sweep_behind_the_body_and_touches_no_other_frame():
    frames = blow()
    fist = np.stack([frames[0], frames[8]])
    out = smear(fist, 1)
    assert np.array_equal(out[0], fist[0])
    body = fist[1, ..., 3] > 0
    assert np.array_equal(out[1][body], fist[1][body])
    trail = (out[1, ..., 3] > 0) & ~body
    assert trail.sum() > 150 and not trail[:, :60].any()
    alpha = out[1, 36, :, 3].astype(int)
    assert alpha[100] > alpha[80] > alpha[70], "fades towards where it came from"


def test_a_pixel_art_smear_is_solid_and_a_still_body_is_not_smeared():
    fist = blow()[[0, 8]]
    out = smear(fist, 1, soft=False)
    assert set(np.unique(out[..., 3])) == {0, 255} and (out[1] != fist[1]).any()
    assert {tuple(c) for c in out.reshape(-1, 4)} <= {tuple(c) for c in fist.reshape(-1, 4)}
    still = blow()[[0, 0]]
    assert np.array_equal(smear(still, 1), still)
    assert not smear(blank(2, 8, 8), 1).any()
    with pytest.raises(TimingError, match="frame before"):
        smear(fist, 0)
