"""The embedded denoiser as something that learns one character."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from pathlib import Path

import numpy as np
import torch
from peft import LoraConfig, set_peft_model_state_dict
from safetensors.torch import load_file

from ..adapter import WEIGHTS as ADAPTER_FILE
from ..backend import Batch, TrainingSample
from ..errors import TrainingError
from ..figure import Figure, place
from ..pose.retarget import rest_track
from ..rig import build_puppet, draw
from .backend import observe
from .conditions import PIXELS, Observation, at_size, collate, straight
from .damage import damaged
from .denoiser import LORA_TARGETS, EmbeddedDenoiser
from .items import gather, load_items, pack, unpack
from .objective import clip_losses, levels, noised

PRIOR = "prior.npz"
"""Other characters, shipped with the weights, on which a LoRA must not change the base model's answer (R30)."""

FRAMES = 4
"""Frames of a clip that one training step sees at most; over a run it sees all."""

LOOK = "look"
"""Name of the one adapter in the network."""


class EmbeddedTrainable:
    """A copy of the denoiser with a fresh LoRA; see `pipelines.backend.Trainable`."""

    def __init__(self, weights: Path, rank: int, seed: int, device: str = "cpu") -> None:
        if not 1 <= rank <= 128:
            raise TrainingError(f"A LoRA's rank goes from 1 to 128; got {rank}. 16 suits most characters.")
        self.network = EmbeddedDenoiser.from_pretrained(weights / "denoiser", dtype=torch.float32).to(device)
        self.network.requires_grad_(False)
        self.weights = weights
        self._last: tuple[Figure, Observation, np.ndarray] | None = None
        with torch.random.fork_rng():
            torch.manual_seed(seed)
            self.network.add_adapter(
                LoraConfig(r=rank, lora_alpha=rank, target_modules=list(LORA_TARGETS)), adapter_name=LOOK
            )
        self.network.train()

    def parameters(self) -> Iterable[torch.nn.Parameter]:
        """The LoRA's own parameters."""
        return (p for p in self.network.parameters() if p.requires_grad)

    def encode(self, sample: TrainingSample, figure: Figure) -> Sequence[Batch]:
        """The sample's frames as targets, what the rig makes of the same poses as input."""
        if sample.track is None:
            raise TrainingError(
                f"No joints were found in the {sample.action} sample, so the model cannot learn its motion. "
                "Place the joints by hand on its first frame, or leave the sample out."
            )
        seen = observe(build_puppet(figure), figure, sample.track, sample.action)
        return [pack(seen, at_size(sample.frames, PIXELS), self.network, sample.weight)]

    def augment(self, figure: Figure, rng: np.random.Generator) -> Batch:
        """The still, harmed as acting harms it, with the true still as target (embedded_model: one still)."""
        seen, parts = self._still(figure)
        return pack(damaged(seen, parts, rng), seen.rig, self.network)

    def _still(self, figure: Figure) -> tuple[Observation, np.ndarray]:
        if self._last is None or self._last[0] is not figure:
            puppet, rest = build_puppet(figure), rest_track(figure, place(figure), 1)
            still = observe(puppet, figure, rest, "idle"), draw(puppet, rest, PIXELS).parts[0]
            self._last = (figure, *still)
        return self._last[1], self._last[2]

    def prior(self, rng: np.random.Generator) -> Batch:
        """Another character, with the base model's own answer as target."""
        item = self._prior[int(rng.integers(len(self._prior)))]
        seen, _ = unpack(item, self.network.actions)
        given = collate([seen], self.network).to(self.network.device)
        noise = torch.from_numpy(rng.standard_normal((1, 1, 4, PIXELS, PIXELS)).astype(np.float32))
        noisy = noise.expand_as(given.rig).to(self.network.device)
        self.network.disable_adapters()
        with torch.no_grad():
            answer = self.network(noisy, torch.ones(1, device=self.network.device), given).apply(given.rig)
        self.network.enable_adapters()
        return pack(seen, straight(answer[0]), self.network)

    @cached_property
    def _prior(self) -> list[Batch]:
        return load_items(self.weights / PRIOR)

    def loss(self, items: Sequence[Batch], rng: torch.Generator) -> torch.Tensor:
        """Weighted mean of the items' losses; items with few frames are drawn apart from those with many."""
        total, weights = torch.zeros(()), torch.zeros(())
        counts = [min(FRAMES, len(item["target"])) for item in items]
        for frames in sorted(set(counts)):
            group = [item for item, count in zip(items, counts, strict=True) if count == frames]
            given, target, weight = gather(group, frames, self.network, rng)
            given, target = given.to(self.network.device), target.to(self.network.device)
            level = levels(len(group), rng)
            finish = self.network(noised(target, level, rng), level.to(target.device), given)
            losses = clip_losses(finish, target, given).cpu()
            total = total + (losses * weight).sum()
            weights = weights + weight.sum()
        return total / weights.clamp(min=1e-6)

    def load_adapter(self, folder: Path) -> None:
        """Puts a saved adapter's weights in place of the current ones."""
        set_peft_model_state_dict(self.network, load_file(folder / ADAPTER_FILE), adapter_name=LOOK)

    def save_adapter(self, folder: Path) -> None:
        """Writes the current weights as an adapter that `load_lora_weights` reads."""
        self.network.save_lora_adapter(folder, adapter_name=LOOK, weight_name=ADAPTER_FILE)
