"""Captions: two halves, other words, and the token cap."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lora_trainer.captions import SYNONYMS, TOKEN_LIMIT, build, count_tokens, reworded, shorten
from pipelines.errors import TrainingError


def test_the_template() -> None:
    """R23, R36."""
    caption = build("slash", "a young knight in blue plate.", weapon="Sword")
    assert caption.text == ("sword slash animation of a young knight in blue plate, side view, solid background")
    assert build("walk", weapon="sword").text == "walk animation of a character, side view, solid background"
    assert build("wave_hello", facing="front").text.startswith("wave hello animation of a character, front view")
    assert build("", "an orc", "back").text.startswith("idle animation of an orc, back view")


def test_rewording_keeps_the_weapon_and_the_character() -> None:
    """R132."""
    caption = build("slash", "a knight", weapon="sword")
    seen = {reworded(caption, np.random.default_rng(seed)).action for seed in range(40)}
    assert seen == {f"sword {word}" for word in SYNONYMS["slash"]}
    assert reworded(build("moonwalk"), np.random.default_rng(0)) == build("moonwalk")
    assert reworded(caption, np.random.default_rng(3)) == reworded(caption, np.random.default_rng(3))


def test_counting_tokens() -> None:
    assert count_tokens("") == 2
    assert count_tokens("a cat, 12") == 2 + 1 + 1 + 1 + 2
    assert count_tokens("whatever", lambda text: list(range(9))) == 9


def test_a_long_caption_loses_whole_clauses_first() -> None:
    """R40."""
    caption = build("walk", "a knight in plate, red plume, " + ", ".join(["gilded pauldrons"] * 12))
    short, lost = shorten(caption)
    assert count_tokens(short.text) <= TOKEN_LIMIT < count_tokens(caption.text)
    assert short.character.startswith("a knight in plate, red plume") and not short.character.endswith(",")
    assert lost.startswith("gilded pauldrons") and caption.character.startswith(short.character)
    assert shorten(short) == (short, "")


def test_without_commas_the_last_words_go() -> None:
    short, lost = shorten(build("walk", "a very tall knight"), limit=18)
    assert (short.character, lost) == ("a very", "tall knight")


def test_an_action_that_alone_is_too_long_is_refused() -> None:
    with pytest.raises(TrainingError, match="the model reads 77; shorten the action"):
        shorten(build("spin " * 80, "a knight"))


@given(st.text(st.characters(codec="utf-8", exclude_characters="\n"), max_size=400), st.integers(30, 77))
def test_a_shortened_caption_always_fits(character: str, limit: int) -> None:
    try:
        short, _ = shorten(build("walk", character), limit)
    except TrainingError:
        assert (
            count_tokens(build("walk", character.strip().split(" ")[0] if character.strip() else "").text) > limit - 9
        )
    else:
        assert count_tokens(short.text) <= limit
