"""The embedded model is a diffusers pipeline like any other."""

from __future__ import annotations

import pytest
import torch
from diffusers import FlowMatchEulerDiscreteScheduler

from pipelines.embedded.backend import observe
from pipelines.embedded.conditions import collate
from pipelines.embedded.pipeline import EmbeddedPipeline
from pipelines.embedded.trainable import EmbeddedTrainable
from pipelines.rig import build_puppet


@pytest.fixture
def pipeline(untrained) -> EmbeddedPipeline:
    with torch.no_grad():
        for parameter in untrained.parameters():
            parameter.add_(0.05 * torch.randn(parameter.shape, generator=torch.Generator().manual_seed(1)))
    made = EmbeddedPipeline(untrained, FlowMatchEulerDiscreteScheduler())
    made.set_progress_bar_config(disable=True)
    return made


@pytest.fixture
def given(pipeline, knight, walk):
    return collate([observe(build_puppet(knight, 64), knight, walk, "walk").pick([0, 3])], pipeline.denoiser)


def drawn(pipeline, given, seed=0, steps=2):
    return pipeline(given, steps, torch.Generator().manual_seed(seed)).frames


def test_save_and_load_round_trip(pipeline, given, tmp_path):
    pipeline.save_pretrained(tmp_path)
    back = EmbeddedPipeline.from_pretrained(tmp_path)
    assert torch.allclose(drawn(back, given), drawn(pipeline, given), atol=1e-5)
    assert not list(tmp_path.rglob("*.bin")), "safetensors only"


def test_a_seed_repeats_and_another_differs(pipeline, given):
    assert torch.equal(drawn(pipeline, given, 3), drawn(pipeline, given, 3))
    assert not torch.equal(drawn(pipeline, given, 3), drawn(pipeline, given, 4))


def test_the_last_step_lands_on_the_finish(pipeline, given):
    out = pipeline(given, 3, torch.Generator().manual_seed(0))
    assert torch.allclose(out.frames, out.finish.apply(given.rig), atol=1e-4)


def test_every_step_is_told(pipeline, given):
    told = []
    pipeline(given, 4, torch.Generator().manual_seed(0), lambda done, total: told.append((done, total)))
    assert told == [(1, 4), (2, 4), (3, 4), (4, 4)]


def test_an_adapter_loads_acts_by_strength_and_leaves_no_trace(pipeline, given, tmp_path):
    pipeline.save_pretrained(tmp_path / "base")
    learner = EmbeddedTrainable(tmp_path / "base", rank=2, seed=0)
    with torch.no_grad():
        for parameter in learner.parameters():
            parameter.add_(0.05)
    learner.save_adapter(tmp_path / "look")
    plain = drawn(pipeline, given)
    pipeline.load_lora_weights(str(tmp_path / "look"), adapter_name="look")
    pipeline.denoiser.set_adapters("look", 1.0)
    full = drawn(pipeline, given)
    pipeline.denoiser.set_adapters("look", 0.0)
    none = drawn(pipeline, given)
    pipeline.unload_lora_weights()
    assert (full - plain).abs().max() > 1e-4
    assert torch.allclose(none, plain, atol=1e-6)
    assert torch.equal(drawn(pipeline, given), plain)
