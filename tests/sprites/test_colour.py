"""OKLab, palettes by eye, locking with and without dither, recolouring."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from studio.sprites.dither import locked
from studio.sprites.errors import PaletteError
from studio.sprites.oklab import from_oklab, to_oklab
from studio.sprites.quantise import counted, oklab_palette
from studio.sprites.recolour import recoloured, shifted

from .figures import BOOT, COAT, SKIN, blank, swinger

GREYS = np.array([[0, 0, 0], [255, 255, 255]], np.uint8)


def ramp(width=64, height=16):
    frames = blank(1, width, height)
    frames[0, ..., :3] = np.linspace(20, 235, width).astype(np.uint8)[None, :, None]
    frames[..., 3] = 255
    return frames


def test_oklab_has_the_published_values_and_comes_back():
    """Ottosson's table: red is L 0.628, a 0.2249, b 0.1258; white is 1, 0, 0."""
    lab = to_oklab(np.array([[255, 0, 0], [255, 255, 255], [0, 0, 0]], np.uint8))
    assert np.allclose(lab, [[0.628, 0.2249, 0.1258], [1, 0, 0], [0, 0, 0]], atol=5e-4)
    cube = np.stack(np.meshgrid(*[np.arange(0, 256, 17)] * 3), axis=-1).astype(np.uint8)
    assert np.array_equal(from_oklab(to_oklab(cube)), cube)


def test_few_colours_are_kept_exactly_over_all_clips_and_counted():
    other = blank(1, 4, 4)
    other[:] = (1, 2, 3, 255)
    found = oklab_palette([swinger(2), other], 4)
    assert {tuple(c) for c in found} == {SKIN[:3], COAT[:3], BOOT[:3], (1, 2, 3)}
    assert (np.diff(to_oklab(found)[:, 0]) >= 0).all()
    assert counted([other, other])[1].tolist() == [32]
    assert oklab_palette([blank(1, 3, 3)], 8).shape == (1, 3)
    with pytest.raises(PaletteError, match="1 to 256"):
        oklab_palette([], 257)


def test_a_small_accent_keeps_its_colour_where_many_shades_of_one_coat_compete():
    frames = ramp(256, 64)
    frames[0, :2, :6, :3] = (230, 30, 40)
    found = oklab_palette([frames], 6)
    assert len(found) == 6
    assert np.abs(found.astype(int) - (230, 30, 40)).sum(axis=1).min() < 12
    assert np.array_equal(found, oklab_palette([frames.copy()], 6))


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 2**32 - 1), st.sampled_from(["none", "ordered", "error"]), st.integers(1, 5))
def test_locked_frames_hold_only_palette_colours_and_their_own_alpha(seed, dither, colours):
    rng = np.random.default_rng(seed)
    frames = rng.integers(0, 256, (2, 7, 9, 4)).astype(np.uint8)
    frames[..., 3] *= rng.integers(0, 2, (2, 7, 9)).astype(np.uint8)
    palette = rng.integers(0, 256, (colours, 3)).astype(np.uint8)
    out = locked(frames, palette, dither)
    assert np.array_equal(out[..., 3], frames[..., 3])
    seen = out[..., 3] > 0
    assert {tuple(c) for c in out[seen][:, :3]} <= {tuple(c) for c in palette}
    assert not out[~seen].any()
    assert np.array_equal(locked(out, palette, "ordered"), out), "locking twice changes nothing"


@pytest.mark.parametrize("dither", ["ordered", "error"])
def test_dither_mixes_a_ramp_that_plain_locking_splits_in_two(dither):
    flat, mixed = locked(ramp(), GREYS)[0, ..., 0], locked(ramp(), GREYS, dither)[0, ..., 0]
    assert len({tuple(row) for row in flat}) == 1
    assert (np.abs(np.diff(flat[0].astype(int))) > 0).sum() == 1
    means = mixed.reshape(4, 4, 16, 4).mean(axis=(0, 1, 3))
    assert (np.diff(means) >= -20).all() and ((means > 20) & (means < 235)).sum() >= 3
    assert np.array_equal(locked(ramp(), GREYS, dither, 0.0)[0, ..., 0], flat)


def test_ordered_dither_does_not_shimmer_and_leaves_flat_colours_flat():
    frames = np.repeat(ramp(), 2, axis=0)
    frames[1, :, 40:] = (255, 255, 255, 255)
    out = locked(frames, GREYS, "ordered")
    assert np.array_equal(out[0, :, :40], out[1, :, :40])
    own = np.array([SKIN[:3], COAT[:3], BOOT[:3]], np.uint8)
    assert np.array_equal(locked(swinger(2), own, "ordered"), swinger(2))


def test_unusable_palettes_and_dithers_are_named():
    for call in (
        lambda: locked(swinger(1), np.zeros((0, 3), np.uint8)),
        lambda: locked(swinger(1), GREYS, "ordered", 2.0),
        lambda: locked(swinger(1), GREYS, "random"),
        lambda: recoloured(swinger(1), GREYS, GREYS[:1]),
        lambda: recoloured(swinger(1), GREYS, GREYS, -1.0),
    ):
        with pytest.raises(PaletteError):
            call()


def test_a_second_player_wears_another_coat_and_nothing_else_changes():
    frames = swinger(2)
    out = recoloured(frames, np.array([COAT[:3]], np.uint8), np.array([[160, 40, 60]], np.uint8))
    coat = (frames == COAT).all(axis=-1)
    assert (out[coat] == (160, 40, 60, 255)).all() and np.array_equal(out[~coat], frames[~coat])


def test_reach_takes_the_shading_along_and_leaves_far_colours():
    frames = blank(1, 3, 1)
    frames[0, 0] = [(*COAT[:3], 255), (66, 96, 166, 255), SKIN]
    out = recoloured(frames, np.array([COAT[:3]], np.uint8), np.array([[160, 40, 60]], np.uint8), reach=0.1)
    assert tuple(out[0, 0, 0, :3]) == (160, 40, 60)
    shade = to_oklab(out[0, 0, 1, :3]) - to_oklab(out[0, 0, 0, :3])
    assert shade[0] > 0.005 and out[0, 0, 1, 0] > 140
    assert np.array_equal(out[0, 0, 2], frames[0, 0, 2])


def test_a_turned_palette_keeps_its_light_and_greys_stay_grey():
    palette = np.array([[170, 110, 110], [128, 128, 128]], np.uint8)
    turned = shifted(palette, hue=180)
    before, after = to_oklab(palette), to_oklab(turned)
    assert abs(before[0, 0] - after[0, 0]) < 0.02 and after[0, 1] < 0
    assert np.abs(turned[1].astype(int) - 128).max() <= 1
    assert np.array_equal(shifted(palette), palette)
    assert to_oklab(shifted(palette, light=0.1))[0, 0] == pytest.approx(before[0, 0] + 0.1, abs=0.01)
    assert np.ptp(shifted(palette, chroma=0.0)[0].astype(int)) <= 1
