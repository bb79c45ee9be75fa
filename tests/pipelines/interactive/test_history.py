"""The ring keeps its anchor, its length, and reads what resembles the query."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipelines.interactive.history import History


def state(number: int) -> np.ndarray:
    return np.random.default_rng(number).normal(size=(8, 4, 4)).astype(np.float32)


@given(st.integers(4, 16), st.integers(0, 40))
def test_the_first_stays_and_the_newest_follow(length: int, count: int) -> None:
    history = History(length)
    for number in range(count):
        history.push(np.full((1, 2, 2), number))
    kept = [int(one[0, 0, 0]) for one in history.states] if count else []
    newest = list(range(max(1, count - length + 1), count))
    assert kept == ([0, *newest] if count else []) and len(history) == len(kept)
    history.reanchor()
    assert len(history) == min(count, 1)


@pytest.mark.parametrize("length", [3, 17, 0])
def test_four_to_sixteen(length: int) -> None:
    with pytest.raises(ValueError, match="4 to 16"):
        History(length)


def test_eight_by_default_and_zeros_before_the_first() -> None:
    history = History()
    assert history.length == 8 and history.states.shape == (0,)
    assert not history.read(state(0)).any() and history.weights.shape == (0,)


def test_reads_what_resembles_the_query() -> None:
    history = History()
    for number in range(5):
        history.push(state(number))
    mixed = history.read(3 * state(2) + 7)  # neither brightness nor contrast of the query counts
    assert history.weights.argmax() == 2 and history.weights.sum() == pytest.approx(1)
    assert history.weights[2] > 2 * np.delete(history.weights, 2).max()
    assert mixed == pytest.approx(np.einsum("n,nchw->chw", history.weights, history.states), abs=1e-5)


def test_only_one_shape() -> None:
    history = History()
    history.push(state(0))
    with pytest.raises(ValueError, match="hidden states are"):
        history.push(np.zeros((1, 2, 2)))
