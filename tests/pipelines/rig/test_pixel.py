"""Pixel art keeps its pixels: whole blocks, its own colours, hard edges."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import numpy as np
import pytest

from pipelines.figure import Figure, Placement, place
from pipelines.pose.motion import ACTIONS
from pipelines.pose.retarget import fit, rest_track
from pipelines.rig import build_puppet, draw
from pipelines.rig.pixel import grid_of, scale2x


@pytest.fixture(scope="module")
def sprite() -> Figure:
    spec = importlib.util.spec_from_file_location("rig_doll", Path(__file__).with_name("conftest.py"))
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.doll(scale=0.25, pixel_art=True)


def test_only_colours_of_the_art_and_binary_alpha(sprite: Figure) -> None:
    result = draw(build_puppet(sprite), fit(ACTIONS["run"], sprite, place(sprite), 6, 10), 128)
    art = {tuple(colour) for colour in sprite.art[sprite.art[..., 3] > 0].reshape(-1, 4)}
    drawn = {tuple(colour) for colour in result.frames.reshape(-1, 4)} - {(0, 0, 0, 0)}
    assert drawn and drawn <= art


def test_blocks_are_whole(sprite: Figure) -> None:
    placement = place(sprite)
    block, per_art = grid_of(256, placement.scale)
    assert block > 1 and per_art == 1.0
    frame = draw(build_puppet(sprite), rest_track(sprite, placement), 256).frames[0]
    even = frame[: 256 // block * block, : 256 // block * block]
    small = even[::block, ::block]
    assert (small.repeat(block, 0).repeat(block, 1) == even).all()
    solid = small[..., 3] > 0
    assert abs(int(solid.sum()) - int((sprite.art[..., 3] > 0).sum())) < 0.03 * solid.sum()


def test_rest_pose_is_the_sprite_itself(sprite: Figure) -> None:
    placement = Placement(1 / 64, (30.0, 60.0))
    frame = draw(build_puppet(sprite, placement=placement), rest_track(sprite, placement), 64).frames[0]
    at = np.round(np.array([0.5, 0.86]) * 64 - (30, 60)).astype(int)
    rows, columns = np.nonzero(sprite.art[..., 3])
    inside = (rows + at[1] >= 0) & (rows + at[1] < 64) & (columns + at[0] >= 0) & (columns + at[0] < 64)
    same = (frame[rows[inside] + at[1], columns[inside] + at[0]] == sprite.art[rows[inside], columns[inside]]).all(-1)
    assert same.mean() > 0.9


def test_cell_too_small_falls_back_to_its_own_grid() -> None:
    assert grid_of(64, 0.62 / 64) == (1, pytest.approx(0.62))
    assert grid_of(64, 1 / 64) == (1, 1.0)
    assert grid_of(128, 1 / 60) == (2, 1.0)


def test_scale2x_rounds_a_diagonal_and_keeps_colours() -> None:
    step = np.array([[1, 2, 2], [1, 1, 2], [1, 1, 1]], np.uint32)
    big = scale2x(step)
    assert big.shape == (6, 6) and set(np.unique(big)) == {1, 2}
    assert big[1, 2] == 1  # the corner of the upper step is cut
    assert (scale2x(np.full((2, 2), 7, np.uint32)) == 7).all()
