"""The pixel grid: found where there is one, and only there."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from studio.sprites.canvas import resized
from studio.sprites.errors import FramesError
from studio.sprites.pixel import PixelGrid, detect_grid, snapped

from .figures import orbit, shifted, swinger


def art(seed=0, count=2, width=20, height=16):
    """Small pictures with many edges, hard alpha."""
    rng = np.random.default_rng(seed)
    table = np.array([(0, 0, 0, 0), (220, 40, 40, 255), (40, 90, 200, 255), (250, 240, 200, 255)], np.uint8)
    return table[rng.integers(0, 4, (count, height, width))]


def enlarged(frames, size):
    return frames.repeat(size, axis=1).repeat(size, axis=2)


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(2, 12), st.data())
def test_an_enlarged_drawing_is_found_and_comes_back_exactly(seed, size, data):
    x, y = data.draw(st.integers(0, size - 1)), data.draw(st.integers(0, size - 1))
    small = art(seed)
    big = np.pad(enlarged(small, size), ((0, 0), (y, 0), (x, 0), (0, 0)))
    grid = detect_grid(big)
    assert (grid.size, grid.x, grid.y) == (size, x, y) and grid.confidence > 0.9
    back = snapped(big, grid)
    assert np.array_equal(back[:, back.shape[1] - 16 :, back.shape[2] - 20 :], small)


def test_a_smeared_and_grainy_enlargement_still_snaps_to_the_drawing():
    """What a video model makes of pixel art: soft rims and noise."""
    small = art(4)
    small[..., 3] = 255
    big = enlarged(small, 8)
    soft = np.stack([np.asarray(Image.fromarray(f).resize((150, 120)).resize((160, 128))) for f in big])
    noise = np.random.default_rng(1).integers(-3, 4, soft.shape)
    soft = np.clip(soft.astype(int) + noise, 0, 255).astype(np.uint8)
    soft[..., 3] = 255
    grid = detect_grid(soft)
    assert grid.size == 8
    close = np.abs(snapped(soft, grid)[:, :16, :20].astype(int) - small).max(axis=-1) <= 12
    assert close.mean() > 0.97


def test_painted_art_is_left_alone():
    y, x = np.mgrid[:96, :96]
    frames = orbit(3, 9, 96)
    frames[..., 0] = np.where(frames[..., 3] > 0, (x * 2 + y) % 256, 0)
    assert detect_grid(frames).size == 1
    assert snapped(frames, detect_grid(frames)) is frames
    assert detect_grid(np.zeros((1, 8, 8, 4), np.uint8)).size == 1


def test_a_grid_given_by_hand_overrides():
    small = resized(swinger(1), 0.25, pixel_art=True)
    grid = PixelGrid(4)
    assert snapped(swinger(1), grid).shape == small.shape
    moved = shifted(swinger(1)[0], 1, 2)[None]
    assert snapped(moved, PixelGrid(4, 1, 2)).shape == (1, 33, 33, 4)
    for bad in ((0, 0, 0), (4, 4, 0), (4, 0, -1)):
        with pytest.raises(FramesError, match="pixel grid"):
            PixelGrid(*bad)
