"""Layers of the embedded denoiser."""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn
from torch.nn import functional as F


def sinusoid(x: Tensor, width: int) -> Tensor:
    """Fourier features of x in 0..1: (...,) -> (..., width). Vaswani et al. 2017, with periods from 1 down to 1/256."""
    rates = 2 * math.pi * torch.exp(torch.linspace(0, math.log(256), width // 2, device=x.device, dtype=x.dtype))
    angles = x[..., None] * rates
    return torch.cat([angles.sin(), angles.cos()], dim=-1)


class Residual(nn.Module):
    """Two 3x3 convolutions with FiLM (Perez et al. 2018) between; starts as the identity."""

    def __init__(self, width: int, condition: int) -> None:
        super().__init__()
        self.norm1 = nn.GroupNorm(16, width)
        self.conv1 = nn.Conv2d(width, width, 3, padding=1)
        self.film = nn.Linear(condition, 2 * width)
        self.norm2 = nn.GroupNorm(16, width)
        self.conv2 = nn.Conv2d(width, width, 3, padding=1)
        nn.init.zeros_(self.conv2.weight)
        nn.init.zeros_(self.conv2.bias)  # type: ignore[arg-type]

    def forward(self, x: Tensor, condition: Tensor) -> Tensor:  # (N, C, H, W), (N, E)
        y = self.conv1(F.silu(self.norm1(x)))
        scale, shift = self.film(condition)[..., None, None].chunk(2, dim=1)
        return x + self.conv2(F.silu(self.norm2(y) * (1 + scale) + shift))


class Attention(nn.Module):
    """Multi-head attention from x to a context, residual; starts as the identity."""

    def __init__(self, width: int, context: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.norm = nn.LayerNorm(width)
        self.to_q = nn.Linear(width, width, bias=False)
        self.to_k = nn.Linear(context, width, bias=False)
        self.to_v = nn.Linear(context, width, bias=False)
        self.to_out = nn.Linear(width, width)
        nn.init.zeros_(self.to_out.weight)
        nn.init.zeros_(self.to_out.bias)

    def forward(self, x: Tensor, context: Tensor | None = None) -> Tensor:  # (N, L, C), (N, M, D)
        h = self.norm(x)
        context = h if context is None else context
        q, k, v = (
            part.unflatten(-1, (self.heads, -1)).transpose(1, 2)  # (N, heads, L, C / heads)
            for part in (self.to_q(h), self.to_k(context), self.to_v(context))
        )
        return x + self.to_out(F.scaled_dot_product_attention(q, k, v).transpose(1, 2).flatten(-2))


def to_tokens(x: Tensor) -> Tensor:
    """(N, C, H, W) -> (N, H*W, C)."""
    return x.flatten(2).transpose(1, 2)


def to_map(tokens: Tensor, height: int, width: int) -> Tensor:
    """(N, H*W, C) -> (N, C, H, W)."""
    return tokens.transpose(1, 2).unflatten(2, (height, width))


def heat_maps(joints: Tensor, grid: int, sigma: float = 1.2) -> Tensor:
    """Joints as Gaussian maps: presence, and presence times depth.

    joints (..., J, 4): x, y in cells, depth in cells, confidence. Returns (..., 2 J, grid, grid); sigma in grid steps.
    """
    centres = (torch.arange(grid, device=joints.device, dtype=joints.dtype) + 0.5) / grid
    spread = 2 * (sigma / grid) ** 2
    across = torch.exp(-((centres - joints[..., 0:1]) ** 2) / spread)
    down = torch.exp(-((centres - joints[..., 1:2]) ** 2) / spread)
    present = down[..., :, None] * across[..., None, :] * joints[..., 3, None, None]  # (..., J, grid, grid)
    return torch.cat([present, present * joints[..., 2, None, None] * 4], dim=-3)


def warp(image: Tensor, flow: Tensor) -> Tensor:
    """Backward warp: image (N, C, H, W) sampled at every pixel plus flow (N, 2, H, W) in cells."""
    height, width = image.shape[-2:]
    axis = [
        (torch.arange(size, device=image.device, dtype=image.dtype) + 0.5) / size * 2 - 1 for size in (width, height)
    ]
    grid = torch.stack(torch.meshgrid(axis[0], axis[1], indexing="xy"), dim=-1)  # (H, W, 2)
    where = grid + 2 * flow.permute(0, 2, 3, 1)
    return F.grid_sample(image, where.to(image.dtype), padding_mode="zeros", align_corners=False)
