"""The advisory numbers."""

import numpy as np
import pytest

from studio.sprites.quality import report

from .figures import BOOT, COAT, blank, orbit, shifted, swinger


def of(frames, name, loop=True):
    return next(f for f in report(frames, loop) if f.name == name)


def test_a_clean_clip_is_good_throughout():
    findings = report(orbit(12, 12), loop=True)
    assert {f.name for f in findings} == {
        "duplicates", "pops", "open loop", "foot slide", "size drift", "clipped edges",
        "facing flip", "palette drift", "halo"
    }  # fmt: skip
    assert [f for f in findings if f.level != "good"] == []
    assert all(f.text for f in findings)
    assert "open loop" not in {f.name for f in report(orbit(12, 12), loop=False)}


def test_repeated_frames_are_named():
    frames = orbit(12, 12)
    frames[4] = frames[3]
    found = of(frames, "duplicates")
    assert (found.value, found.level, found.frames) == (1.0, "look", (4,))
    assert of(np.repeat(frames[:1], 5, axis=0), "duplicates").level == "bad"


def test_a_frame_that_leaves_and_comes_back_pops_but_a_fast_blow_does_not():
    frames = swinger(16)
    frames[7] = shifted(frames[7], 9, -6)
    found = of(frames, "pops")
    assert found.level == "bad" and found.frames == (7,)
    blow = np.concatenate([orbit(5, 40), orbit(40, 40)[20:25]])
    assert of(blow, "pops", loop=False).level == "good"


def test_an_open_loop_marks_both_ends():
    found = of(orbit(9, 27), "open loop")
    assert found.level == "bad" and found.frames == (8, 0)


def walker(moves):
    """Two legs of which one stands; the contact shifts by `moves` per frame."""
    frames = blank(len(moves) + 1, 100, 60)
    x = 40
    for frame, move in zip(frames, [*moves, 0], strict=True):
        frame[10:45, 30:60] = COAT
        frame[40:60, x : x + 8] = BOOT
        x += move
    return frames


@pytest.mark.parametrize(("moves", "level"), [([0] * 9, "good"), ([-2] * 8, "good"), ([0, 8] * 4, "bad")])
def test_planted_feet_may_stand_or_roll_back_evenly_but_not_stutter(moves, level):
    assert of(walker(moves), "foot slide").level == level


def test_growth_over_the_clip_is_size_drift():
    frames = blank(9, 64, 64)
    for t, frame in enumerate(frames):
        frame[10 : 40 + t, 20:40] = COAT
    assert of(frames, "size drift").level == "bad"
    assert of(np.repeat(frames[:1], 9, axis=0), "size drift").value == 0.0


def test_cut_off_limbs_are_found_and_feet_on_the_ground_row_are_not():
    standing = np.stack([shifted(f, 0, 18) for f in swinger(4, reach=10)])
    assert standing[0, -1].any()
    assert of(standing, "clipped edges").value == 0
    outside = standing.copy()
    outside[1, 50:56, 100:] = BOOT
    outside[1, 50:56, 60:100] = BOOT
    assert of(outside, "clipped edges").frames == (1,)
    legless = standing[:, :100]
    assert of(legless, "clipped edges").value == 0
    assert of(standing[:, :80], "clipped edges").level == "bad"


def test_empty_and_single_frames_have_numbers_too():
    assert all(np.isfinite(f.value) for f in report(blank(3, 8, 8), loop=True))
    assert all(f.level == "good" for f in report(orbit(1, 9), loop=True))
