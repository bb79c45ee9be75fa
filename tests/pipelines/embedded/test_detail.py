"""The finish at any size: the artist's pixels stay where the network did not act."""

from __future__ import annotations

import numpy as np
import torch

from pipelines.embedded.conditions import at_size, premultiplied
from pipelines.embedded.denoiser import Finish
from pipelines.embedded.detail import apply, as_pixel_art
from pipelines.rig import build_puppet, draw


def frames_at(knight, walk, size):
    return draw(build_puppet(knight), walk, size)


def finish_of(mask: float, rgba: torch.Tensor) -> Finish:
    t, _, s, _ = rgba.shape
    return Finish(torch.zeros(1, t, 2, s, s), torch.full((1, t, 1, s, s), mask), rgba[None])


def test_keeping_the_rig_keeps_every_pixel_at_every_size(knight, walk):
    small = frames_at(knight, walk, 64).frames
    for size in (64, 128, 192):
        drawn = frames_at(knight, walk, size)
        large = drawn.frames
        out = apply(finish_of(1.0, torch.zeros(8, 4, 64, 64)), small, large, drawn.confidence)
        # Straight colour of nearly clear pixels cannot survive premultiplying; what is seen can.
        seen = large[..., 3:] / 255
        assert np.abs(out[..., :3] * seen - large[..., :3] * seen).max() <= 1.5
        assert np.abs(out[..., 3].astype(int) - large[..., 3]).max() <= 1


def test_a_change_of_colour_is_enlarged_over_the_art(knight, walk):
    small, large = frames_at(knight, walk, 64).frames, frames_at(knight, walk, 128).frames
    rgba = premultiplied(small)
    redder = rgba.clone()
    redder[:, 0] = torch.minimum(redder[:, 0] + 0.2, redder[:, 3])
    out = apply(finish_of(0.0, redder), small, large, np.zeros(large.shape[:3], np.uint8))
    solid = large[..., 3] == 255
    gain = out[solid][:, 0].astype(int) - large[solid][:, 0]
    assert 25 < np.median(gain) < 60
    assert abs(np.median(out[solid][:, 2].astype(int) - large[solid][:, 2])) <= 1
    again = at_size(out, 64)
    assert np.abs(again[..., 3].astype(int) - small[..., 3]).mean() < 2


def test_pixel_art_keeps_its_palette_and_hard_edges(hero):
    noise = np.random.default_rng(0).integers(0, 256, (2, 48, 48, 4), dtype=np.uint8)
    out = as_pixel_art(noise, hero)
    assert set(np.unique(out[..., 3])) == {0, 255}
    palette = {tuple(c) for c in hero.art[hero.art[..., 3] > 127][:, :3]}
    assert {tuple(c) for c in out[out[..., 3] == 255][:, :3]} <= palette
    assert not out[out[..., 3] == 0].any()


def test_what_the_rig_is_sure_of_is_never_repainted(knight, walk):
    small, drawn = frames_at(knight, walk, 64).frames, frames_at(knight, walk, 192)
    grey = torch.cat([torch.full((8, 3, 64, 64), 0.4), torch.ones(8, 1, 64, 64)], dim=1)
    out = apply(finish_of(0.0, grey), small, drawn.frames, drawn.confidence)
    same = (np.abs(out.astype(int) - drawn.frames) <= 1).all(-1)
    solid = drawn.frames[..., 3] == 255
    assert 0.2 < same[solid].mean() < 0.9
    doubtful = drawn.confidence < 128
    assert same[solid & doubtful].mean() < 0.1
