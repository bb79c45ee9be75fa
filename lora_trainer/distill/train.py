"""Distillation: the student plays through clips, remembering, and learns from the truth and from the teacher."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from safetensors.torch import load_file, save_file
from torch import Tensor, nn

from pipelines.embedded.conditions import premultiplied
from pipelines.errors import TrainingError
from pipelines.events import Done, Event, Step
from pipelines.interactive.history import USUAL
from pipelines.interactive.student import WEIGHTS
from pipelines.interactive.student_net import StudentNet, attend, nothing

from . import losses
from .data import CLIPS, FRAMES, STAGES, Item, read_item

HELD = 16
"""Items with smaller numbers are kept for evaluation."""

HYBRID = (0.25, 0.70, 0.05)
"""Shares of the steps that see a single frame, one clip, several clips (R102)."""


@dataclass(frozen=True)
class DistillConfig:
    """How the shipped student is trained."""

    minutes: float = 60.0
    """Training time in all, over every resumed run."""
    batch: int = 6
    """Characters of a step."""
    rate: float = 2e-3
    """Highest learning rate."""
    temperature: float = 1.25
    """Of the KL to the teacher; 1.0 to 1.5."""
    ema: float = 0.99
    """Decay of the running mean of the weights, which is what ships."""
    seed: int = 0


def course(steps: int, rng: torch.Generator) -> range:
    """Which frames of an item a step plays through: hybrid history training."""
    lot = float(torch.rand((), generator=rng))
    start = int(torch.randint(CLIPS, (), generator=rng)) * FRAMES
    if lot < HYBRID[0]:
        one = int(torch.randint(steps, (), generator=rng))
        return range(one, one + 1)
    return range(start, start + FRAMES) if lot < HYBRID[0] + HYBRID[1] else range(steps)


def stage(share: float) -> int:
    """Teacher steps after a share 0..1 of training: 8, 4, 2, 1."""
    return STAGES[min(int(share * len(STAGES)), len(STAGES) - 1)]


class Batch:
    """Items as tensors, frame by frame."""

    def __init__(self, items: list[Item]) -> None:
        self.items = items
        self.reference = premultiplied(_stack(items, "reference"))
        self.rest = torch.from_numpy(_stack(items, "rest"))

    def at(self, name: str, t: int) -> Tensor:
        """(B, ...) of frame t: pictures premultiplied, the rest as stored."""
        values = _stack(self.items, name, t)
        if name in ("rig", "truth"):
            return premultiplied(values)
        tensor = torch.from_numpy(values)
        return tensor[:, None].float() / 255 if name == "confidence" else tensor.float()


def _stack(items: list[Item], name: str, t: int | None = None):  # type: ignore[no-untyped-def]

    return np.stack([item[name] if t is None else item[name][t] for item in items])


class Distiller:
    """Student, its running mean, optimiser and the head that speaks the teacher's features."""

    def __init__(self, config: DistillConfig, student: StudentNet | None = None, features: int = 192) -> None:
        torch.manual_seed(config.seed)
        self.config = config
        self.student = student or StudentNet()
        self.student.to(memory_format=torch.channels_last)  # type: ignore[call-overload,call-arg]
        self.speak = nn.Conv2d(self.student.query.in_channels, features, 1)
        self.parameters = [*self.student.parameters(), *self.speak.parameters()]
        self.optimiser = torch.optim.AdamW(self.parameters, config.rate, (0.9, 0.98), weight_decay=0.01)
        self.mean = {name: value.detach().clone() for name, value in self.student.state_dict().items()}
        self.steps, self.seconds = 0, 0.0

    def loss(self, items: list[Item], frames: range, rng: torch.Generator) -> Tensor:
        """Of one course through the items; the history is what the student itself left behind."""
        batch, net = Batch(items), self.student
        look = net.look(batch.reference, batch.rest)
        asked = stage(self.seconds / (60 * self.config.minutes))
        heard = [n for n, item in enumerate(items) if "mask" in item and int(item["steps"]) == asked]
        # One step in ten knows the keys alone, one in two the pose alone: either may lead in play.
        lot = float(torch.rand((), generator=rng))
        posed, keyed = float(lot >= 0.1), float(lot < 0.5)
        total = torch.zeros(())
        states: list[Tensor] = []
        before: tuple[Tensor, Tensor] | None = None
        for t in frames:
            rig, sure, truth = batch.at("rig", t), batch.at("confidence", t), batch.at("truth", t)
            memory = torch.stack(states[:1] + states[1:][-(USUAL - 1) :], dim=1) if states else None
            read = nothing if memory is None else lambda query, memory=memory: attend(query, memory)
            fine, middle, hidden = net.see(
                look,
                rig,
                sure,
                batch.at("joints", t) * posed,
                batch.at("phase", t),
                batch.at("control", t) * keyed,
                read,
            )
            finish = net.finish(fine, rig, sure)
            made = finish.apply(rig[:, None])[:, 0]
            terms = {
                "pixel": losses.pixel(made, rig, sure, truth),
                "parts": losses.segmentation(net.parts(fine), batch.at("parts", t)),
            }
            if before is not None and t % FRAMES:
                terms["flow"] = losses.consistency(made, *before[:1], truth, before[1], batch.at("flow", t))
            if heard and t < FRAMES:
                mask = nn.functional.avg_pool2d(finish.mask[heard, 0], 2)
                asked_mask = torch.stack([torch.from_numpy(items[n]["mask"][t]) for n in heard])[:, None].float() / 255
                terms["kl"] = losses.kl(mask, asked_mask, self.config.temperature)
                inner = torch.stack([torch.from_numpy(items[n]["feature"][t]) for n in heard]).float()
                terms["feature"] = losses.feature(self.speak(middle[heard]), inner)
            total = total + torch.stack([losses.WEIGHTS[name] * value for name, value in terms.items()]).sum()
            before = (made, truth)
            states.append(hidden)
        return total / len(frames)

    def step(self, items: list[Item], rng: torch.Generator) -> float:
        """One update; its loss."""
        began, config = time.monotonic(), self.config
        share = min(1.0, self.seconds / (60 * config.minutes))
        for group in self.optimiser.param_groups:
            warm = min(1.0, (self.steps + 1) / 20)
            group["lr"] = config.rate * warm * (0.51 + 0.49 * math.cos(math.pi * share))
        loss = self.loss(items, course(CLIPS * FRAMES, rng), rng)
        self.optimiser.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(self.parameters, 1.0)
        self.optimiser.step()
        self.steps += 1
        decay = min(config.ema, (1 + self.steps) / (10 + self.steps))
        with torch.no_grad():
            for name, value in self.student.state_dict().items():
                self.mean[name].lerp_(value, 1 - decay)
        self.seconds += time.monotonic() - began
        return float(loss.detach())

    def save(self, folder: Path) -> None:
        """Everything that going on needs, in one file replaced at once."""
        folder.mkdir(parents=True, exist_ok=True)
        tensors = {f"net.{k}": v for k, v in self.student.state_dict().items()}
        tensors |= {f"mean.{k}": v for k, v in self.mean.items()}
        tensors |= {f"speak.{k}": v for k, v in self.speak.state_dict().items()}
        for number, parameter in enumerate(self.parameters):
            tensors |= {f"optim.{number}.{k}": v for k, v in self.optimiser.state.get(parameter, {}).items()}
        partial = folder / "state.partial"
        about = {"steps": json.dumps(self.steps), "seconds": json.dumps(self.seconds)}
        save_file({k: v.contiguous() for k, v in tensors.items()}, partial, metadata=about)
        partial.replace(folder / "state.safetensors")

    def load(self, folder: Path) -> None:
        """Inverse of `save`."""
        from safetensors import safe_open

        tensors = load_file(folder / "state.safetensors")
        with safe_open(folder / "state.safetensors", "pt") as file:
            about = file.metadata()
        self.student.load_state_dict({k[4:]: v for k, v in tensors.items() if k.startswith("net.")})
        self.mean = {k[5:]: v for k, v in tensors.items() if k.startswith("mean.")}
        self.speak.load_state_dict({k[6:]: v for k, v in tensors.items() if k.startswith("speak.")})
        for number, parameter in enumerate(self.parameters):
            if f"optim.{number}.step" in tensors:
                names = ("step", "exp_avg", "exp_avg_sq")
                self.optimiser.state[parameter] = {k: tensors[f"optim.{number}.{k}"] for k in names}
        self.steps, self.seconds = json.loads(about["steps"]), json.loads(about["seconds"])


