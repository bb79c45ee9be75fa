"""One canvas and scale per character."""

import numpy as np
import pytest

from studio.sprites.canvas import Reach, common_canvas, fit_scale, reach, resized, widest
from studio.sprites.errors import FramesError

from .figures import COAT, blank, swinger


def test_reach_counts_from_the_anchor_over_all_frames():
    frames = blank(2, 20, 20)
    frames[0, 4:10, 3:8] = COAT
    frames[1, 8:12, 12:15] = COAT
    assert reach(frames, (10, 12)) == Reach(7, 8, 5, 0)
    assert widest([Reach(1, 2, 3, 4), Reach(4, 3, 2, 1)]) == Reach(4, 3, 3, 4)


def test_one_scale_fits_every_side_and_never_enlarges():
    assert fit_scale(Reach(10, 40, 20, 0), (32, 32), (16, 30)) == pytest.approx(30 / 40)
    assert fit_scale(Reach(4, 4, 40, 0), (32, 32), (16, 30)) == pytest.approx(16 / 40)
    assert fit_scale(Reach(1, 1, 1, 1), (32, 32), (16, 30)) == 1.0
    sides = [fit_scale(Reach(*(90 * (side == n) for n in range(4))), (70, 50), (30, 35)) for side in range(4)]
    assert sides == pytest.approx([30 / 90, 35 / 90, 40 / 90, 15 / 90])


def test_common_canvas_puts_all_anchors_on_one_point_without_losing_a_pixel():
    big, small = swinger(3), blank(2, 16, 16)
    small[:, 2:16, 5:9] = COAT
    clips, anchor = common_canvas([big, small], [(60, 110), (7, 16)], margin=2)
    assert clips[0].shape[1:] == clips[1].shape[1:]
    assert [(c[..., 3] > 0).sum() for c in clips] == [(c[..., 3] > 0).sum() for c in (big, small)]
    assert reach(clips[1], anchor) == reach(small, (7, 16))
    assert reach(clips[0], anchor) == reach(big, (60, 110))


def test_resizing_painted_art_leaves_no_dark_rim():
    """Colour is averaged premultiplied, so black under alpha 0 does not enter it (field report 18)."""
    frames = blank(1, 64, 64)
    frames[0, 16:48, 16:48] = (250, 200, 150, 255)
    half = resized(frames, 0.37)[0]
    soft = half[half[..., 3] > 8]
    assert np.abs(soft[:, :3].astype(int) - (250, 200, 150)).max() <= 12
    assert not half[half[..., 3] == 0].any()


def test_pixel_art_keeps_its_colours_and_bad_scales_are_refused():
    frames = swinger(1)
    out = resized(frames, 2.0, pixel_art=True)
    assert np.array_equal(out[:, ::2, ::2], frames)
    assert resized(frames, 0.001).shape == resized(frames, 0.001, pixel_art=True).shape == (1, 1, 1, 4)
    with pytest.raises(FramesError, match="above 0"):
        resized(frames, 0)
    with pytest.raises(FramesError, match="at least one"):
        widest([])
