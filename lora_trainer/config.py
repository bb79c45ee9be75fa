"""What a training run is asked to do, and three ways of asking that fit most characters."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any

from pipelines.errors import TrainingError


@dataclass(frozen=True)
class TrainConfig:
    """One training run. Nothing in it is clamped: a value out of range raises `TrainingError` with the cure."""

    backend: str = "embedded"
    """Name of a model from `pipelines.registry`."""
    rank: int = 16
    """Inner width of the LoRA, 1..256: how much it can remember."""
    steps: int = 150
    """Optimiser steps, 1..20000."""
    batch: int = 8
    """Items a step, 1..64: stills, animated samples and prior samples together."""
    learning_rate: float = 1e-3
    """Peak of the schedule, 0..0.1 (0 excluded)."""
    warmup_share: float = 0.05
    """Share of the steps, 0..0.5, over which the learning rate rises; it then falls as a cosine."""
    weight_decay: float = 0.01
    """AdamW's decay of the LoRA weights, 0..1."""
    gradient_clip: float = 1.0
    """Longest allowed gradient (L2 norm), more than 0."""
    still_share: float = 0.5
    """Share of the character's own items taken from stills, 0..1; the rest are animated samples.
    Used when there are both; with no animated sample every item comes from stills."""
    prior_share: float = 0.25
    """Share of the batch, 0..0.9, taken from other characters so that the model does not forget how to move."""
    priors: int = 32
    """How many different prior items are prepared, 1..2000; at most as many as the run draws."""
    ema: float = 0.98
    """Decay of the running mean of the weights, 0..0.9999; the mean is what is kept. 0 keeps the last weights."""
    checkpoint_every: int = 50
    """Steps between checkpoints, at least 1."""
    preview_every: int = 50
    """Steps between preview pictures; 0 draws none."""
    preview_action: str = "walk"
    """Action of the previews and of the proof, from the motion library."""
    seed: int = 0
    """0..2**32 - 1; the same seed, settings and samples give the same weights on the CPU."""

    def __post_init__(self) -> None:
        for name, (low, high) in _RANGES.items():
            value = getattr(self, name)
            whole = isinstance(high, int)
            if isinstance(value, bool) or not isinstance(value, int if whole else (int, float)):
                raise TrainingError(f"{_says(name)} must be a {'whole ' if whole else ''}number; got {value!r}.")
            if not (math.isfinite(value) and low <= value <= high):
                raise TrainingError(f"{_says(name)} goes from {low:.12g} to {high:.12g}; got {value:.12g}.")
        if not self.preview_action.strip():
            raise TrainingError("Choose an action for the previews, for example walk.")

    def to_json(self) -> dict[str, Any]:
        """All fields as plain JSON."""
        return asdict(self)

    @classmethod
    def from_json(cls, body: Mapping[str, Any]) -> TrainConfig:
        """Inverse of `to_json`. Missing fields take their defaults, unknown ones are ignored: old jobs still run."""
        known = {item.name for item in fields(cls)}
        return cls(**{key: value for key, value in body.items() if key in known})


_RANGES: dict[str, tuple[float, float]] = {
    "rank": (1, 256),
    "steps": (1, 20_000),
    "batch": (1, 64),
    "learning_rate": (1e-7, 0.1),
    "warmup_share": (0.0, 0.5),
    "weight_decay": (0.0, 1.0),
    "gradient_clip": (1e-4, 1e4),
    "still_share": (0.0, 1.0),
    "prior_share": (0.0, 0.9),
    "priors": (1, 2000),
    "ema": (0.0, 0.9999),
    "checkpoint_every": (1, 20_000),
    "preview_every": (0, 20_000),
    "seed": (0, 2**32 - 1),
}


def _says(field: str) -> str:
    return f"The {field.replace('_', ' ')}"


@dataclass(frozen=True)
class Preset:
    """A named starting point on the page and the command line."""

    title: str
    sentence: str
    config: TrainConfig


PRESETS: dict[str, Preset] = {
    "quick": Preset(
        "Quick",
        "A first look: the colours settle, details do not yet.",
        TrainConfig(steps=60, rank=8, checkpoint_every=20, preview_every=20, priors=16),
    ),
    "standard": Preset("Standard", "What most characters need.", TrainConfig()),
    "thorough": Preset(
        "Thorough",
        "For characters with much detail or many samples; takes about four times as long.",
        TrainConfig(steps=600, rank=32, ema=0.99, checkpoint_every=100, preview_every=100, priors=128),
    ),
}
