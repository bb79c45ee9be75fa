"""What training minimises, for the shipped weights and for a character's LoRA alike."""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn import functional as F

from .denoiser import Conditions, Finish


def edges(x: Tensor) -> tuple[Tensor, Tensor]:
    """Horizontal and vertical differences of (..., H, W)."""
    return x[..., :, 1:] - x[..., :, :-1], x[..., 1:, :] - x[..., :-1, :]


def importance(given: Conditions, target: Tensor) -> Tensor:
    """Pixel weights (B, T, 1, S, S): 1 everywhere, up to 5 where the rig is unsure or its outline is wrong."""
    doubt = (1 - given.confidence) * torch.maximum(target[:, :, 3:], given.rig[:, :, 3:])
    outline = (target[:, :, 3:] - given.rig[:, :, 3:]).abs()
    return 1 + 4 * torch.maximum(doubt, outline)


def clip_losses(finish: Finish, target: Tensor, given: Conditions) -> Tensor:
    """Loss of every clip (B,): L1 + L2 on premultiplied RGBA, edges, alpha, and a price on needless change.

    target (B, T, 4, S, S) premultiplied. The edge term keeps fills crisp; the price (0.05 per repainted pixel, the
    flow's length and roughness) makes "leave it alone" the answer wherever the rig is already right.
    """
    made = finish.apply(given.rig)
    weight = importance(given, target)
    error = made - target
    pixel = (weight * (error.abs() + 4 * error.square())).mean(dim=(1, 2, 3, 4))
    pairs = zip(edges(made), edges(target), strict=True)
    edge = sum((a - b).abs().mean(dim=(1, 2, 3, 4)) for a, b in pairs)
    alpha = (weight * error[:, :, 3:].abs()).mean(dim=(1, 2, 3, 4))
    needless = (1 - finish.mask).mean(dim=(1, 2, 3, 4))
    smooth = sum(d.abs().mean(dim=(1, 2, 3, 4)) for d in edges(finish.flow))
    moved = finish.flow.abs().mean(dim=(1, 2, 3, 4))
    return pixel + 0.5 * edge + 0.5 * alpha + 0.05 * needless + 0.5 * smooth + 2 * moved


def noised(target: Tensor, level: Tensor, rng: torch.Generator) -> Tensor:
    """`(1 - level) * x0 + level * noise`, the same noise for all frames of a clip. level (B,)."""
    b, _, c, height, width = target.shape
    noise = torch.randn(b, 1, c, height, width, generator=rng).to(target.device)
    share = level[:, None, None, None, None]
    return (1 - share) * target + share * noise


def levels(count: int, rng: torch.Generator) -> Tensor:
    """Noise levels for training (count,): half are pure noise, where generation begins; the rest uniform in 0..1."""
    drawn = torch.rand(count, 2, generator=rng)
    return torch.where(drawn[:, 0] < 0.5, torch.ones(count), drawn[:, 1].clamp(min=0.02))


def noise_floor(alpha: Tensor) -> Tensor:
    """Mean alpha outside the 3x3 neighbourhood of anything solid: the grey haze measure, 0 when clean. (..., S, S)."""
    flat = alpha.reshape(-1, 1, *alpha.shape[-2:])
    near = F.max_pool2d((flat > 0.5).float(), 3, stride=1, padding=1)
    return (flat * (1 - near)).mean()