def train(data: Path, folder: Path, config: DistillConfig) -> Iterator[Event]:
    """Trains until the minutes are used up, saving as it goes; picks up new characters as they appear."""
    run = Distiller(config)
    if (folder / "state.safetensors").is_file():
        run.load(folder)
    items: dict[Path, Item] = {}
    saved = looked = -math.inf
    while run.seconds < 60 * config.minutes:
        if time.monotonic() - looked > 20:
            new = [path for path in sorted(data.glob("[0-9]*.npz")) if path not in items and int(path.stem) >= HELD]
            items |= {path: read_item(path) for path in new}
            looked = time.monotonic()
        if not items:
            raise TrainingError(f"There are no characters in {data}; render some with `distill data`.")
        rng = torch.Generator().manual_seed(config.seed * 1_000_003 + run.steps)
        pool = list(items.values())
        loss = run.step([pool[int(n)] for n in torch.randint(len(pool), (config.batch,), generator=rng)], rng)
        if time.monotonic() - saved > 60:
            run.save(folder)
            saved = time.monotonic()
        left = 60 * config.minutes - run.seconds
        total = max(run.steps + 1, round(run.steps * 60 * config.minutes / max(run.seconds, 1e-3)))
        yield Step(run.steps, total, "Distilling", loss, left)
    run.save(folder)
    yield Done({"folder": str(folder), "steps": run.steps, "characters": len(items)})


def export(folder: Path, where: Path = WEIGHTS) -> None:
    """Writes the running mean as the student that ships: fp16 safetensors, no pickle."""
    run = Distiller(DistillConfig())
    run.load(folder)
    run.student.load_state_dict(run.mean)
    run.student.half().save_pretrained(where)
