"""The student learns: losses mean what they say, history is hybrid, a step lowers the loss, a run resumes."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from lora_trainer.distill import losses
from lora_trainer.distill.data import CLIPS, FRAMES, Item, motion_between
from lora_trainer.distill.reference import TransformerTeacher, count, reference_student
from lora_trainer.distill.train import HYBRID, DistillConfig, Distiller, course, export, stage, train
from pipelines.errors import TrainingError
from pipelines.interactive.student_net import GRID, SIZE, StudentNet

TINY = {"widths": (16, 16), "depths": (1, 1), "memory": 4, "condition": 16}


@pytest.fixture(scope="module")
def item() -> Item:
    """A red square that walks; the rig draws it one pixel short and says so."""
    n, rng = CLIPS * FRAMES, np.random.default_rng(0)
    truth = np.zeros((n, SIZE, SIZE, 4), np.uint8)
    for t in range(n):
        truth[t, 40:90, 30 + 3 * t : 60 + 3 * t] = (200, 40, 40, 255)
    rig, sure = truth.copy(), np.full((n, SIZE, SIZE), 255, np.uint8)
    rig[:, 60:70] //= 2
    sure[:, 55:75] = 0
    return {
        "reference": truth[0],
        "rest": np.zeros((21, 4), np.float32),
        "rig": rig,
        "truth": truth,
        "confidence": sure,
        "joints": rng.random((n, 21, 4), dtype=np.float32),
        "phase": np.linspace(0, 1, n, dtype=np.float32),
        "control": np.zeros((n, 6), np.float32),
        "parts": np.zeros((n, GRID, GRID), np.int8),
        "flow": np.zeros((n, 2, GRID, GRID), np.float16),
        "mask": np.full((FRAMES, 64, 64), 200, np.uint8),
        "feature": rng.standard_normal((FRAMES, 8, 8, 8)).astype(np.float16),
        "steps": np.array(8),
    }


def test_flow_points_back_along_the_motion() -> None:
    before = np.zeros((SIZE, SIZE, 4), np.uint8)
    before[40:90, 30:60, :3] = np.random.default_rng(0).integers(0, 255, (10, 6, 3)).repeat(5, 0).repeat(5, 1)
    before[40:90, 30:60, 3] = 255
    flow = motion_between(before, np.roll(before, 3, axis=1))
    assert flow[0, 12:20, 9:13].mean() * SIZE == pytest.approx(-3, abs=0.7)


def test_consistency_is_zero_for_the_truth_and_not_for_flicker() -> None:
    truth, flow = torch.rand(1, 4, 32, 32), torch.zeros(1, 2, 8, 8)
    assert losses.consistency(truth, truth, truth, truth, flow) == 0
    assert losses.consistency(truth * 0.5, truth, truth, truth, flow) > 0.1


def test_an_idle_student_costs_one_and_the_truth_nothing() -> None:
    rig, truth, sure = torch.rand(1, 4, 16, 16), torch.rand(1, 4, 16, 16), torch.rand(1, 1, 16, 16)
    assert losses.pixel(rig, rig, sure, truth) == pytest.approx(1, abs=1e-5)
    assert losses.pixel(truth, rig, sure, truth) == 0
    chance = losses.segmentation(torch.zeros(1, 15, 4, 4), torch.full((1, 4, 4), -1))
    assert chance == pytest.approx(1, abs=1e-5)


@settings(max_examples=25, deadline=None)
@given(st.floats(0.02, 0.98), st.floats(0.02, 0.98), st.floats(1.0, 1.5))
def test_kl_is_zero_only_for_the_same_choice(mine: float, other: float, temperature: float) -> None:
    value = float(losses.kl(torch.full((1, 1, 2, 2), mine), torch.full((1, 1, 2, 2), other), temperature))
    assert value >= -1e-5
    assert (value < 1e-4) or abs(mine - other) > 1e-3


def test_history_is_hybrid_and_stages_fall() -> None:
    rng = torch.Generator().manual_seed(0)
    lengths = np.array([len(course(CLIPS * FRAMES, rng)) for _ in range(3000)])
    seen = [(lengths == n).mean() for n in (1, FRAMES, CLIPS * FRAMES)]
    assert np.allclose(seen, HYBRID, atol=0.03)
    assert [stage(share) for share in (0, 0.3, 0.6, 0.8, 1)] == [8, 4, 2, 1, 1]


def test_training_lowers_the_loss_and_resumes(item: Item, tmp_path: Path) -> None:
    data, run = tmp_path / "data", tmp_path / "run"
    with pytest.raises(TrainingError, match="no characters"):
        next(train(data, run, DistillConfig(1)))
    distiller = Distiller(DistillConfig(60, rate=5e-3), StudentNet(**TINY), features=8)
    frames, rng = range(2), torch.Generator().manual_seed(1)
    before = float(distiller.loss([item], frames, rng))
    for number in range(12):
        distiller.step([item], torch.Generator().manual_seed(number))
    assert float(distiller.loss([item], frames, rng)) < 0.9 * before
    distiller.save(run)
    again = Distiller(DistillConfig(60, rate=5e-3), StudentNet(**TINY), features=8)
    again.load(run)
    assert again.steps == 12
    one, two = (d.step([item], torch.Generator().manual_seed(99)) for d in (distiller, again))
    assert one == pytest.approx(two, rel=1e-4)
    weights = zip(distiller.student.parameters(), again.student.parameters(), strict=True)
    assert all(torch.allclose(a, b, atol=1e-5) for a, b in weights)


def test_what_is_exported_is_the_mean(tmp_path: Path) -> None:
    distiller = Distiller(DistillConfig())
    distiller.mean["query.bias"].fill_(0.25)
    distiller.save(tmp_path / "run")
    export(tmp_path / "run", tmp_path / "weights")
    read = StudentNet.from_pretrained(tmp_path / "weights", torch_dtype=torch.float32)
    assert (read.query.bias == 0.25).all()
    assert max(file.stat().st_size for file in (tmp_path / "weights").iterdir()) < 9_000_000


def test_reference_scale_counts_and_steps() -> None:
    with torch.device("meta"):
        teacher, student = TransformerTeacher(), reference_student()
    assert 220e6 < count(teacher) < 240e6 and 16e6 < count(student) <= 18e6
    learner = Distiller(DistillConfig(), reference_student(), features=1024)
    small = torch.rand(1, 5, 32, 32)
    rig, sure = small[:, :4], small[:, 4:]
    teacher = teacher.to_empty(device="cpu").eval()
    for parameter in teacher.parameters():
        torch.nn.init.normal_(parameter, std=0.02)
    with torch.no_grad():
        answer, features = teacher(torch.rand(1, 4, 32, 32), rig, sure, torch.ones(1))  # four tokens
    net = learner.student
    look = net.look(rig, torch.zeros(1, 21, 4))
    fine, middle, _ = net.see(look, rig, sure, torch.zeros(1, 21, 4), torch.zeros(1), torch.zeros(1, 6))
    made = net.finish(fine, rig, sure).apply(rig[:, None])[:, 0]
    loss = (made - answer).square().mean() + losses.feature(learner.speak(middle), features)
    loss.backward()
    kept = net.head.weight.detach().clone()
    learner.optimiser.step()
    assert not torch.equal(net.head.weight, kept)
