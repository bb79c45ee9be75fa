"""The embedded backend keeps the contract, with the weights that ship."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from pipelines.adapter import Adapter
from pipelines.cancel import NEVER, CancelToken
from pipelines.embedded.backend import EmbeddedBackend
from pipelines.errors import Cancelled, MissingWeightsError, RequestError
from pipelines.figure import ANCHOR, sole_line
from pipelines.request import GenerateRequest


def quiet(done: int, total: int) -> None:
    pass


@pytest.fixture(scope="module")
def request_(knight, walk) -> GenerateRequest:
    return GenerateRequest(knight, "walk", frames=8, fps=10, loop=True, size=96, pose=walk, steps=1, seed=5)


@pytest.fixture(scope="module")
def clip(backend, request_):
    return backend.generate(request_, quiet, NEVER)


def test_a_clip_of_the_asked_size(clip):
    assert clip.frames.shape == (8, 96, 96, 4)
    assert (clip.fps, clip.action, clip.facing, clip.loop, clip.anchor) == (10, "walk", "right", True, ANCHOR)
    assert not clip.frames[clip.frames[..., 3] == 0].any()
    assert clip.origin["seed"] == 5
    assert clip.origin["guided"] is True


def test_the_figure_walks_on_its_ground(clip):
    soles = [sole_line(frame[..., 3]) / 96 for frame in clip.frames]
    assert max(abs(sole - ANCHOR[1]) for sole in soles) < 0.05
    assert np.abs(np.diff(clip.frames.astype(int), axis=0)).mean() > 0.5


def test_the_same_seed_gives_the_same_pixels(backend, clip, request_):
    assert np.array_equal(backend.generate(request_, quiet, NEVER).frames, clip.frames)


def test_facing_left_is_the_mirror_image(backend, clip, request_):
    left = backend.generate(replace(request_, facing="left"), quiet, NEVER)
    assert np.array_equal(left.frames[:, :, ::-1], clip.frames)
    assert left.facing == "left"


def test_it_says_that_it_cannot_turn_the_figure(backend, request_):
    with pytest.raises(RequestError, match="drawn facing right"):
        backend.generate(replace(request_, facing="back"), quiet, NEVER)


def test_without_pose_the_network_alone_moves(backend, request_):
    clip = backend.generate(replace(request_, pose=None), quiet, NEVER)
    assert clip.frames.shape == (8, 96, 96, 4)
    assert clip.origin["guided"] is False
    assert (clip.frames[..., 3] > 127).mean() > 0.05


def test_pixel_art_stays_pixel_art(backend, hero, request_):
    from pipelines.figure import place
    from pipelines.pose.motion import ACTIONS
    from pipelines.pose.retarget import fit

    track = fit(ACTIONS["run"], hero, place(hero), 4, 12)
    clip = backend.generate(replace(request_, figure=hero, frames=4, pose=track), quiet, NEVER)
    assert set(np.unique(clip.frames[..., 3])) == {0, 255}
    palette = {tuple(c) for c in hero.art[hero.art[..., 3] > 127][:, :3]}
    assert {tuple(c) for c in clip.frames[clip.frames[..., 3] == 255][:, :3]} <= palette


def test_cancel_stops_within_a_step(backend, request_):
    told = []
    token = CancelToken(lambda: len(told) >= 1)
    with pytest.raises(Cancelled):
        backend.generate(replace(request_, steps=8), lambda done, total: told.append(done), token)
    assert told == [1]


def test_a_look_from_other_weights_is_refused(backend, request_, tmp_path):
    look = Adapter(tmp_path, "embedded", "0" * 12, 4)
    with pytest.raises(RequestError, match="other base weights"):
        backend.generate(replace(request_, adapter=look), quiet, NEVER)


def test_missing_weights_say_how_to_get_them(tmp_path):
    with pytest.raises(MissingWeightsError, match=r"lora_trainer.base train"):
        EmbeddedBackend(weights=tmp_path)


def test_shipped_files_are_small_and_hold_no_pickle(backend):
    files = [file for file in backend.weights.rglob("*") if file.is_file()]
    assert all(file.stat().st_size < 9 * 1024 * 1024 for file in files)
    assert {file.suffix for file in files} <= {".json", ".safetensors", ".npz"}
