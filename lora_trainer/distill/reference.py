"""The scale that the literature works at: a transformer teacher of 230 M and a CNN student of 18 M parameters (R83).

It builds, counts and takes a training step; nobody trained it here. With a GPU it is trained by the same `Distiller`.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from pipelines.embedded.blocks import to_tokens
from pipelines.interactive.student_net import StudentNet

STUDENT = {"widths": (160, 368), "depths": (2, 5), "memory": 32, "condition": 320}
"""Arguments of `StudentNet` for at most 18 M parameters."""


class TransformerTeacher(nn.Module):
    """A transformer of the ViT family (Dosovitskiy et al. 2021) from picture patches to clean patches.

    18 layers of width 1024 and 16 heads: 230 M parameters.
    """

    def __init__(self, width: int = 1024, layers: int = 18, heads: int = 16, patch: int = 16) -> None:
        super().__init__()
        self.patch = patch
        self.enter = nn.Conv2d(9, width, patch, stride=patch)
        self.level = nn.Linear(1, width)
        layer = nn.TransformerEncoderLayer(width, heads, 4 * width, 0.0, "gelu", batch_first=True, norm_first=True)
        self.body = nn.TransformerEncoder(layer, layers, enable_nested_tensor=False)
        self.leave = nn.Linear(width, 4 * patch**2)

    def forward(self, noisy: Tensor, rig: Tensor, confidence: Tensor, level: Tensor) -> tuple[Tensor, Tensor]:
        """Pictures (B, 4, S, S), confidence (B, 1, S, S), level (B,) -> x0 (B, 4, S, S), features (B, width, s, s)."""
        x = self.enter(torch.cat([noisy, rig, confidence], dim=1))
        side = x.shape[-1]
        tokens = self.body(to_tokens(x) + self.level(level[:, None])[:, None])
        features = tokens.transpose(1, 2).unflatten(2, (side, side))
        change = F.pixel_shuffle(self.leave(tokens).transpose(1, 2).unflatten(2, (side, side)), self.patch)
        return rig + change, features


def count(model: nn.Module) -> int:
    """Parameters of a model; works on the meta device."""
    return sum(parameter.numel() for parameter in model.parameters())


def reference_student() -> StudentNet:
    """The 18 M student."""
    return StudentNet(**STUDENT)  # type: ignore[arg-type]
