"""Trains the joint detector on mannequins: `python -m lora_trainer.base.detector --minutes 25 --out FOLDER`."""

from __future__ import annotations

import argparse
import math
import os
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F

from pipelines.pose.joint_net import JointNet, decode

from .detector_data import Pictures, augment, draw_pictures, load, prepare


@dataclass(frozen=True)
class DetectorConfig:
    """How the detector is trained."""

    minutes: float = 25.0
    """Wall-clock time of this run; a later run goes on from its checkpoint."""
    batch: int = 32
    learning_rate: float = 2e-3
    total_steps: int = 2500
    """Steps of the whole cosine schedule, over all runs."""
    chunks: int = 20
    """Chunks of 500 pictures rendered ahead."""
    sigma: float = 0.028
    """Width of the target as a share of the picture."""
    size: int = 96
    """Pixels the finished network looks at."""
    early_size: int = 64
    """Pixels the first steps look at: coarse and quick; the last ones see the network's size."""
    early_share: float = 0.7
    """Share of the steps that are early."""
    decay: float = 0.995
    """Of the averaged weights that are saved."""
    seed: int = 0


def loss_of(
    network: JointNet, art: torch.Tensor, joints: torch.Tensor, facing: torch.Tensor, sigma: float
) -> torch.Tensor:
    """Cross-entropy of each present joint's map with a Gaussian, of presence, and of facing."""
    maps, presence, faced = network.forward(art)
    edge = maps.shape[-1]
    grid, sigma = torch.arange(edge) + 0.5, sigma * edge
    place = joints[..., :2] * edge / art.shape[-1]
    across = torch.exp(-((grid - place[..., :1]) ** 2) / (2 * sigma**2))
    along = torch.exp(-((grid - place[..., 1:]) ** 2) / (2 * sigma**2))
    target = (along[..., :, None] * across[..., None, :]).flatten(2)
    mass = target.sum(-1)
    seen = joints[..., 2] * (mass > 0.3 * 2 * np.pi * sigma**2)  # a tip outside the picture has no place to be found
    each = -(target / mass.clamp(min=1e-6)[..., None] * maps.flatten(2).log_softmax(-1)).sum(-1)
    found = (each * seen).sum() / seen.sum().clamp(min=1)
    there = F.binary_cross_entropy_with_logits(presence, seen)
    return found + 2 * there + 0.4 * F.cross_entropy(faced, facing)


class Learner:
    """Network, averaged twin and optimiser; saved and restored as one file."""

    def __init__(self, config: DetectorConfig, network: JointNet | None = None) -> None:
        torch.manual_seed(config.seed)
        self.config = config
        self.network = (network or JointNet(size=config.size)).to(memory_format=torch.channels_last)  # type: ignore[call-overload]
        self.average = {name: value.detach().clone() for name, value in self.network.state_dict().items()}
        self.optimiser = torch.optim.AdamW(self.network.parameters(), config.learning_rate, weight_decay=0.02)
        self.rng = torch.Generator().manual_seed(config.seed)
        self.steps = 0

    @property
    def size(self) -> int:
        """Pixels the next step looks at."""
        early = self.steps < self.config.total_steps * self.config.early_share
        return self.config.early_size if early else int(self.network.config["size"])

    def step(self, pictures: Pictures) -> float:
        """One update on a random batch; returns its loss."""
        config = self.config
        warm = min(1.0, (self.steps + 1) / 60)
        cosine = 0.5 * (1 + math.cos(math.pi * min(self.steps / config.total_steps, 1)))
        for group in self.optimiser.param_groups:
            group["lr"] = config.learning_rate * warm * (0.03 + 0.97 * cosine)
        chosen = torch.randint(len(pictures), (config.batch,), generator=self.rng).numpy()
        art, joints, facing = augment(pictures.take(chosen), self.size, self.rng)
        art = art.contiguous(memory_format=torch.channels_last)
        loss = loss_of(self.network, art, joints, facing, config.sigma)
        self.optimiser.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.network.parameters(), 1.0)
        self.optimiser.step()
        self.steps += 1
        decay = min(config.decay, self.steps / (self.steps + 20))
        for name, value in self.network.state_dict().items():
            self.average[name].lerp_(value.detach().to(self.average[name].dtype), 1 - decay)
        return float(loss.detach())

    def averaged(self) -> JointNet:
        """A network with the averaged weights, ready to judge."""
        twin = JointNet(**{k: v for k, v in self.network.config.items() if not k.startswith("_")})
        twin.load_state_dict(self.average)
        return twin.eval()

    def save(self, path: Path) -> None:
        """Writes everything needed to go on, in one rename."""
        draft = path.with_suffix(".part")
        torch.save(
            {
                "network": self.network.state_dict(),
                "average": self.average,
                "optimiser": self.optimiser.state_dict(),
                "rng": self.rng.get_state(),
                "steps": self.steps,
            },
            draft,
        )
        draft.replace(path)

    def restore(self, path: Path) -> None:
        """Goes on where `save` stopped."""
        state = torch.load(path, weights_only=True)
        self.network.load_state_dict(state["network"])
        self.average = state["average"]
        self.optimiser.load_state_dict(state["optimiser"])
        self.rng.set_state(state["rng"])
        self.steps = int(state["steps"])


