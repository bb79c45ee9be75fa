"""One optimiser step, and everything that it changes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch

from pipelines.backend import Batch, Trainable
from pipelines.errors import TrainingError

from .checkpoint import State
from .config import TrainConfig
from .ema import Ema

_NOISE = 4
"""Stream number of the noise generator; see `dataset`."""


def rate_at(step: int, config: TrainConfig) -> float:
    """Learning rate of step 0, 1, 2...: linear warm-up, then a half cosine down to 0 after the last step."""
    warmup = round(config.steps * config.warmup_share)
    if step < warmup:
        return config.learning_rate * ((step + 1) / warmup)
    return config.learning_rate * 0.5 * (1 + math.cos(math.pi * (step - warmup) / max(1, config.steps - warmup)))


class Learner:
    """The LoRA parameters with their optimiser and running mean."""

    def __init__(self, config: TrainConfig, trainable: Trainable) -> None:
        self.config = config
        self.trainable = trainable
        self.parameters = list(trainable.parameters())
        if not self.parameters:
            raise TrainingError("This model has no weights to train; choose another one.")
        self.optimiser = torch.optim.AdamW(self.parameters, config.learning_rate, weight_decay=config.weight_decay)
        self.ema = Ema.of(self.parameters, config.ema)
        self.losses: list[float] = []

    @property
    def step(self) -> int:
        """Steps done."""
        return len(self.losses)

    def learn(self, items: Sequence[Batch]) -> float:
        """One step on `items`; the loss before it. Raises `TrainingError` when the numbers run away."""
        seed = int(np.random.SeedSequence((self.config.seed, _NOISE, self.step)).generate_state(1, np.uint64)[0])
        noise = torch.Generator().manual_seed(seed & (2**63 - 1))
        for group in self.optimiser.param_groups:
            group["lr"] = rate_at(self.step, self.config)
        self.optimiser.zero_grad(set_to_none=True)
        with torch.random.fork_rng(devices=[]):  # dropout draws from the global generator
            torch.manual_seed(seed & (2**63 - 1))
            loss = self.trainable.loss(items, noise)
            loss.backward()
        length = torch.nn.utils.clip_grad_norm_(self.parameters, self.config.gradient_clip)
        value = float(loss.detach())
        if not (math.isfinite(value) and math.isfinite(float(length))):
            raise TrainingError(
                f"Training ran away at step {self.step + 1}; train again with a learning rate below "
                f"{self.config.learning_rate:g}."
            )
        self.optimiser.step()
        self.ema.update(self.parameters, self.step)
        self.losses.append(value)
        return value

    def save_adapter(self, folder: Path) -> None:
        """Writes the running mean as an adapter's weights."""
        folder.mkdir(parents=True, exist_ok=True)
        with self.ema.in_place(self.parameters):
            self.trainable.save_adapter(folder)

    @torch.no_grad()
    def keys_matched(self, folder: Path) -> float:
        """Share of the weights, 0..1, that loading the adapter in `folder` brings back (field report 12)."""
        own = [parameter.detach().clone() for parameter in self.parameters]
        for parameter in self.parameters:
            parameter.fill_(torch.nan)  # what the file does not reach stays wrong
        try:
            self.trainable.load_adapter(folder)
            loaded = list(self.trainable.parameters())
            same = [
                now.shape == mean.shape and torch.allclose(now.float(), mean.float(), rtol=1e-2, atol=1e-3)
                for now, mean in zip(loaded, self.ema.mean, strict=True)
            ]
        finally:
            for parameter, value in zip(self.parameters, own, strict=True):
                parameter.copy_(value)
        return sum(same) / len(same)

    def state(self) -> State:
        """All that the next step depends on."""
        tensors: dict[str, torch.Tensor] = {}
        for number, (parameter, mean) in enumerate(zip(self.parameters, self.ema.mean, strict=True)):
            tensors[f"weight.{number}"] = parameter.detach()
            tensors[f"ema.{number}"] = mean
            tensors |= {f"{name}.{number}": value for name, value in self.optimiser.state[parameter].items()}
        return State(list(self.losses), tensors)

    @torch.no_grad()
    def restore(self, state: State) -> None:
        """Goes on from a saved state exactly as if it had never stopped."""
        for number, (parameter, mean) in enumerate(zip(self.parameters, self.ema.mean, strict=True)):
            parameter.copy_(state.tensors[f"weight.{number}"])
            mean.copy_(state.tensors[f"ema.{number}"])
            moments = {
                name: state.tensors[f"{name}.{number}"]
                for name in ("step", "exp_avg", "exp_avg_sq")
                if f"{name}.{number}" in state.tensors
            }
            if moments:
                on_device = {k: v if k == "step" else v.to(parameter.device) for k, v in moments.items()}
                self.optimiser.state[parameter] = on_device
        self.losses = list(state.losses)
