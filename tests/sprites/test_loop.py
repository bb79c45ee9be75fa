"""Seams, periods, there-and-back."""

import numpy as np
import pytest

from studio.sprites.errors import TimingError
from studio.sprites.loop import Loop, best_loop, blended, ping_pong, ping_pong_order, seam_error
from studio.sprites.motion import distances, signatures

from .figures import COAT, blank, orbit


def test_a_full_turn_is_clean_and_a_third_of_a_turn_is_not():
    assert seam_error(orbit(12, 12)) <= 0.1
    assert seam_error(orbit(12, 36)) > 0.8
    assert seam_error(orbit(1, 12)) == 0.0


@pytest.mark.parametrize("period", [8, 12])
def test_the_true_period_is_found_past_a_bad_first_frame(period):
    """Field report 23: frame 0 of a generated clip is off in colour and place; the loop starts after it."""
    frames = orbit(2 * period + 5, period)
    frames[0] = np.roll(frames[0], 9, axis=0) // 2
    frames[0, ..., 3] = np.where(frames[0, ..., 3] > 0, 255, 0)
    found = best_loop(frames)
    assert found.period == period and found.start >= 1
    assert found.error <= 0.5
    assert seam_error(frames[found.start : found.start + period]) == pytest.approx(found.error)


def test_a_doubled_end_frame_is_left_out():
    frames = np.concatenate([orbit(10, 10), orbit(1, 10)])
    found = best_loop(frames, shortest=8)
    assert (found.start, found.period) in {(0, 10), (1, 10)}


def test_still_clips_and_impossible_lengths():
    assert best_loop(np.repeat(orbit(1, 4), 6, axis=0)).period == 3
    with pytest.raises(TimingError, match="2 to 4"):
        best_loop(orbit(4, 4), shortest=5)
    with pytest.raises(TimingError):
        best_loop(orbit(4, 4), shortest=1)


def test_ping_pong_shows_the_ends_once():
    """Field report 28: three frames go 0, 1, 2, 1."""
    assert ping_pong_order(3) == (0, 1, 2, 1)
    assert [ping_pong_order(n) for n in (1, 2)] == [(0,), (0, 1)]
    frames = orbit(3, 9)
    baked, durations = ping_pong(frames, (50, 60, 70))
    assert durations == (50, 60, 70, 60) and np.array_equal(baked[3], frames[1])
    with pytest.raises(TimingError):
        ping_pong_order(0)


def test_hidden_colour_is_no_motion_and_small_pictures_count_exactly():
    frames = blank(2, 8, 8)
    frames[1, ..., :3] = 200
    assert distances(frames)[0, 1] == 0.0
    frames[1] = COAT
    assert distances(frames)[0, 1] == pytest.approx(np.mean(COAT) / 255)
    assert signatures(orbit(2, 5, 129)).shape == (2, 48 * 48 * 4)
    assert signatures(np.full((1, 129, 67, 4), 255, np.uint8)).max() == pytest.approx(1.0)
    assert signatures(np.full((1, 129, 67, 4), 255, np.uint8)).min() == pytest.approx(1.0)


def test_a_blend_spreads_the_seam_and_leaves_the_rest_alone():
    """A drifting orbit never closes; blended, its last frame leads on as it did in the clip."""
    frames = orbit(18, 14.5)
    loop = Loop(0, 14, 0.0)
    out = blended(frames, loop, 4)
    assert out.shape == frames[:14].shape and np.array_equal(out[4:], frames[4:14])
    assert distances(np.stack([out[0], frames[14]]))[0, 1] < distances(np.stack([out[0], frames[0]]))[0, 1]
    assert seam_error(out) <= seam_error(frames[:14])
    assert np.array_equal(blended(frames, loop, 0), frames[:14])
    exact = np.concatenate([orbit(8, 8)] * 2)
    assert np.abs(blended(exact, Loop(0, 8, 0.0), 8).astype(int) - exact[:8]).max() <= 1
    assert not blended(frames, loop, 4)[..., :3][blended(frames, loop, 4)[..., 3] == 0].any()
    for overlap in (5, -1):
        with pytest.raises(TimingError, match="blend 0 to 4"):
            blended(frames, loop, overlap)
