"""Batches: exact shares, every sample in turn, and a cache that never goes stale."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from lora_trainer.cache import ItemCache, fingerprint
from lora_trainer.dataset import Dataset, drawn, turn
from pipelines.backend import TrainingSample
from pipelines.cancel import NEVER
from pipelines.errors import TrainingError
from pipelines.events import Step, Warning
from pipelines.pose.skeleton import N_JOINTS, PoseTrack
from tests.lora_trainer.conftest import CONFIG
from tests.lora_trainer.tiny_backbone import TinyTrainable, tiny_figure, tiny_sample


@given(st.integers(0, 500), st.integers(1, 64), st.floats(0, 0.9), st.floats(0, 1))
def test_shares_are_met_at_every_step(steps: int, batch: int, prior: float, still: float) -> None:
    mix, after = drawn(steps, batch, prior, still), drawn(steps + 1, batch, prior, still)
    assert mix.stills + mix.animated + mix.priors == steps * batch
    assert abs(mix.priors - prior * steps * batch) <= 0.5 + 1e-6
    assert abs(mix.stills - still * (steps * batch - mix.priors)) <= 0.5 + 1e-6
    assert after.stills >= mix.stills and after.priors >= mix.priors
    assert after.animated >= mix.animated


@given(st.integers(1, 12), st.integers(0, 2**32 - 1), st.integers(0, 30))
def test_every_sample_has_its_turn_in_every_round(count: int, seed: int, round_: int) -> None:
    assert sorted(turn(round_ * count + n, count, seed) for n in range(count)) == list(range(count))


def _dataset(tmp_path, samples, trainable=None, figure=None, **changes) -> Dataset:
    config = dataclasses.replace(CONFIG, **changes)
    cache = ItemCache(tmp_path)
    return Dataset(config, figure or tiny_figure(), samples, trainable or TinyTrainable(4, 0), cache, "tiny 0")


def _prepared(tmp_path, samples, **more) -> Dataset:
    dataset = _dataset(tmp_path, samples, **more)
    for _ in dataset.prepare(NEVER):
        pass
    return dataset


def test_a_batch_holds_stills_then_clips_then_priors(tmp_path) -> None:
    dataset = _prepared(tmp_path, [tiny_sample(6, "walk")], batch=8, prior_share=0.25, still_share=0.5)
    for step in (0, 3, 9):
        batch = dataset.batch(step)
        assert [len(item["picture"]) for item in batch] == [1, 1, 1, 6, 6, 6, 1, 1]
        assert ["answer" in item for item in batch] == [False] * 6 + [True] * 2


def test_a_batch_is_a_function_of_the_step_alone(tmp_path) -> None:
    samples = [tiny_sample(1, "idle"), tiny_sample(6, "walk"), tiny_sample(4, "run")]
    one, other = _prepared(tmp_path / "a", samples), _prepared(tmp_path / "b", samples)
    for step in range(3):
        one.batch(step)
    for a, b in zip(one.batch(7), other.batch(7), strict=True):
        assert torch.equal(a["picture"], b["picture"]) and a["weight"] == b["weight"]
    changed = _prepared(tmp_path / "b", samples, seed=1)
    pairs = [pair for step in range(4) for pair in zip(changed.batch(step), other.batch(step), strict=True)]
    assert not all(
        a["picture"].shape == b["picture"].shape and torch.equal(a["picture"], b["picture"]) for a, b in pairs
    )


def test_no_stills_at_all_when_the_artist_asks_for_none(tmp_path) -> None:
    dataset = _prepared(tmp_path, [tiny_sample(6, "walk")], still_share=0.0, prior_share=0.0)
    assert all(len(item["picture"]) == 6 for step in range(5) for item in dataset.batch(step))


def test_progress_is_told_while_preparing(tmp_path) -> None:
    events = list(_dataset(tmp_path, [tiny_sample(6, "walk")]).prepare(NEVER))
    assert events == [
        Step(1, 4, "Reading samples"),
        *(Step(n, 4, "Preparing other characters") for n in (2, 3, 4)),
    ]


def test_no_more_priors_than_the_run_draws(tmp_path) -> None:
    trainable = TinyTrainable(4, 0)
    _prepared(tmp_path, [], trainable=trainable, steps=2, batch=2, prior_share=0.5, priors=2000)
    assert trainable.priors == 2
    none = TinyTrainable(4, 0)
    _prepared(tmp_path, [], trainable=none, prior_share=0.0)
    assert none.priors == 0


def test_editing_one_sample_encodes_only_that_one(tmp_path) -> None:
    """Field report 15."""
    walk, run = tiny_sample(6, "walk"), tiny_sample(4, "run")
    _prepared(tmp_path, [walk, run])
    again = TinyTrainable(4, 0)
    _prepared(tmp_path, [walk, run], trainable=again)
    assert again.encoded == [] and again.priors == 0

    frames = run.frames.copy()
    frames[2, 9, 18, 0] ^= 1
    edited = TinyTrainable(4, 0)
    dataset = _prepared(tmp_path, [walk, dataclasses.replace(run, frames=frames)], trainable=edited, prior_share=0.0)
    assert edited.encoded == ["run"]
    told = TinyTrainable(4, 0)
    _prepared(tmp_path, [dataclasses.replace(walk, caption="another caption"), run], trainable=told)
    assert told.encoded == ["walk"]
    values = {
        float(item["picture"][2, 0, 9, 18]) for item in dataset.batch(0) + dataset.batch(1) if len(item["picture"]) == 4
    }
    assert values == {float(np.float32(frames[2, 9, 18, 0]) / np.float32(255))}  # and the edit is what is learned


def test_another_figure_or_base_shares_nothing_but_priors(tmp_path) -> None:
    _prepared(tmp_path, [tiny_sample(6, "walk")])
    other = TinyTrainable(4, 0)
    _prepared(tmp_path, [tiny_sample(6, "walk")], trainable=other, figure=tiny_figure(red=90))
    assert other.encoded == ["walk"] and other.priors == 0
    base = TinyTrainable(4, 0)
    dataset = dataclasses.replace(_dataset(tmp_path, [tiny_sample(6, "walk")], trainable=base), base="tiny 1")
    list(dataset.prepare(NEVER))
    assert base.encoded == ["walk"] and base.priors == 3


def test_a_sample_that_cannot_be_learned_is_told_and_left_out(tmp_path) -> None:
    class Choosy(TinyTrainable):
        def encode(self, sample, figure):
            if sample.action == "run":
                raise TrainingError("No joints were found in the run sample.")
            return super().encode(sample, figure)

    samples = [tiny_sample(4, "run"), tiny_sample(6, "walk")]
    dataset = _dataset(tmp_path, samples, trainable=Choosy(4, 0), prior_share=0.0, still_share=0.0)
    told = [event.text for event in dataset.prepare(NEVER) if isinstance(event, Warning)]
    assert told == ["Sample 1 is left out. No joints were found in the run sample."]
    assert [len(item["picture"]) for item in dataset.batch(0)] == [6] * 4
    assert dataset.repeats(2) == [0, 8]


def test_a_damaged_cache_file_is_made_again(tmp_path) -> None:
    cache, calls = ItemCache(tmp_path), []

    def make() -> list:
        calls.append(1)
        return [{"x": torch.arange(6.0), "name": "walk", "number": 3}, {"x": torch.zeros(2, dtype=torch.int64)}]

    assert cache.count("key", make) == cache.count("key", make) == 2 and len(calls) == 1
    item = cache.read("key", 0)
    assert torch.equal(item["x"], torch.arange(6.0)) and (item["name"], item["number"]) == ("walk", 3)
    assert cache.read("key", 1)["x"].dtype == torch.int64
    next(tmp_path.glob("*-001.safetensors")).write_bytes(b"half a fi")
    assert cache.count("key", make) == 2 and len(calls) == 2
    next(tmp_path.glob("*-000.safetensors")).unlink()
    assert cache.count("key", make) == 2 and len(calls) == 3
    assert not list(tmp_path.glob("*.part"))


def _sample(**changes) -> TrainingSample:
    track = PoseTrack(np.zeros((1, N_JOINTS, 3), np.float32), np.ones((1, N_JOINTS), np.float32))
    return dataclasses.replace(TrainingSample(np.zeros((1, 4, 4, 4), np.uint8), track, "walk", "a", 1.0), **changes)


def test_the_fingerprint_sees_every_part() -> None:
    track = PoseTrack(np.full((1, N_JOINTS, 3), 0.5, np.float32), np.ones((1, N_JOINTS), np.float32))
    changes = [{}, {"frames": np.zeros((1, 4, 8, 2), np.uint8)}, {"track": None}, {"track": track}, {"action": "run"}]
    changes += [{"caption": "b"}, {"weight": 0.5}, {"frames": np.ones((1, 4, 4, 4), np.uint8)}]
    assert len({fingerprint(_sample(**change)) for change in changes}) == len(changes)
    assert fingerprint(_sample()) == fingerprint(_sample())


def test_the_fingerprint_never_mixes_up_neighbours() -> None:
    values = [
        ("ab", "c"),
        ("a", "bc"),
        (["a", "bc"],),
        (1,),
        (1.0,),
        ("1",),
        (True,),
        (None,),
        ([],),
        ({},),
        ({"a": 1},),
    ]
    assert len({fingerprint(*value) for value in values}) == len(values)
    assert fingerprint({"a": 1, "b": 2}) == fingerprint({"b": 2, "a": 1})
    with pytest.raises(TypeError):
        fingerprint(object())
