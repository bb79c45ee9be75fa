"""The joint detector's network: a small U-Net with attention at its narrowest, one heat map per joint."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from diffusers import ConfigMixin, ModelMixin
from diffusers.configuration_utils import register_to_config
from torch import nn

from .skeleton import FACINGS, N_JOINTS


class _Residual(nn.Module):
    def __init__(self, width: int) -> None:
        super().__init__()
        self.norm = nn.GroupNorm(8, width)
        self.conv = nn.Conv2d(width, width, 3, padding=1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        out: torch.Tensor = x + self.conv(F.silu(self.norm(x)))
        return out


class _Attention(nn.Module):
    """Every place looks at every other: which arm is the near one is decided by the whole figure.

    Where a place lies it knows from the zeros around the picture, so any size that 16 divides can be looked at.
    """

    def __init__(self, width: int) -> None:
        super().__init__()
        self.norm = nn.GroupNorm(8, width)
        self.mix = nn.MultiheadAttention(width, 4, batch_first=True)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        tokens = self.norm(x).flatten(2).transpose(1, 2)
        mixed = self.mix(tokens, tokens, tokens, need_weights=False)[0]
        out: torch.Tensor = x + mixed.transpose(1, 2).reshape(x.shape)
        return out


class JointNet(ModelMixin, ConfigMixin):
    """RGBA premultiplied (B, 4, S, S) in 0..1 to heat-map logits, presence logits and facing logits.

    `size` is the S it was trained to work best at.
    """

    @register_to_config
    def __init__(self, size: int = 96, width: int = 64, joints: int = N_JOINTS, facings: int = len(FACINGS)) -> None:
        super().__init__()
        near, middle, far = width, width * 2, int(width * 3.5) // 8 * 8
        self.stem = nn.Conv2d(4 * 16, near, 3, padding=1)
        self.near = nn.Sequential(_Residual(near), _Residual(near))
        self.down = nn.Conv2d(near, middle, 3, stride=2, padding=1)
        self.middle = nn.Sequential(_Residual(middle), _Residual(middle))
        self.deeper = nn.Conv2d(middle, far, 3, stride=2, padding=1)
        self.far = nn.Sequential(_Residual(far), _Attention(far), _Residual(far), _Attention(far), _Residual(far))
        self.far_to_middle = nn.Conv2d(far, middle, 1)
        self.middle_out = nn.Sequential(_Residual(middle), _Residual(middle))
        self.middle_to_near = nn.Conv2d(middle, near, 1)
        self.near_out = nn.Sequential(_Residual(near), _Residual(near), nn.GroupNorm(8, near), nn.SiLU())
        self.maps = nn.Conv2d(near, joints * 4, 1)
        self.head = nn.Sequential(nn.LayerNorm(far), nn.Linear(far, joints + facings))

    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Maps (B, J, S / 2, S / 2), presence (B, J), facing (B, 4) in the order of `FACINGS`; all logits."""
        near = self.near(self.stem(F.pixel_unshuffle(x, 4)))  # (B, 64, S / 4, S / 4)
        middle = self.middle(self.down(near))  # (B, 128, S / 8, S / 8)
        far = self.far(self.deeper(middle))  # (B, 224, S / 16, S / 16)
        judged = self.head(far.mean((2, 3)))
        middle = self.middle_out(middle + F.interpolate(self.far_to_middle(far), scale_factor=2.0))
        near = self.near_out(near + F.interpolate(self.middle_to_near(middle), scale_factor=2.0))
        maps = F.pixel_shuffle(self.maps(near), 2)
        joints = maps.shape[1]
        return maps, judged[:, :joints], judged[:, joints:]


def decode(maps: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Heat-map logits (B, J, S, S) to places (B, J, 2) as x, y in map pixels and the share of belief there (B, J).

    The peak, refined by the mean of the 5 x 5 places around it.
    """
    batch, joints, edge, _ = maps.shape
    belief = maps.flatten(2).softmax(-1).reshape(maps.shape)
    peak = F.avg_pool2d(belief, 3, 1, 1).flatten(2).argmax(-1)
    row, column = peak // edge, peak % edge
    around = torch.arange(-2, 3, device=maps.device)
    rows, columns = row[..., None] + around, column[..., None] + around  # (B, J, 5)
    padded = F.pad(belief, (2, 2, 2, 2))
    every = torch.arange(batch, device=maps.device)[:, None, None, None]
    each = torch.arange(joints, device=maps.device)[None, :, None, None]
    window = padded[every, each, rows[..., :, None] + 2, columns[..., None, :] + 2]
    mass = window.sum((-1, -2)).clamp(min=1e-9)
    y = (window.sum(-1) * rows).sum(-1) / mass
    x = (window.sum(-2) * columns).sum(-1) / mass
    return torch.stack([x, y], -1) + 0.5, mass.clamp(max=1)
