"""Pictures that are cut out already."""

from __future__ import annotations

import numpy as np
import pytest

from pipelines.matting import cut_out
from pipelines.matting.transparency import halo, is_cut_out

from .drawn import hero


def light_hero() -> np.ndarray:
    """Without ink: a dark halo shows on light edges only."""
    art = hero().copy()
    art[art[..., 3] > 0, :3] = (240, 200, 160)
    return art


def test_a_clean_cut_out_is_kept_exactly() -> None:
    art = light_hero()
    cutout = cut_out(art)
    assert (cutout.art == art).all()
    assert cutout.method == "alpha" and cutout.confidence == 1.0
    assert "halo" not in cutout.note


def test_ink_is_not_mistaken_for_a_halo() -> None:
    assert (cut_out(hero()).art == hero()).all()


@pytest.mark.parametrize(("level", "name"), [(0, "dark"), (255, "light")])
def test_a_baked_matte_is_taken_out(level: int, name: str) -> None:
    """Field report 18: premultiplied colours leave a dark rim; edge RGB equals the figure's within tolerance."""
    art = light_hero() if level == 0 else hero()
    baked = art.copy()
    share = art[..., 3:] / 255
    baked[..., :3] = np.round(art[..., :3] * share + level * (1 - share)) * (share > 0)
    assert halo(art) is None
    cutout = cut_out(baked)
    assert name in cutout.note
    visible = art[..., 3] > 40
    assert np.abs(cutout.art[..., :3].astype(int) - art[..., :3])[visible].max() <= 8
    assert (cutout.art[..., 3] == art[..., 3]).all()


def test_a_transparent_corner_is_not_a_cut_out() -> None:
    picture = np.full((100, 100, 4), 255, np.uint8)
    picture[20:80, 20:80, :3] = 90
    picture[:4, :4] = 0
    assert not is_cut_out(picture)
    cutout = cut_out(picture)
    assert cutout.method == "key"
    assert cutout.art[50, 50, 3] == 255 and cutout.art[10, 50, 3] == 0
