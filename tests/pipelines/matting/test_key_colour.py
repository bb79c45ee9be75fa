"""The key that a character is put on is chosen by what it wears."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipelines.errors import PictureError
from pipelines.matting import choose_key, cut_out, rank_keys
from pipelines.matting.key_colour import KEYS, RISK

from .drawn import hero, over


def worn(colour: tuple[int, int, int]) -> np.ndarray:
    art = hero().copy()
    art[art[..., 3] > 0, :3] = colour
    return art


@pytest.mark.parametrize(
    ("colour", "never"),
    [
        ((20, 170, 40), "green"),
        ((8, 162, 24), "green"),
        ((200, 40, 190), "magenta"),
        ((40, 60, 190), "blue"),
        ((210, 30, 30), "red"),
    ],
)
def test_a_figure_never_gets_a_key_that_it_wears(colour: tuple[int, int, int], never: str) -> None:
    """Field report 21: the key is judged as it will be painted, darker than pure."""
    ranked = {choice.name: choice for choice in rank_keys(worn(colour))}
    assert ranked[never].at_risk == 1 and "100.0%" in ranked[never].note
    best = choose_key(worn(colour))
    assert best.name != never and best.at_risk == 0 and best.distance > RISK and "nothing" in best.note


def test_a_teal_subject_gets_neither_green_nor_cyan() -> None:
    """Field report 21: a hard-coded green mask erased 15 thousand pixels of a teal subject."""
    assert choose_key(worn((20, 150, 120))).name not in ("green", "cyan")


def test_a_small_part_counts() -> None:
    art = worn((120, 120, 120))
    art[100:120, 100:120, :3] = (0, 220, 0)
    ranked = {choice.name: choice for choice in rank_keys(art)}
    assert 0 < ranked["green"].at_risk < 0.05
    assert choose_key(art).name != "green"


@settings(max_examples=25, deadline=None)
@given(st.tuples(*[st.integers(0, 255)] * 3))
def test_the_chosen_key_keeps_every_solid_pixel(colour: tuple[int, int, int]) -> None:
    art = worn(colour)
    cutout = cut_out(over(art, choose_key(art).colour), "key", hard_edge=False).art
    solid = art[..., 3] == 255
    assert (cutout[solid] == art[solid]).all()


def test_every_key_is_ranked_and_an_empty_picture_is_refused() -> None:
    assert {choice.name for choice in rank_keys(hero())} == set(KEYS)
    with pytest.raises(PictureError, match="fully transparent"):
        choose_key(np.zeros((8, 8, 4), np.uint8))
