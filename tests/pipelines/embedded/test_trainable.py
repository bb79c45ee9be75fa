"""The embedded model as a learner: what a still, a clip and a prior teach."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from pipelines.backend import TrainingSample
from pipelines.embedded.conditions import at_size
from pipelines.embedded.damage import damaged
from pipelines.embedded.items import load_items, save_items
from pipelines.errors import TrainingError
from pipelines.pose.skeleton import PoseTrack
from pipelines.rig import build_puppet, draw


@pytest.fixture
def learner(backend):
    return backend.trainable(rank=4, seed=0)


@pytest.fixture(scope="module")
def animated(knight, walk) -> TrainingSample:
    frames = draw(build_puppet(knight), walk, 128).frames
    return TrainingSample(frames[:, :, :], walk, "walk")


def still_of(knight) -> TrainingSample:
    from pipelines.figure import place
    from pipelines.pose.retarget import rest_track

    rest = rest_track(knight, place(knight), 1)
    return TrainingSample(draw(build_puppet(knight), rest, 128).frames, rest, "idle")


def test_only_the_lora_learns(learner):
    trained = sum(p.numel() for p in learner.parameters())
    assert 0 < trained < 0.05 * sum(p.numel() for p in learner.network.parameters())
    assert all("lora" in name for name, p in learner.network.named_parameters() if p.requires_grad)


def test_a_clip_teaches_its_own_frames(learner, knight, animated):
    (item,) = learner.encode(animated, knight)
    assert np.array_equal(item["target"].numpy(), at_size(animated.frames, 64))
    assert item["rig"].shape == (8, 64, 64, 4)


def test_a_sample_without_joints_says_what_to_do(learner, knight, animated):
    with pytest.raises(TrainingError, match="Place the joints by hand"):
        learner.encode(TrainingSample(animated.frames, None, "walk"), knight)


def test_the_still_is_harmed_and_asked_back(learner, knight):
    item = learner.augment(knight, np.random.default_rng(0))
    rig, target, sure = item["rig"][0], item["target"][0], item["confidence"][0]
    assert torch.equal(target, item["reference"])
    changed = (rig.int() - target.int()).abs().amax(-1) > 8
    assert changed.float().mean() > 0.01
    assert (sure[changed] < 255).float().mean() > 0.9, "harm is never passed off as certain"
    again = learner.augment(knight, np.random.default_rng(0))
    assert torch.equal(again["rig"], item["rig"])
    assert not torch.equal(learner.augment(knight, np.random.default_rng(1))["rig"], item["rig"])


def test_a_prior_is_the_base_models_own_answer(learner):
    with torch.no_grad():
        for name, p in learner.network.named_parameters():
            if p.requires_grad and "lora_B" in name:
                p.add_(0.3)
    changed = learner.prior(np.random.default_rng(2))["target"]
    with torch.no_grad():
        for name, p in learner.network.named_parameters():
            if p.requires_grad and "lora_B" in name:
                p.zero_()
    assert torch.equal(learner.prior(np.random.default_rng(2))["target"], changed)


def test_stills_and_clips_learn_in_one_batch(learner, knight, animated):
    """Field report 10: one frame and many in one batch."""
    items = [*learner.encode(animated, knight), *learner.encode(still_of(knight), knight)]
    items.append(learner.prior(np.random.default_rng(0)))
    loss = learner.loss(items, torch.Generator().manual_seed(0))
    loss.backward()
    assert loss.ndim == 0
    assert any(p.grad is not None and p.grad.abs().sum() > 0 for p in learner.parameters())


def test_weight_zero_teaches_nothing(learner, knight, animated):
    (item,) = learner.encode(animated, knight)
    other = learner.prior(np.random.default_rng(0))
    alone = learner.loss([other], torch.Generator().manual_seed(1))
    mixed = learner.loss([other, {**item, "weight": torch.tensor(0.0)}], torch.Generator().manual_seed(1))
    assert 0.3 < float(mixed / alone) < 3
    assert float(learner.loss([{**item, "weight": torch.tensor(0.0)}], torch.Generator())) == 0


def test_learning_brings_the_look_closer(learner, knight, animated):
    tinted = animated.frames.copy()
    tinted[..., 0] = np.where(tinted[..., 3] > 0, 255 - tinted[..., 0] // 2, 0)
    sample = TrainingSample(tinted, animated.track, "walk")
    items = list(learner.encode(sample, knight))
    optimiser = torch.optim.AdamW(learner.parameters(), 3e-3)

    def measure() -> float:
        return float(learner.loss(items, torch.Generator().manual_seed(99)).detach())

    before = measure()
    for step in range(12):
        optimiser.zero_grad()
        learner.loss(items, torch.Generator().manual_seed(step)).backward()
        optimiser.step()
    assert measure() < 0.985 * before  # it may act only where the rig is in doubt


def test_items_survive_the_disk(learner, knight, animated, tmp_path):
    items = list(learner.encode(animated, knight))
    save_items(items, tmp_path / "items.npz")
    (back,) = load_items(tmp_path / "items.npz")
    assert set(back) == set(items[0])
    for name, value in items[0].items():
        assert torch.allclose(back[name].float(), value.float(), atol=2e-3), name


def test_harm_without_parts_still_works(knight):
    from pipelines.embedded.backend import observe
    from pipelines.figure import place
    from pipelines.pose.retarget import rest_track

    seen = observe(build_puppet(knight, 64), knight, rest_track(knight, place(knight), 1), "idle")
    hurt = damaged(seen, np.full((64, 64), -1, np.int16), np.random.default_rng(0))
    assert hurt.rig.shape == seen.rig.shape
    assert isinstance(PoseTrack, type)
