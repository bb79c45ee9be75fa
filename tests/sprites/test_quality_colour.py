"""Facing flip, palette drift and halo, each with its frames marked."""

import numpy as np
import pytest

from studio.sprites.quality import report

from .figures import BOOT, COAT, SKIN, blank, orbit, swinger


def of(frames, name):
    return next(found for found in report(frames, loop=False) if found.name == name)


def profile(count=9):
    """A body with a nose and a long cap to the right, which nods."""
    frames = blank(count, 80, 100)
    for t, frame in enumerate(frames):
        dip = t % 3
        frame[20 + dip : 40 + dip, 30:50] = SKIN
        frame[28 + dip : 33 + dip, 50:58] = SKIN
        frame[16 + dip : 21 + dip, 34:62] = BOOT
        frame[40:70, 28:50] = COAT
        frame[70:95, 30:38] = BOOT
        frame[70:95, 42:54] = BOOT
    return frames


@pytest.mark.parametrize("turned", [(4,), (0, 8), (2, 3, 6)])
def test_frames_that_face_the_other_way_are_named(turned):
    frames = profile()
    for t in turned:
        frames[t] = frames[t][:, ::-1]
    found = of(frames, "facing flip")
    assert (found.value, found.frames) == (len(turned), turned)
    assert found.level == ("look" if len(turned) == 1 else "bad")


def test_a_nod_a_swing_and_a_mirror_image_of_itself_do_not_flip():
    for frames in (profile(), swinger(), orbit(9, 9), profile()[:1], blank(4, 9, 9)):
        assert of(frames, "facing flip").level == "good"


def test_a_cast_over_some_frames_is_palette_drift_and_a_hidden_limb_is_not():
    frames = profile()
    tint = frames.copy()
    tint[7:, ..., 0] = np.where(tint[7:, ..., 3] > 0, np.minimum(tint[7:, ..., 0].astype(int) + 45, 255), 0)
    found = of(tint, "palette drift")
    assert found.level == "bad" and found.frames == (7, 8) and found.value > 5
    assert of(frames, "palette drift").value == 0.0
    frames[3, 28:33, 50:58] = 0
    assert of(frames, "palette drift").level == "good"


def rimmed(colour, frames=None):
    """Every frame with one px of `colour` around the body, as a key leaves it."""
    frames = profile() if frames is None else frames
    solid = frames[..., 3] > 0
    grown = solid.copy()
    for axis, step in ((1, 1), (1, -1), (2, 1), (2, -1)):
        grown |= np.roll(solid, step, axis=axis)
    frames[grown & ~solid] = (*colour, 255)
    return frames


@pytest.mark.parametrize("key", [(0, 255, 0), (255, 0, 255), (250, 250, 250)])
def test_a_rim_of_the_key_is_a_halo(key):
    found = of(rimmed(key), "halo")
    assert found.level == "bad" and found.value > 90 and found.frames == tuple(range(9))


def test_ink_lines_and_clean_edges_are_no_halo():
    assert of(rimmed((10, 8, 12)), "halo").value == 0.0
    assert of(profile(), "halo").value == 0.0
    one = profile()
    one[2] = rimmed((0, 255, 0), one[2:3])[0]
    assert of(one, "halo").frames == (2,) and of(one, "halo").level == "good"
