"""One finished training that several tests look at."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
import torch

from lora_trainer.config import TrainConfig
from lora_trainer.trainer import train
from pipelines.events import Event
from tests.lora_trainer.tiny_backbone import TinyBackend, tiny_figure, tiny_sample

CONFIG = TrainConfig(
    backend="tiny",
    rank=4,
    steps=24,
    batch=4,
    learning_rate=2e-2,
    priors=3,
    checkpoint_every=8,
    preview_every=10,
    ema=0.9,
)


@pytest.fixture(autouse=True)
def _one_thread() -> Iterator[None]:
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


@dataclass(frozen=True)
class Finished:
    folder: Path
    events: list[Event]
    backend: TinyBackend


@pytest.fixture(scope="session")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Finished:
    """A one-frame still and a 17-frame clip, 24 steps."""
    folder = tmp_path_factory.mktemp("finished")
    backend = TinyBackend()
    samples = [tiny_sample(1, "idle"), tiny_sample(17, "walk")]
    return Finished(folder, list(train(CONFIG, tiny_figure(), samples, backend, folder)), backend)
