"""Base training of the embedded denoiser: resumable, on any device, bounded by minutes."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

import torch
from diffusers.schedulers.scheduling_flow_match_euler_discrete import FlowMatchEulerDiscreteScheduler
from safetensors.torch import load_file, save_file
from torch import Tensor

from pipelines.backend import Batch
from pipelines.embedded.denoiser import EmbeddedDenoiser
from pipelines.embedded.items import gather
from pipelines.embedded.objective import clip_losses, levels, noised
from pipelines.embedded.pipeline import EmbeddedPipeline
from pipelines.errors import TrainingError
from pipelines.events import Done, Event, Step
from pipelines.pose.motion import ACTIONS

from .augment import augmented, pose_free, unnamed
from .evaluate import psnr_against_rig
from .shards import Shards


@dataclass(frozen=True)
class BaseConfig:
    """How the shipped weights are trained."""

    minutes: float = 60.0
    """Training time in all, over every resumed run."""
    batch: int = 8
    """Clips of a step."""
    frames: int = 4
    """Frames of each clip that a step sees."""
    learning_rate: float = 1e-3
    ema: float = 0.999
    """Decay of the running mean of the weights; the mean is what ships."""
    unguided: float = 0.08
    """Share of the steps without pose guidance."""
    unguided_weight: float = 0.25
    """Weight of their loss: a network that has to guess the pose answers with a blur, which must not become a habit."""
    evaluate_every: int = 200
    seed: int = 0
    widths: tuple[int, int] = (96, 192)
    """Of the network; the shipped weights have these."""
    device: str = "cpu"
    threads: int = 0
    """CPU threads; 0 leaves torch's choice."""
    start: Path | None = None
    """Pipeline folder whose weights a new run begins with; None: at random."""


