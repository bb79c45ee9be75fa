"""The measured border."""

from __future__ import annotations

import numpy as np
import pytest

from pipelines.matting.backdrop import measure

from .drawn import busy, gradient, hero, over


def test_flat_gradient_and_busy_are_told_apart() -> None:
    flat = measure(over(hero(), (12, 200, 90))[..., :3])
    assert (flat.order, flat.colour, flat.share) == (0, (12, 200, 90), 1.0)
    assert flat.noise < 0.1
    graded = measure(over(hero(), gradient())[..., :3])
    assert graded.order >= 1 and graded.share > 0.99 and graded.noise < 1
    assert measure(over(hero(), busy())[..., :3]).noise > 12


def test_the_field_reaches_behind_the_figure() -> None:
    field = measure(over(hero(), gradient())[..., :3]).field(256, 256)
    assert np.abs(field - gradient()).max() < 6


@pytest.mark.parametrize("share", [0.1, 0.3])
def test_a_figure_on_the_border_does_not_bend_the_fit(share: float) -> None:
    scene = gradient()
    scene[-60:, : int(256 * share)] = (20, 20, 20)
    backdrop = measure(np.round(scene).astype(np.uint8))
    assert np.abs(backdrop.field(256, 256) - gradient())[:150].max() < 8
    assert 1 - share < backdrop.share < 1


def test_grain_is_measured_and_widens_the_tolerance() -> None:
    rng = np.random.default_rng(0)
    noisy = np.clip(200 + rng.normal(0, 5, (200, 200, 3)), 0, 255).astype(np.uint8)
    backdrop = measure(noisy)
    assert 4 < backdrop.noise < 6
    assert backdrop.tolerance > 22
