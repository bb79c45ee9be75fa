"""The plate that a figure leaves."""

from __future__ import annotations

import numpy as np
import pytest

from pipelines.errors import PictureError
from pipelines.scenery import fill_plate
from pipelines.scenery.plate import paint_over, repeats
from tests.pipelines.matting.drawn import SIDE, gradient, hero, over


def bricks(side: int = 128) -> np.ndarray:
    y, x = np.mgrid[0:side, 0:side]
    mortar = (y % 16 < 2) | ((x + 16 * (y // 16 % 2)) % 32 < 2)
    return np.where(mortar[..., None], (70, 50, 45), (150, 100, 80)).astype(np.uint8)


def test_a_soft_background_is_carried_on() -> None:
    art = hero()
    plate = fill_plate(over(art, gradient()), art[..., 3])
    assert plate.shape == (SIDE, SIDE, 3) and plate.dtype == np.uint8
    away = np.abs(plate - np.round(gradient()))
    assert away.mean() < 1.5 and away.max() < 24
    outside = np.hypot(*(np.mgrid[0:SIDE, 0:SIDE] - SIDE / 2)) > 125
    assert (plate[outside] == over(art, gradient())[..., :3][outside]).all()


def test_bricks_stay_bricks() -> None:
    wall = bricks()
    hole = np.zeros((128, 128), bool)
    hole[40:88, 50:80] = True
    ruined = wall.copy()
    ruined[hole] = (255, 0, 255)
    plate = paint_over(ruined, hole)
    assert np.abs(plate.astype(int) - wall)[hole].mean() < 8
    assert (plate[~hole] == wall[~hole]).all()


def test_repeats_are_found() -> None:
    known = np.ones((128, 128), bool)
    known[40:88, 50:80] = False
    shifts = repeats(bricks().astype(np.float32), known)
    assert (0, 32) in shifts and (0, -32) in shifts


def test_only_the_source_is_looked_at() -> None:
    picture = np.full((40, 60, 3), (200, 0, 0), np.uint8)
    picture[:, :20] = (0, 0, 200)
    hole = np.zeros((40, 60), bool)
    hole[10:30, 25:40] = True
    source = np.zeros((40, 60), bool)
    source[:, :20] = True
    assert np.abs(paint_over(picture, hole, source)[hole].astype(int) - (0, 0, 200)).max() < 8


def test_errors_and_the_picture_without_a_hole() -> None:
    picture = bricks()
    assert (fill_plate(picture, np.zeros((128, 128), np.uint8)) == picture).all()
    with pytest.raises(PictureError, match="covers the whole picture"):
        fill_plate(picture, np.full((128, 128), 255, np.uint8))
    with pytest.raises(PictureError, match="cut it out again"):
        fill_plate(picture, np.zeros((4, 4), np.uint8))