class BaseRun:
    """Weights, optimiser, running mean and log of one training run in a folder."""

    def __init__(self, folder: Path, config: BaseConfig) -> None:
        self.folder, self.config = folder, config
        torch.manual_seed(config.seed)
        self.network = EmbeddedDenoiser(widths=config.widths, actions=tuple(sorted(ACTIONS))).to(config.device)
        self.network.to(memory_format=torch.channels_last)  # type: ignore[call-overload]
        self.optimiser = torch.optim.AdamW(
            self.network.parameters(), config.learning_rate, (0.9, 0.98), weight_decay=0.01
        )
        self.mean = {name: value.detach().clone() for name, value in self.network.state_dict().items()}
        self.step, self.seconds = 0, 0.0
        if (folder / "state.json").is_file():
            self._load()
        elif config.start is not None:
            self._start(config.start)

    def _start(self, weights: Path) -> None:
        old = EmbeddedPipeline.from_pretrained(weights, dtype=torch.float32).denoiser
        if old.actions != self.network.actions:
            own = {name: row for row, name in enumerate(self.network.actions)}
            table = old.action.weight[-1:].detach().repeat(len(own) + 1, 1)
            for row, name in enumerate(old.actions):
                if name in own:
                    table[own[name]] = old.action.weight[row].detach()
            old.action.weight = torch.nn.Parameter(table)
        self.network.load_state_dict(old.state_dict())
        self.mean = {name: value.detach().clone() for name, value in self.network.state_dict().items()}

    def rate(self) -> float:
        """200 steps of warm-up, then a half cosine over the minutes, to 2 % of the peak."""
        share = min(1.0, self.seconds / (60 * self.config.minutes))
        return self.config.learning_rate * min(1, (self.step + 1) / 200) * (0.51 + 0.49 * math.cos(math.pi * share))

    def learn(self, clips: list[Batch]) -> float:
        """One step; the loss before it."""
        began = time.monotonic()
        rng = torch.Generator().manual_seed(self.config.seed * 1_000_003 + self.step)
        given, target, _ = gather(clips, self.config.frames, self.network, rng)
        given, target = augmented(given, target, rng)
        given = unnamed(given, len(self.network.actions), rng)
        unguided = bool(torch.rand((), generator=rng) < self.config.unguided)
        given = pose_free(given) if unguided else given
        given, target = given.to(self.config.device), target.to(self.config.device)
        level = levels(len(clips), rng)
        with torch.autocast("cuda", torch.bfloat16, enabled=self.config.device.startswith("cuda")):
            finish = self.network(noised(target, level, rng), level.to(target.device), given)
        loss = clip_losses(finish, target, given).mean() * (self.config.unguided_weight if unguided else 1)
        for group in self.optimiser.param_groups:
            group["lr"] = self.rate()
        self.optimiser.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.network.parameters(), 1.0)
        self.optimiser.step()
        self.step += 1
        decay = min(self.config.ema, (1 + self.step) / (10 + self.step))
        with torch.no_grad():
            for name, value in self.network.state_dict().items():
                self.mean[name].lerp_(value, 1 - decay)
        self.seconds += time.monotonic() - began
        return float(loss.detach())

    def averaged(self) -> EmbeddedDenoiser:
        """A copy of the network with the running mean as weights."""
        copy = EmbeddedDenoiser.from_config(self.network.config)
        copy.load_state_dict(self.mean)
        return copy.to(self.config.device).eval()

    def export(self, folder: Path) -> None:
        """Writes the diffusers folder that ships: fp16, shards under 9 MB."""
        pipeline = EmbeddedPipeline(self.averaged().half(), FlowMatchEulerDiscreteScheduler())
        pipeline.save_pretrained(folder, max_shard_size="8MB")

    def save(self) -> None:
        """Atomic: the state file is replaced last, and names the tensors it belongs to."""
        self.folder.mkdir(parents=True, exist_ok=True)
        tensors: dict[str, Tensor] = {f"net.{k}": v for k, v in self.network.state_dict().items()}
        tensors |= {f"mean.{k}": v for k, v in self.mean.items()}
        for number, parameter in enumerate(self.network.parameters()):
            tensors |= {f"optim.{number}.{k}": v for k, v in self.optimiser.state[parameter].items()}
        name = f"state-{self.step:07d}.safetensors"
        save_file({k: v.contiguous() for k, v in tensors.items()}, self.folder / name)
        config = asdict(self.config) | {"start": str(self.config.start or "")}
        about = {"step": self.step, "seconds": self.seconds, "tensors": name, "config": config}
        partial = self.folder / "state.json.partial"
        partial.write_text(json.dumps(about, indent=1), encoding="utf-8")
        partial.replace(self.folder / "state.json")
        for old in self.folder.glob("state-*.safetensors"):
            if old.name != name:
                old.unlink()

    def _load(self) -> None:
        about = json.loads((self.folder / "state.json").read_text(encoding="utf-8"))
        tensors = load_file(self.folder / about["tensors"], device=self.config.device)
        self.network.load_state_dict({k[4:]: v for k, v in tensors.items() if k.startswith("net.")})
        self.mean = {k[5:]: v for k, v in tensors.items() if k.startswith("mean.")}
        for number, parameter in enumerate(self.network.parameters()):
            names = ("step", "exp_avg", "exp_avg_sq")
            self.optimiser.state[parameter] = {k: tensors[f"optim.{number}.{k}"] for k in names}
        self.step, self.seconds = about["step"], about["seconds"]


def train(data: Path, folder: Path, config: BaseConfig) -> Iterator[Event]:
    """Trains until the minutes are used up, saving as it goes. Shard 0 is kept for evaluation."""
    if config.threads:
        torch.set_num_threads(config.threads)
    shards, held = Shards(data, skip=(0,)), Shards(data)
    if not shards.refresh():
        raise TrainingError(
            f"There are no training clips in {data}; make some with `python -m lora_trainer.base data`."
        )
    held.refresh()
    held.items = held.items[:48]
    run = BaseRun(folder, config)
    log = folder / "log.jsonl"
    folder.mkdir(parents=True, exist_ok=True)
    saved, losses = time.monotonic(), []
    while run.seconds < 60 * config.minutes:
        rng = torch.Generator().manual_seed(config.seed * 7_000_003 + run.step)
        losses.append(run.learn(shards.draw(config.batch, rng)))
        if run.step % config.evaluate_every == 0:
            shards.refresh()
            numbers = psnr_against_rig(run.averaged(), held.items, steps=1)
            row = {"step": run.step, "seconds": round(run.seconds), "loss": sum(losses) / len(losses), **numbers}
            with log.open("a", encoding="utf-8") as file:
                file.write(json.dumps({**row, "clips": len(shards.items)}) + "\n")
            losses = []
        if time.monotonic() - saved > 180:
            run.save()
            saved = time.monotonic()
        total = max(run.step + 1, round(run.step * 60 * config.minutes / max(run.seconds, 1e-3)))
        left = 60 * config.minutes - run.seconds
        yield Step(run.step, total, "Training", losses[-1] if losses else None, left)
    run.save()
    run.export(folder / "export")
    yield Done({"folder": str(folder / "export"), "steps": run.step})