def accuracy(network: JointNet, pictures: Pictures, size: int, share: float = 0.1, seed: int = 1) -> float:
    """Share of present joints found within `share` of the figure's extent, on pictures cropped to `size` pixels."""
    hits = total = 0.0
    for start in range(0, len(pictures), 50):
        batch = pictures.take(np.arange(start, min(start + 50, len(pictures))))
        art, joints, _ = augment(batch, size, torch.Generator().manual_seed(seed), plain=True)
        with torch.no_grad():
            places, _ = decode(network.forward(art)[0])
        places = places * size / (size // 2)
        body = joints[:, :19, 1].amax(1) - joints[:, :19, 1].amin(1)
        reach = torch.maximum(body, joints[:, :19, 0].amax(1) - joints[:, :19, 0].amin(1))
        near = (places - joints[..., :2]).norm(dim=-1) < share * reach[:, None]
        hits += float((near * joints[..., 2]).sum())
        total += float(joints[..., 2].sum())
    return hits / max(total, 1)


def train(config: DetectorConfig, out: Path, cache: Path, unseen: Pictures | None = None) -> Iterator[str]:
    """Renders, trains and saves a fp16 folder that `JointDetector.load` reads; yields lines of progress.

    `unseen`: pictures that judge the progress, 200 new ones by default.
    """
    for ready in prepare(cache, config.chunks):
        if ready % 5 == 0:
            yield f"{ready} of {config.chunks} chunks rendered"
    pictures, unseen = load(cache), unseen or draw_pictures(7, 200)
    learner, checkpoint = Learner(config), cache / "detector.pt"
    if checkpoint.exists():
        learner.restore(checkpoint)
    started, losses = time.monotonic(), []
    while learner.steps < config.total_steps and time.monotonic() - started < config.minutes * 60:
        losses.append(learner.step(pictures))
        if learner.steps % 100 == 0:
            learner.save(checkpoint)
            pictures = load(cache)  # another process may still be rendering
            found = accuracy(learner.averaged(), unseen, learner.size)
            yield f"step {learner.steps} loss {np.mean(losses[-100:]):.3f} unseen {found:.3f}"
    learner.save(checkpoint)
    learner.averaged().half().save_pretrained(out)
    yield f"saved {out} after {learner.steps} steps"


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=DetectorConfig.minutes)
    parser.add_argument("--steps", type=int, default=DetectorConfig.total_steps)
    parser.add_argument("--chunks", type=int, default=DetectorConfig.chunks)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--cache", type=Path, default=Path(".cache/detector"))
    parser.add_argument("--threads", type=int, default=min(2, os.cpu_count() or 1))
    given = parser.parse_args()
    torch.set_num_threads(given.threads)
    config = DetectorConfig(minutes=given.minutes, total_steps=given.steps, chunks=given.chunks)
    for line in train(config, given.out, given.cache):
        print(line, flush=True)


if __name__ == "__main__":
    main()
