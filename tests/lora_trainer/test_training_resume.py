"""Checkpoints: whole or absent, and exact."""

from __future__ import annotations

import dataclasses
import os
import subprocess
import sys
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file

from lora_trainer import checkpoint
from lora_trainer.checkpoint import State
from lora_trainer.trainer import train
from pipelines.adapter import Adapter
from pipelines.cancel import NEVER, CancelToken
from pipelines.errors import Cancelled, TrainingError
from pipelines.events import Step, Warning
from tests.lora_trainer.conftest import CONFIG
from tests.lora_trainer.tiny_backbone import TinyBackend, tiny_figure, tiny_sample

RUN = dataclasses.replace(CONFIG, steps=14, checkpoint_every=4, preview_every=5)
REPO = Path(__file__).resolve().parents[2]


def _samples() -> list:
    return [tiny_sample(1, "idle"), tiny_sample(17, "walk"), tiny_sample(6, "run")]


def _run(folder: Path, cancel: CancelToken = NEVER) -> list:
    return list(train(RUN, tiny_figure(), _samples(), TinyBackend(), folder, cancel))


def _losses(events: list) -> dict[int, float]:
    return {event.done: event.loss for event in events if isinstance(event, Step) and event.loss is not None}


def _same(a: Path, b: Path) -> bool:
    one, other = load_file(Adapter.load(a).weights), load_file(Adapter.load(b).weights)
    return one.keys() == other.keys() and all(torch.equal(one[name], other[name]) for name in one)


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list]:
    folder = tmp_path_factory.mktemp("undisturbed")
    return folder, _run(folder)


def _interrupt(folder: Path, step: int) -> None:
    """Ends the run after `step` the hard way: the generator is dropped, nothing is saved on the way out."""
    for event in train(RUN, tiny_figure(), _samples(), TinyBackend(), folder):
        if isinstance(event, Step) and event.loss is not None and event.done == step:
            return


@pytest.mark.parametrize("step", [6, 8, 13])
def test_a_resumed_run_equals_an_undisturbed_one_bit_for_bit(undisturbed, tmp_path, step) -> None:
    """Field report 17: no loss spike, no difference at all."""
    _interrupt(tmp_path, step)
    (tmp_path / ".part-look-000005").mkdir(exist_ok=True)  # what a process killed while it drew leaves behind
    events = _run(tmp_path)
    assert not list(tmp_path.glob(".part-*"))
    losses = _losses(events)
    assert min(losses) == (step - 1) // 4 * 4 + 1  # the checkpoint of the very step was not yet written
    assert losses == {done: loss for done, loss in _losses(undisturbed[1]).items() if done in losses}
    assert _same(tmp_path, undisturbed[0])


def test_a_run_cancelled_between_checkpoints_goes_on_where_it_stopped(undisturbed, tmp_path) -> None:
    seen = [0]
    with pytest.raises(Cancelled):
        for event in train(RUN, tiny_figure(), _samples(), TinyBackend(), tmp_path, CancelToken(lambda: seen[0] >= 6)):
            seen[0] = event.done if isinstance(event, Step) and event.loss is not None else seen[0]
    assert min(_losses(_run(tmp_path))) == 7
    assert _same(tmp_path, undisturbed[0])


def test_the_same_seed_gives_the_same_weights_and_another_does_not(undisturbed, tmp_path) -> None:
    torch.manual_seed(12345)  # the state of the global generator has no say
    _run(tmp_path / "a")
    assert _same(tmp_path / "a", undisturbed[0])
    other = dataclasses.replace(RUN, seed=1)
    list(train(other, tiny_figure(), _samples(), TinyBackend(), tmp_path / "b"))
    assert not _same(tmp_path / "b", undisturbed[0])


def test_training_leaves_the_global_generator_alone(tmp_path) -> None:
    torch.manual_seed(5)
    before = torch.get_rng_state()
    _interrupt(tmp_path, 2)
    assert torch.equal(before, torch.get_rng_state())


