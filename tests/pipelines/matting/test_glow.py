"""Effects: nothing is solid, every pixel is unmixed."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from pipelines.errors import PictureError
from pipelines.matting import cut_out, difference_matte
from pipelines.matting.glow import colour_to_alpha

from .drawn import over


def flame(side: int = 96) -> np.ndarray:
    """uint8 (S, S, 4): a round glow, solid in the middle and gone at the rim."""
    y, x = np.mgrid[0:side, 0:side] - (side - 1) / 2
    fade = np.clip(1 - np.hypot(x, y) / (0.42 * side), 0, 1) ** 1.5
    out = np.dstack([np.full((side, side, 3), (255, 190, 40)), np.round(255 * fade)]).astype(np.uint8)
    return out * (out[..., 3:] > 0)


@pytest.mark.parametrize("background", [(0, 0, 0), (0, 0, 255), (10, 20, 160)])
def test_a_glow_stays_see_through(background: tuple[int, int, int]) -> None:
    art = flame()
    cutout = cut_out(over(art, background), "glow")
    assert cutout.method == "glow" and "nothing is solid" in cutout.note
    assert np.abs(cutout.art[..., 3].astype(int) - art[..., 3]).max() <= 14
    assert (cutout.art[cutout.art[..., 3] == 0] == 0).all()
    bright = art[..., 3] > 60
    assert np.abs(cutout.art[..., :3].astype(int) - art[..., :3])[bright].mean() < 8


def test_sparks_are_not_specks() -> None:
    art = np.zeros((96, 96, 4), np.uint8)
    art[30:60, 30:60] = (255, 255, 255, 255)
    art[4:6, 88:90] = (255, 255, 255, 255)
    assert cut_out(over(art, (0, 0, 0)), "glow").art[4, 88, 3] == 255
    assert cut_out(over(art, (0, 0, 0)), "key").art[4, 88, 3] == 0


@settings(max_examples=40, deadline=None)
@given(arrays(np.uint8, (4, 5, 3)), st.tuples(*[st.integers(0, 255)] * 3))
def test_over_the_key_again_it_is_the_picture(seen: np.ndarray, colour: tuple[int, int, int]) -> None:
    key = np.broadcast_to(np.float32(colour), seen.shape)
    rgb, alpha = colour_to_alpha(seen, key)
    again = rgb * alpha[..., None] + key * (1 - alpha[..., None])
    assert np.abs(again - seen).max() < 1


@settings(max_examples=40, deadline=None)
@given(arrays(np.uint8, (6, 4, 4)))
def test_two_renders_give_the_true_alpha(art: np.ndarray) -> None:
    matte = difference_matte(over(art, (0, 0, 0))[..., :3], over(art, (255, 255, 255))[..., :3])
    assert np.abs(matte[..., 3].astype(int) - art[..., 3]).max() <= 1
    solid = art[..., 3] > 250
    assert np.abs(matte[..., :3].astype(int) - art[..., :3])[solid].max(initial=0) <= 6


def test_renders_that_do_not_belong_together_are_refused() -> None:
    black, white = np.zeros((4, 4, 3), np.uint8), np.full((4, 4, 3), 255, np.uint8)
    with pytest.raises(PictureError, match="Swap the two"):
        difference_matte(white, black)
    with pytest.raises(PictureError, match="same size"):
        difference_matte(black, white[:2])
