"""All 256 states of the keys, and the exact numbers that the field published."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipelines.interactive.actions import BIT, DEFAULT_MAP, KEYS, Action, byte_of, tenths, vector


@pytest.mark.parametrize("duration", [0.0, 0.1, 0.5, 1.0])
def test_every_state_of_the_eight_keys(duration: float) -> None:
    for keys in range(256):
        x, y, z, *rotation = vector(keys, duration)
        right, left, ahead, back = (bool(keys & BIT[name]) for name in ("right", "left", "forward", "back"))
        side, front = right - left, ahead - back
        assert np.sign([x, z]).tolist() == ([side, front] if duration else [0, 0])
        whole = 10 * duration if side or front else 0.0
        assert np.hypot(x, z) == pytest.approx(whole)
        jumps = bool(keys & BIT["jump"])
        assert (y, rotation) == ((5.0, [np.float32(0.1), 0, 0]) if jumps else (0.0, [0, 0, 0]))


def test_the_published_vectors_exactly() -> None:
    assert vector(BIT["forward"], 0.7).tolist() == np.float32([0, 0, 7, 0, 0, 0]).tolist()
    assert vector(BIT["forward"], 1.0).tolist() == [0, 0, 10, 0, 0, 0]
    assert vector(BIT["jump"]).tolist() == np.float32([0, 5, 0, 0.1, 0, 0]).tolist()


def test_a_diagonal_is_no_faster() -> None:
    assert vector(byte_of(["forward", "right"])) == pytest.approx([50**0.5, 0, 50**0.5, 0, 0, 0])
    assert vector(byte_of(["left", "right", "forward", "back"])).tolist() == [0] * 6


@given(st.integers(-100_000, 100_000))
def test_the_mouse_turns_by_whole_tenths_of_a_degree(counts: int) -> None:
    assert tenths(counts) == counts
    assert abs(tenths(counts * 0.37) * 0.1 - counts * 0.037) <= 0.0501


def test_one_byte_and_no_more() -> None:
    assert byte_of(KEYS) == 255 and Action(byte_of(["hurt"])).held("hurt") and not Action(1).held("hurt")
    with pytest.raises(ValueError, match="one byte"):
        Action(256)
    with pytest.raises(KeyError):
        byte_of(["fly"])


def test_every_key_can_be_pressed() -> None:
    assert set(DEFAULT_MAP.values()) == set(KEYS)
