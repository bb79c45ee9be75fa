"""The same loop on the embedded backend: its own rig, network class and priors, with few and narrow layers."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest
import torch
from PIL import Image
from safetensors.torch import load_file

from lora_trainer.config import TrainConfig
from lora_trainer.trainer import train
from pipelines.adapter import Adapter
from pipelines.backend import TrainingSample
from pipelines.embedded.backend import WEIGHTS, EmbeddedBackend
from pipelines.embedded.denoiser import EmbeddedDenoiser
from pipelines.events import Checkpoint, Event, Step, Warning
from pipelines.figure import Figure, place
from pipelines.pose.motion import ACTIONS
from pipelines.pose.retarget import fit, rest_track
from pipelines.pose.skeleton import INDEX, N_JOINTS
from pipelines.rig import build_puppet, draw

ART = Path(__file__).parents[2] / "examples" / "art"
CONFIG = TrainConfig(
    rank=4,
    steps=4,
    batch=3,
    learning_rate=3e-2,
    ema=0.5,
    priors=1,
    prior_share=0.34,
    checkpoint_every=2,
    preview_every=0,
)


@pytest.fixture(scope="module")
def knight() -> Figure:
    """The example knight at 192 px."""
    about = json.loads((ART / "knight.json").read_text(encoding="utf-8"))
    small = Image.open(ART / "knight.png").convert("RGBa").resize((192, 192), Image.Resampling.BOX).convert("RGBA")
    joints = np.zeros((N_JOINTS, 3), np.float32)
    for name, xy in about["joints"].items():
        if xy is not None:
            joints[INDEX[name]] = (*(np.array(xy) * 192 / about["size"][0]), 1)
    art = np.array(small)
    return Figure(art * (art[..., 3:] > 0), joints, about["facing"])


@pytest.fixture(scope="module")
def samples(knight: Figure) -> list[TrainingSample]:
    """A one-frame still, a 17-frame clip that the rig drew, and a clip without joints."""
    puppet = build_puppet(knight)
    rest = rest_track(knight, place(knight), 1)
    slash = fit(ACTIONS["slash"], knight, place(knight), 17, 12.0)
    still = TrainingSample(draw(puppet, rest, 64).frames, rest, "idle")
    clip = TrainingSample(draw(puppet, slash, 64).frames, slash, "slash")
    return [still, clip, TrainingSample(clip.frames, None, "run")]


@pytest.fixture(scope="module")
def backend(tmp_path_factory: pytest.TempPathFactory) -> EmbeddedBackend:
    """The embedded backend with a narrow network of random weights."""
    folder = tmp_path_factory.mktemp("weights")
    shutil.copytree(WEIGHTS, folder, dirs_exist_ok=True, ignore=shutil.ignore_patterns("diffusion_pytorch_model*"))
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        network = EmbeddedDenoiser(widths=(16, 32), heads=2, condition=32)
        torch.nn.init.normal_(network.fine2.weight, std=0.05)  # 0 before any training, and then no LoRA can learn
        network.save_pretrained(folder / "denoiser")
    return EmbeddedBackend(weights=folder)


@pytest.fixture(scope="module")
def undisturbed(knight, samples, backend, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Event]]:
    folder = tmp_path_factory.mktemp("embedded")
    torch.set_num_threads(1)
    return folder, list(train(CONFIG, knight, samples, backend, folder))


def test_stills_clips_and_priors_train_together(undisturbed) -> None:
    """Field report 10 on the shipped model; a sample without joints is told, not fatal."""
    events = undisturbed[1]
    told = [event.text for event in events if isinstance(event, Warning)]
    assert any(text.startswith("Sample 3 is left out. No joints were found in the run sample") for text in told)
    assert [event.done for event in events if isinstance(event, Step) and event.loss is not None] == [1, 2, 3, 4]
    assert events[-1].result["drawn"] == {"stills": 4, "animated": 4, "priors": 4}
    assert events[-1].result["repeats"] == [2, 4, 0]


def test_the_look_changes_the_drawing_and_all_of_it_loads_back(undisturbed) -> None:
    """Field report 12."""
    proof = Adapter.load(undisturbed[0]).proof
    assert proof["keys_matched"] == 1.0
    assert proof["distance"] > 0.1
    assert proof["psnr_off"] > 10 and proof["motion_on"] > 0.5 * proof["motion_off"] > 0


def test_resuming_is_exact(undisturbed, knight, samples, backend, tmp_path) -> None:
    """Field report 17 on the shipped model."""
    torch.set_num_threads(1)
    for event in train(CONFIG, knight, samples, backend, tmp_path, cache=undisturbed[0] / "cache"):
        if isinstance(event, Checkpoint) and event.done == 2:
            break
    events = list(train(CONFIG, knight, samples, backend, tmp_path, cache=undisturbed[0] / "cache"))
    assert [event.done for event in events if isinstance(event, Step) and event.loss is not None] == [3, 4]
    one, other = (load_file(Adapter.load(folder).weights) for folder in (undisturbed[0], tmp_path))
    assert one.keys() == other.keys() and all(torch.equal(one[name], other[name]) for name in one)
