"""A running mean of the weights: steadier than the last step, and what is kept at the end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import torch


def decay_at(step: int, decay: float) -> float:
    """Decay of step 0, 1, 2...: `min(decay, (1 + step) / (10 + step))`, so that a short run is not held at its start.

    The warm-up of TensorFlow's `ExponentialMovingAverage`.
    """
    return min(decay, (1 + step) / (10 + step))


@dataclass(frozen=True)
class Ema:
    """The mean of some parameters, in their order. Updated in place."""

    decay: float
    mean: list[torch.Tensor]

    @classmethod
    def of(cls, parameters: Sequence[torch.nn.Parameter], decay: float) -> Ema:
        """Starts at the current weights."""
        return cls(decay, [parameter.detach().clone() for parameter in parameters])

    @torch.no_grad()
    def update(self, parameters: Sequence[torch.nn.Parameter], step: int) -> None:
        """Takes in the weights after step `step` (from 0)."""
        share = 1 - decay_at(step, self.decay)
        for mean, parameter in zip(self.mean, parameters, strict=True):
            mean.lerp_(parameter.detach(), share)

    @contextmanager
    def in_place(self, parameters: Sequence[torch.nn.Parameter]) -> Iterator[None]:
        """Within the block the parameters hold the mean; afterwards, even after an error, their own values again."""
        own = [parameter.detach().clone() for parameter in parameters]
        _put(parameters, self.mean)
        try:
            yield
        finally:
            _put(parameters, own)


@torch.no_grad()
def _put(parameters: Sequence[torch.nn.Parameter], values: Sequence[torch.Tensor]) -> None:
    for parameter, value in zip(parameters, values, strict=True):
        parameter.copy_(value)
