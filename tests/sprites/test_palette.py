"""One palette for everything."""

import numpy as np
import pytest

from studio.sprites.errors import FramesError
from studio.sprites.palette import indexed, shared_palette

from .figures import blank, swinger


def test_few_colours_stay_exact_over_all_actions():
    frames, other = swinger(3), blank(1, 4, 4)
    other[:] = (1, 2, 3, 255)
    palette = shared_palette([frames, other], 16)
    assert [tuple(c) for c in palette] == sorted({(224, 172, 138), (60, 90, 160), (40, 30, 30), (1, 2, 3)})
    numbers = indexed(frames, palette)
    seen = frames[..., 3] > 0
    assert np.array_equal(palette[numbers][seen], frames[seen][:, :3])


def test_many_colours_are_cut_without_padding():
    """Padding with black would win the nearest-colour search for dark blues."""
    rng = np.random.default_rng(3)
    frames = rng.integers(100, 256, (2, 40, 40, 4)).astype(np.uint8)
    frames[..., 3] = 255
    palette = shared_palette([frames], 32)
    assert 16 <= len(palette) <= 32 and palette.min() >= 100
    assert np.abs(palette[indexed(frames, palette)].astype(int) - frames[..., :3]).mean() < 30
    assert np.array_equal(palette, shared_palette([frames], 32))


def test_nothing_opaque_and_impossible_sizes():
    assert shared_palette([blank(1, 3, 3)], 8).shape == (1, 3)
    with pytest.raises(FramesError, match="1 to 256"):
        shared_palette([], 0)
