"""The recipe of the shipped weights, at a scale that a test affords."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from lora_trainer.base import shards
from lora_trainer.base.augment import unnamed
from lora_trainer.base.clips import make_clip
from lora_trainer.base.evaluate import psnr_against_rig
from lora_trainer.base.train import BaseConfig, BaseRun, train
from pipelines.embedded.denoiser import EmbeddedDenoiser
from pipelines.embedded.items import gather
from pipelines.embedded.pipeline import EmbeddedPipeline
from pipelines.errors import TrainingError
from pipelines.events import Done
from pipelines.pose.motion import ACTIONS

TINY = BaseConfig(minutes=1, batch=2, frames=3, learning_rate=1e-2, ema=0.9, unguided=0, widths=(16, 16))


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two shards of three rendered clips; the first is held out."""
    folder = tmp_path_factory.mktemp("clips")
    network = EmbeddedDenoiser(widths=(16, 16), condition=16, actions=tuple(sorted(ACTIONS)))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(shards, "CLIPS", 3)
        made = list(shards.write_shards(folder, 0, 2, lambda rng: make_clip(rng, network)))
    assert [number for number, _ in made] == [0, 1]
    return folder


def test_it_learns_to_beat_the_random_weights(data: Path, tmp_path: Path) -> None:
    known = shards.Shards(data, skip=(0,))
    assert known.refresh() == 3
    run = BaseRun(tmp_path, TINY)
    before = psnr_against_rig(run.averaged(), known.items)
    assert before["model"] == pytest.approx(before["rig"], abs=0.01)  # it starts as the rig
    for _ in range(50):
        run.learn(known.items)
    after = psnr_against_rig(run.averaged(), known.items)
    assert after["model"] > before["model"] + 0.1
    assert after["copy"] < after["rig"] == before["rig"]


def test_one_command_trains_logs_and_exports(data: Path, tmp_path: Path) -> None:
    events = list(train(data, tmp_path, replace(TINY, minutes=0.02, evaluate_every=1)))
    assert isinstance(events[-1], Done) and events[-1].result["steps"] >= 1
    rows = [json.loads(line) for line in (tmp_path / "log.jsonl").read_text().splitlines()]
    assert rows[0]["step"] == 1 and {"loss", "rig", "model", "worse", "clips"} <= set(rows[0])
    trained = EmbeddedPipeline.from_pretrained(tmp_path / "export", dtype=torch.float32).denoiser
    assert trained.actions == tuple(sorted(ACTIONS))
    assert max(path.stat().st_size for path in (tmp_path / "export").rglob("*.safetensors")) < 9e6


def test_a_stopped_run_goes_on_where_it_was(data: Path, tmp_path: Path) -> None:
    items = shards.Shards(data, skip=(0,))
    items.refresh()
    run = BaseRun(tmp_path, TINY)
    run.learn(items.items)
    run.save()
    again = BaseRun(tmp_path, TINY)
    assert again.step == 1 and json.loads((tmp_path / "state.json").read_text())["step"] == 1
    assert run.learn(items.items) == pytest.approx(again.learn(items.items), rel=1e-5)


def test_a_new_run_can_begin_with_older_weights_of_other_actions(data: Path, tmp_path: Path) -> None:
    old = EmbeddedDenoiser(widths=(16, 16), actions=("walk", "yodel"))
    torch.nn.init.normal_(old.action.weight)
    from diffusers.schedulers.scheduling_flow_match_euler_discrete import FlowMatchEulerDiscreteScheduler

    EmbeddedPipeline(old, FlowMatchEulerDiscreteScheduler()).save_pretrained(tmp_path / "old")
    run = BaseRun(tmp_path / "run", BaseConfig(widths=(16, 16), start=tmp_path / "old"))
    rows = run.network.action.weight
    assert torch.equal(rows[run.network.action_index("walk")], old.action.weight[0])
    assert torch.equal(rows[run.network.action_index("slash")], old.action.weight[-1])
    assert torch.equal(run.network.head.weight, old.head.weight)


def test_some_clips_lose_the_name_of_their_action(data: Path) -> None:
    network = EmbeddedDenoiser(widths=(16, 16), condition=16, actions=tuple(sorted(ACTIONS)))
    items = shards.Shards(data, skip=(0,))
    items.refresh()
    rng = torch.Generator().manual_seed(0)
    given, _, _ = gather(items.items * 30, 1, network, rng)
    hidden = unnamed(given, len(network.actions), rng).action == len(network.actions)
    assert 0.02 < float(hidden.float().mean()) < 0.25
    assert np.isin(given.action.numpy(), range(len(network.actions))).all()


def test_no_clips_is_an_error_with_the_cure(tmp_path: Path) -> None:
    with pytest.raises(TrainingError, match="base data"):
        list(train(tmp_path, tmp_path / "run", TINY))