@pytest.mark.parametrize("harm", ["truncate", "flip", "no state", "half state"])
def test_a_damaged_newest_checkpoint_falls_back_to_the_one_before(undisturbed, tmp_path, harm) -> None:
    """Field report 17: stopped while saving."""
    _interrupt(tmp_path, 9)
    newest = tmp_path / "checkpoints" / "step-000008"
    tensors, state = newest / "tensors.safetensors", newest / "state.json"
    if harm == "truncate":
        tensors.write_bytes(tensors.read_bytes()[:-100])
    elif harm == "flip":
        data = bytearray(tensors.read_bytes())
        data[-5] ^= 1
        tensors.write_bytes(bytes(data))
    elif harm == "no state":
        state.unlink()
    else:
        state.write_text(state.read_text()[:40])
    events = _run(tmp_path)
    assert [event.text for event in events if isinstance(event, Warning)] == [
        "The checkpoint step-000008 was damaged, so training goes on from step 4."
    ]
    assert min(_losses(events)) == 5
    assert _same(tmp_path, undisturbed[0])


def test_with_every_checkpoint_damaged_training_starts_again(undisturbed, tmp_path) -> None:
    _interrupt(tmp_path, 9)
    for path in (tmp_path / "checkpoints").glob("*/tensors.safetensors"):
        path.write_bytes(b"")
    events = _run(tmp_path)
    assert min(_losses(events)) == 1 and sum(isinstance(event, Warning) for event in events) == 2
    assert _same(tmp_path, undisturbed[0])


def test_killed_between_writing_and_renaming_keeps_the_last_good_one(undisturbed, tmp_path) -> None:
    """Field report 17, with a real process that dies inside `save`."""
    script = f"""
import os, sys
sys.path.insert(0, {str(REPO)!r})
import torch; torch.set_num_threads(1)
from pathlib import Path
from tests.lora_trainer.test_training_resume import RUN, _samples
from tests.lora_trainer.tiny_backbone import TinyBackend, tiny_figure
from lora_trainer.trainer import train
honest, calls = os.replace, []
def dying(source, target):
    if "step-" in str(target):
        calls.append(target)
        if len(calls) == 2:
            os._exit(9)
    honest(source, target)
os.replace = dying
list(train(RUN, tiny_figure(), _samples(), TinyBackend(), Path(sys.argv[1])))
"""
    ended = subprocess.run(
        [sys.executable, "-c", script, str(tmp_path)], check=False, env={**os.environ, "OMP_NUM_THREADS": "1"}
    )
    assert ended.returncode == 9
    names = sorted(path.name for path in (tmp_path / "checkpoints").iterdir())
    assert names == [".part-step-000008", "step-000004"]
    assert min(_losses(_run(tmp_path))) == 5
    assert _same(tmp_path, undisturbed[0])


def _state(step: int) -> State:
    return State([0.5] * step, {"weight.0": torch.full((3,), float(step))})


def test_two_checkpoints_are_kept(tmp_path) -> None:
    for step in (1, 2, 10):
        checkpoint.save(tmp_path, _state(step), "run")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["step-000002", "step-000010"]
    state, damaged = checkpoint.newest(tmp_path, "run")
    assert state is not None and state.step == 10 and torch.equal(state.tensors["weight.0"], torch.full((3,), 10.0))
    assert damaged == []


def test_checkpoints_of_another_run_are_left_alone(tmp_path) -> None:
    checkpoint.save(tmp_path, _state(3), "other")
    assert checkpoint.newest(tmp_path, "run") == (None, [])
    assert (tmp_path / "step-000003").is_dir()


def test_a_checkpoint_replaces_a_damaged_one_of_its_step(tmp_path) -> None:
    (tmp_path / "step-000003").mkdir()
    (tmp_path / "step-000003" / "tensors.safetensors").write_bytes(b"half")
    checkpoint.save(tmp_path, _state(3), "run")
    state, _ = checkpoint.newest(tmp_path, "run")
    assert state is not None and state.step == 3


def test_a_full_disk_says_the_cure_and_keeps_the_last_good_one(tmp_path, monkeypatch) -> None:
    checkpoint.save(tmp_path, _state(1), "run")

    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(checkpoint, "save_file", full)
    with pytest.raises(TrainingError, match=r"step 2 could not be written.*No space left.*Free some space"):
        checkpoint.save(tmp_path, _state(2), "run")
    assert [path.name for path in tmp_path.iterdir()] == ["step-000001"]


def test_no_pickle_anywhere(tmp_path) -> None:
    _interrupt(tmp_path, 5)
    suffixes = {path.suffix for path in tmp_path.rglob("*") if path.is_file()}
    assert suffixes == {".json", ".safetensors"}
