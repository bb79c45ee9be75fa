"""Registration on one anchor (field report 22)."""

import numpy as np
import pytest

from studio.sprites.align import core_column, drift, ground_line, place, register, sole_line
from studio.sprites.errors import FramesError

from .figures import BOOT, SKIN, blank, shifted, swinger


def box_middle(frame):
    columns = np.flatnonzero((frame[..., 3] > 0).any(axis=0))
    return (columns[0] + columns[-1] + 1) / 2


def test_core_ignores_a_swinging_arm_where_the_bounding_box_does_not():
    """Field report 22: the box centre wanders by many pixels, the core by at most one."""
    frames = swinger()
    boxes = [box_middle(f) for f in frames]
    cores = [core_column(f) for f in frames]
    assert max(boxes) - min(boxes) > 20
    assert all(abs(core - 60) <= 1.0 for core in cores)
    assert drift(frames).core <= 1.0 and drift(frames).sole == 0.0


@pytest.mark.parametrize("seed", range(4))
def test_a_wandering_camera_is_undone_to_one_pixel(seed):
    """Field report 22: every frame off by its own amount; after registration the legs are in one place."""
    rng = np.random.default_rng(seed)
    frames = np.stack([shifted(f, int(rng.integers(-15, 16)), 0) for f in swinger()])
    out = register(frames, (64, 120))
    assert out.cut == 0
    legs = [np.flatnonzero((f[110] == BOOT).all(axis=-1)).mean() for f in out.frames]
    assert max(legs) - min(legs) <= 1.0
    assert abs(np.mean(legs) + 0.5 - 64) <= 1.0
    assert {sole_line(f) for f in out.frames} == {120}


def test_specks_below_the_feet_do_not_lift_the_soles():
    """Field report 22: despill dirt under the character, loose or hanging on by one pixel."""
    frame = swinger(1)[0]
    frame[118:121, 90:93] = SKIN
    frame[125, 20] = SKIN
    frame[110:116, 70] = BOOT
    assert sole_line(frame) == 110


def test_a_foot_of_its_own_is_not_a_speck():
    """A skeleton's foot is not joined to the leg; it still stands."""
    frame = swinger(1)[0]
    frame[112:116, 50:64] = BOOT
    assert sole_line(frame) == 116


def test_a_blade_below_the_feet_does_not_lift_them_but_thin_legs_are_legs():
    """The knight's sword hangs below his boots in a walk; a stork's legs are thin all the way down."""
    frame = swinger(1)[0]
    for step in range(44):
        frame[74 + step, 40 - step // 3 : 44 - step // 3] = SKIN
    assert frame[117, 26:30, 3].all() and sole_line(frame) == 110
    stork = blank(1, 64, 100)[0]
    stork[10:50, 12:52] = SKIN
    stork[50:95, 28:31] = BOOT
    assert sole_line(stork) == 95


def test_a_leaning_head_does_not_drag_the_hips():
    """Hips carry the body: chest and head lean out by 16 px, the core stays within 1."""
    frames = blank(5, 96, 128)
    for t, frame in enumerate(frames):
        for row in range(60):
            lean = round(4 * t * max(30 - row, 0) / 30)
            frame[20 + row, 34 + lean : 62 + lean] = SKIN
        frame[80:110, 36:60] = BOOT
    assert all(abs(core_column(f) - 48) <= 1.0 for f in frames)


def test_the_ground_is_where_most_soles_are():
    assert ground_line([110, 110, 96, 104, 119, 110]) == 110
    assert ground_line([90, 91, 90, 120, 120]) == 90
    assert ground_line([100, 110]) == 110


def test_root_motion_keeps_the_travel_and_in_place_removes_it():
    frames = np.stack([shifted(f, 3 * t, 0) for t, f in enumerate(swinger(8))])
    kept = register(frames, (60, 110), "root_motion")
    assert len(set(kept.offsets)) == 1
    assert [round(core_column(f) - core_column(kept.frames[0])) for f in kept.frames] == [3 * t for t in range(8)]
    assert drift(register(frames, (60, 110)).frames).core <= 1.0


def test_a_jump_stays_in_the_air_unless_planted():
    heights = [0, 0, -12, -20, -12, 0, 0, 0, 0, 0]
    frames = np.stack([shifted(f, 0, y) for f, y in zip(swinger(10), heights, strict=True)])
    free = register(frames, (64, 120)).frames
    assert [sole_line(f) - 120 for f in free] == heights
    planted = register(frames, (64, 120), plant=True).frames
    assert {sole_line(f) for f in planted} == {120}


def test_half_pixel_sway_does_not_shake_the_body():
    """Rounding a core that breathes by half a pixel must not move the frame back and forth."""
    frames = blank(8, 40, 40)
    for t, frame in enumerate(frames):
        frame[5:35, 10 : 25 + t % 2] = SKIN
    assert len(set(register(frames, (20, 35)).offsets)) == 1


def test_empty_frames_take_their_neighbours_place_and_only_empty_clips_fail():
    frames = swinger(5)
    frames[2] = 0
    out = register(frames, (64, 120))
    assert len(set(out.offsets)) == 1 and not out.frames[2].any()
    with pytest.raises(FramesError, match="cut-out"):
        register(blank(2, 8, 8), (4, 8))


def test_a_canvas_that_is_too_small_says_how_much_it_cut():
    frames = swinger(1)
    out = register(frames, (4, 64), canvas=(64, 64))
    assert out.frames.shape == (1, 64, 64, 4)
    assert out.cut == (frames[..., 3] > 0).sum() - (out.frames[..., 3] > 0).sum() > 0


def test_place_beyond_the_canvas_is_empty():
    assert not place(swinger(1)[0], 8, 8, 500, 500).any()
    assert core_column(blank(1, 4, 4)[0]) is None and sole_line(blank(1, 4, 4)[0]) is None


def test_unknown_mode_is_named():
    with pytest.raises(FramesError, match="sideways"):
        register(swinger(1), (1, 1), "sideways")
