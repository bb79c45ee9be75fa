"""Limbs bend without cracks and keep their thickness."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from pipelines.rig.deform import bend

REST = np.array([[0.0, 0.0], [0.0, 40.0], [0.0, 80.0]])
turns = st.floats(-2.4, 2.4)


def _posed(first: float, second: float, length: float = 40.0) -> np.ndarray:
    elbow = length * np.array([np.sin(first), np.cos(first)])
    return np.stack([np.zeros(2), elbow, elbow + length * np.array([np.sin(first + second), np.cos(first + second)])])


def _grid(reach: float = 100.0, step: float = 1.0) -> tuple[np.ndarray, np.ndarray]:
    side = np.arange(-reach, reach, step, dtype=np.float32)
    return tuple(np.meshgrid(side, side))  # type: ignore[return-value]


def test_unmoved_chain_is_the_identity() -> None:
    x, y = _grid()
    sx, sy, trust = bend(REST, REST, 6, 12, x, y)
    assert np.allclose(sx, x, atol=1e-3) and np.allclose(sy, y, atol=1e-3)
    assert trust.min() > 0.99


@given(turns, turns)
@settings(max_examples=40, deadline=None)
def test_bones_land_on_the_drawn_bones(first: float, second: float) -> None:
    posed = _posed(first, second)
    for k in (0, 1):
        for share in (0.15, 0.5, 0.85):
            spot = posed[k] + (posed[k + 1] - posed[k]) * share
            x, y = np.full((1, 1), spot[0], np.float32), np.full((1, 1), spot[1], np.float32)
            sx, sy, _ = bend(REST, posed, 6, 12, x, y)
            assert np.allclose([sx[0, 0], sy[0, 0]], REST[k] + (REST[k + 1] - REST[k]) * share, atol=0.6)


@given(turns, st.floats(-1.5, 1.5))
@settings(max_examples=25, deadline=None)
def test_area_of_a_bent_limb_is_kept(first: float, second: float) -> None:
    x, y = _grid()
    sx, sy, _ = bend(REST, _posed(first, second), 6, 12, x, y)
    shown = (np.abs(sx) < 6) & (sy > -4) & (sy < 86)
    assert 0.85 < shown.sum() / (12 * 90) < 1.12


def test_bend_is_continuous_across_the_joint() -> None:
    x, y = _grid(reach=60, step=0.5)
    sx, sy, _ = bend(REST, _posed(0.2, 1.3), 6, 12, x, y)
    near = (np.abs(sx) < 6) & (sy > 0) & (sy < 80)
    both = near[:, 1:] & near[:, :-1]
    assert np.hypot(np.diff(sx, axis=1), np.diff(sy, axis=1))[both].max() < 5  # a tear would jump by a limb


def test_foreshortening_scales_along_the_bone_only() -> None:
    posed = _posed(0, 0, length=28.0)
    x, y = np.full((1, 1), 5, np.float32), np.full((1, 1), 14, np.float32)
    sx, sy, trust = bend(REST, posed, 6, 12, x, y)
    assert np.isclose(sx[0, 0], 5, atol=0.2) and np.isclose(sy[0, 0], 20, atol=0.2)
    assert trust[0, 0] < 0.8
