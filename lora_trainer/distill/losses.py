"""What the student minimises. Each term is about 1 for a student that leaves the rig alone, so that weights compare."""

from __future__ import annotations

import math

import torch
from torch import Tensor
from torch.nn import functional as F

from pipelines.embedded.blocks import warp

WEIGHTS = {"pixel": 0.5, "flow": 0.3, "parts": 0.2, "kl": 0.1, "feature": 0.1}
"""Issue 5: 0.5 L2 + 0.3 optical-flow consistency + 0.2 segmentation, plus both ways of listening to the teacher."""


def doubtful(rig: Tensor, confidence: Tensor, truth: Tensor) -> Tensor:
    """Pixel weights (B, 1, S, S), 1 to 5: more where the rig is unsure or its outline is wrong."""
    doubt = (1 - confidence) * torch.maximum(truth[:, 3:], rig[:, 3:])
    return 1 + 4 * torch.maximum(doubt, (truth[:, 3:] - rig[:, 3:]).abs())


def pixel(made: Tensor, rig: Tensor, confidence: Tensor, truth: Tensor) -> Tensor:
    """Weighted L2 on premultiplied RGBA (B, 4, S, S), as a share of the rig's own."""
    weight = doubtful(rig, confidence, truth)
    return (weight * (made - truth).square()).mean() / (weight * (rig - truth).square()).mean().clamp(min=1e-6)


def consistency(made: Tensor, before: Tensor, truth: Tensor, truth_before: Tensor, flow: Tensor) -> Tensor:
    """Optical-flow consistency (Lai et al. 2018): change along the true motion must be the true change, no flicker.

    Pictures (B, 4, S, S); flow (B, 2, g, g) in cells from each frame back to the one before. In units of 0.01.
    """
    flow = F.interpolate(flow, size=made.shape[-2:], mode="bilinear", align_corners=False)
    return ((made - warp(before, flow)) - (truth - warp(truth_before, flow))).square().mean() / 0.01


def segmentation(logits: Tensor, parts: Tensor) -> Tensor:
    """Cross-entropy as a share of chance: logits (B, P + 1, g, g), parts (B, g, g) with -1 where empty."""
    return F.cross_entropy(logits, parts.long() + 1) / math.log(logits.shape[1])


def kl(mask: Tensor, teacher: Tensor, temperature: float) -> Tensor:
    """Hinton et al. 2015: KL of the teacher's keep-or-paint choice to the student's, softened. (B, 1, S, S) each."""

    def soft(share: Tensor) -> tuple[Tensor, Tensor]:
        logit = share.clamp(0.01, 0.99).logit() / temperature
        return F.logsigmoid(logit), F.logsigmoid(-logit)

    (keep, paint), (keep_t, paint_t) = soft(mask), soft(teacher)
    return (temperature**2 * (keep_t.exp() * (keep_t - keep) + paint_t.exp() * (paint_t - paint))).mean()


def feature(made: Tensor, teacher: Tensor) -> Tensor:
    """Feature matching (Romero et al. 2015) as 1 - cosine over channels; made (B, C, h, w), teacher (B, C, k, k)."""
    return (1 - F.cosine_similarity(F.adaptive_avg_pool2d(made, teacher.shape[-1]), teacher, dim=1)).mean()
