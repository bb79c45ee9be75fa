"""Training of the joint detector, at toy size: it learns, it resumes exactly, its pictures carry their truth."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch

from lora_trainer.base.detector import DetectorConfig, Learner, accuracy, loss_of, train
from lora_trainer.base.detector_data import Pictures, augment, draw_pictures, load, prepare
from pipelines.pose.detect import JointDetector
from pipelines.pose.joint_net import JointNet
from pipelines.pose.skeleton import FACINGS, INDEX

CONFIG = DetectorConfig(batch=12, total_steps=100, early_size=64, learning_rate=4e-3, decay=0.9)


@pytest.fixture(scope="module")
def pictures() -> Pictures:
    torch.set_num_threads(1)
    return draw_pictures(1, 30, 64)


def test_training_beats_random_weights(pictures: Pictures) -> None:
    learner = Learner(CONFIG, JointNet(size=64, width=16))
    before = accuracy(learner.averaged(), pictures, 64)
    losses = [learner.step(pictures) for _ in range(70)]
    assert np.mean(losses[-8:]) < np.mean(losses[:4]) - 1
    assert accuracy(learner.averaged(), pictures, 64) > before + 0.3


def test_a_stopped_run_goes_on_exactly(pictures: Pictures, tmp_path: Path) -> None:
    whole = Learner(CONFIG, JointNet(size=32, width=16))
    for _ in range(3):
        whole.step(pictures)
    whole.save(tmp_path / "state.pt")
    resumed = Learner(CONFIG, JointNet(size=32, width=16))
    resumed.restore(tmp_path / "state.pt")
    assert resumed.steps == 3
    assert [whole.step(pictures) for _ in range(3)] == [resumed.step(pictures) for _ in range(3)]


def test_augmented_joints_stay_on_the_figure(pictures: Pictures) -> None:
    """Turning, mirroring and cropping move picture and joints alike."""
    art, joints, facing = augment(pictures, 64, torch.Generator().manual_seed(2))
    assert art.shape == (30, 4, 64, 64) and float(art.min()) >= 0 and float(art.max()) <= 1
    assert (art[:, :3] <= art[:, 3:] + 0.35).all(), "premultiplied but for a little noise"
    hits = []
    for number in range(30):
        for name in ("chest", "pelvis", "head"):
            x, y = joints[number, INDEX[name], :2].long().tolist()
            if 0 <= x < 64 and 0 <= y < 64:
                hits.append(bool(art[number, 3, y, x] > 0.3))
    assert np.mean(hits) > 0.95
    plain = augment(pictures, 64, torch.Generator().manual_seed(2), plain=True)[2].numpy()
    turned = facing.numpy() != plain
    assert turned.any() and not turned.all()
    assert {FACINGS[f] for f in facing.numpy()[turned]} <= {"right", "left"}


def test_loss_prefers_the_truth() -> None:
    """A network that answers with the true places is punished least."""
    joints = torch.zeros(1, 21, 3)
    joints[..., 0], joints[..., 1], joints[..., 2] = 20.0, 30.0, 1.0
    grid = torch.arange(32) + 0.5

    class Oracle:
        def __init__(self, x: float, y: float) -> None:
            self.maps = -((grid[None] - x) ** 2 + (grid[:, None] - y) ** 2)[None, None].expand(1, 21, -1, -1)

        def forward(self, art: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
            return self.maps, torch.full((1, 21), 4.0), torch.tensor([[4.0, 0, 0, 0]])

    art, facing = torch.zeros(1, 4, 64, 64), torch.zeros(1, dtype=torch.long)
    right, wrong = (loss_of(Oracle(x, 15.0), art, joints, facing, 0.03) for x in (10.0, 16.0))  # type: ignore[arg-type]
    assert right < wrong - 1
    joints[..., 2] = 0
    absent = loss_of(Oracle(16.0, 15.0), art, joints, facing, 0.03)  # type: ignore[arg-type]
    assert absent < 10, "a joint that is not there has no place to miss"


def test_whole_run_renders_trains_saves_and_loads(tmp_path: Path) -> None:
    cache, out = tmp_path / "cache", tmp_path / "weights"
    assert list(prepare(cache, 1, per_chunk=8)) == [1]
    assert len(load(cache)) == 8
    config = DetectorConfig(batch=4, total_steps=2, chunks=1, size=32, early_size=32)
    lines = list(train(config, out, cache, unseen=draw_pictures(3, 4)))
    assert "after 2 steps" in lines[-1]
    found = JointDetector.load(folder=out).detect(load(cache).art[0])
    assert found.joints.shape == (21, 3)
    again = list(train(config, out, cache, unseen=draw_pictures(3, 4)))
    assert "after 2 steps" in again[-1], "a finished run has nothing left to do"
    with pytest.raises(FileNotFoundError):
        load(tmp_path / "nothing")
