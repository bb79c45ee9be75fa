"""Pixel art is told from anti-aliased art."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from pipelines.matting import looks_like_pixel_art, pixel_scale

from .drawn import hero, over

ROOT = Path(__file__).parents[3]
SPRITES = Path(os.environ.get("SPRIGHTLY_DATA", ROOT.parent / "shared" / "data")) / "lpc_revised"


def sprite(seed: int = 0) -> np.ndarray:
    """uint8 (40, 32, 4): a shaded block figure of eight colours."""
    rng = np.random.default_rng(seed)
    palette = np.concatenate([rng.integers(0, 256, (8, 3)), np.full((8, 1), 255)], axis=1).astype(np.uint8)
    art = np.zeros((40, 32, 4), np.uint8)
    art[4:36, 8:24] = np.repeat(np.repeat(palette[rng.integers(0, 8, (8, 4))], 4, axis=0), 4, axis=1)
    art[10:12, 12:14] = palette[0]
    art[11, 5:8] = palette[1]
    return art


@pytest.mark.parametrize("scale", [1, 2, 5, 16])
def test_pixel_art_at_any_whole_scale(scale: int) -> None:
    big = np.kron(sprite(), np.ones((scale, scale, 1), np.uint8))
    assert looks_like_pixel_art(big)
    assert pixel_scale(big) == scale
    assert looks_like_pixel_art(over(big, (255, 255, 255)))


@pytest.mark.parametrize("side", [64, 128, 256, 512])
def test_anti_aliased_art_is_not(side: int) -> None:
    assert not looks_like_pixel_art(hero(side))
    assert not looks_like_pixel_art(over(hero(side), (255, 255, 255)))


def test_photographs_noise_and_nothing_are_not() -> None:
    noise = np.random.default_rng(0).integers(0, 256, (64, 64, 4)).astype(np.uint8)
    noise[..., 3] = 255
    assert not looks_like_pixel_art(noise)
    assert not looks_like_pixel_art(np.zeros((64, 64, 4), np.uint8))
    soft = sprite()
    soft[20:30, 10:20, 3] = 128
    assert not looks_like_pixel_art(soft)


def test_real_sprites() -> None:
    sheets = sorted(SPRITES.rglob("Idle.png"))[::40]
    if not sheets:
        pytest.skip("the data folder is not here")
    cells = [np.asarray(Image.open(path).convert("RGBA"))[:64, :64] for path in sheets]
    cells = [cell for cell in cells if (cell[..., 3] > 0).sum() > 100]
    assert np.mean([looks_like_pixel_art(cell) for cell in cells]) > 0.9
