"""The network that finishes what the rig has drawn.

x0-parametrised flow matching (Liu et al. 2022; Lipman et al. 2022) with a warp head: the network predicts a residual
flow, a mask and RGBA, and `x0 = mask * warp(rig, flow) + (1 - mask) * rgba`. It starts as the identity on the rig.
Pictures inside are premultiplied RGBA in 0..1.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from diffusers.configuration_utils import ConfigMixin, register_to_config
from diffusers.loaders.peft import PeftAdapterMixin
from diffusers.models.modeling_utils import ModelMixin
from diffusers.utils.peft_utils import set_weights_and_activate_adapters
from torch import Tensor, nn
from torch.nn import functional as F

from ..pose.skeleton import N_JOINTS
from .blocks import Attention, Residual, heat_maps, sinusoid, to_map, to_tokens, warp

PATCH = 4
"""Pixels a side that become one token at the finer of the two scales."""

LORA_TARGETS = ("conv1", "conv2", "to_q", "to_k", "to_v", "to_out", "head")
"""Modules that a character's LoRA adapts."""


@dataclass
class Conditions:
    """All that the network knows beside the noisy frames. B clips of T frames, S pixels a side."""

    reference: Tensor  # (B, 4, S, S) the standing art in its cell
    reference_joints: Tensor  # (B, 21, 4) x, y, depth in cells, confidence
    rig: Tensor  # (B, T, 4, S, S) what the rig drew
    confidence: Tensor  # (B, T, 1, S, S) in 0..1, low where the rig stretched, filled or folded
    joints: Tensor  # (B, T, 21, 4)
    action: Tensor  # (B,) index into the network's action table
    facing: Tensor  # (B,) index into FACINGS
    phase: Tensor  # (B, T) in 0..1
    weapon: Tensor  # (B,) 1 where the right hand holds something

    def to(self, device: torch.device | str, dtype: torch.dtype | None = None) -> Conditions:
        """Moves every tensor; only floating-point ones change type."""
        values = vars(self).items()
        return Conditions(**{k: v.to(device, dtype if v.is_floating_point() else None) for k, v in values})


@dataclass
class Finish:
    """What the network decided, before it is applied; the detail pass applies it at any resolution."""

    flow: Tensor  # (B, T, 2, S, S) in cells
    mask: Tensor  # (B, T, 1, S, S) 1 = keep the (warped) rig
    rgba: Tensor  # (B, T, 4, S, S) premultiplied
    free: Tensor | None = None  # (B, 1, 1, 1, 1) True where there is no guidance, so that the silhouette is free too

    def apply(self, rig: Tensor) -> Tensor:
        """x0: (B, T, 4, S, S) premultiplied."""
        warped = warp(rig.flatten(0, 1), self.flow.flatten(0, 1)).unflatten(0, rig.shape[:2])
        return self.mask * warped + (1 - self.mask) * self.painted(warped)

    def painted(self, warped: Tensor) -> Tensor:
        """The network's colours inside the warped rig's silhouette, premultiplied.

        The silhouette moves with the flow and stays as crisp as the art's: a mean of possible silhouettes is haze.
        """
        alpha, held = self.rgba[:, :, 3:], warped[:, :, 3:]
        colour = (self.rgba[:, :, :3] / alpha.clamp(min=0.05)).clamp(0, 1)
        inside = torch.where(alpha > 0.3, torch.cat([colour * held, held], dim=2), warped)
        return inside if self.free is None else torch.where(self.free, self.rgba, inside)


class EmbeddedDenoiser(ModelMixin, ConfigMixin, PeftAdapterMixin):  # type: ignore[misc]
    """5 M parameters at the default widths."""

    @register_to_config
    def __init__(
        self,
        sample_size: int = 64,
        widths: tuple[int, int] = (96, 192),
        heads: int = 4,
        condition: int = 256,
        actions: tuple[str, ...] = ("idle",),
        max_flow: float = 0.08,
        mask_bias: float = 2.0,
    ) -> None:
        """`max_flow` in cells; `mask_bias` is the logit of trusting the rig before any training."""
        super().__init__()
        fine, coarse = widths
        frame_channels, maps = 9 * PATCH**2, 2 * N_JOINTS
        self.actions = tuple(actions)
        self.max_flow, self.mask_bias = max_flow, mask_bias
        self.time = nn.Sequential(nn.Linear(64, condition), nn.SiLU(), nn.Linear(condition, condition))
        self.moment = nn.Linear(64, condition)
        self.action = nn.Embedding(len(actions) + 1, condition)  # the last row is any action the network never saw
        self.facing = nn.Embedding(4, condition)
        self.weapon = nn.Parameter(torch.zeros(condition))

        self.look_in = nn.Conv2d(4 * PATCH**2 + maps, fine, 3, padding=1)
        self.look_fine = nn.ModuleList(Residual(fine, condition) for _ in range(2))
        self.look_down = nn.Conv2d(fine, coarse, 3, stride=2, padding=1)
        self.look_coarse = Residual(coarse, condition)

        self.frame_in = nn.Conv2d(frame_channels + maps, fine, 3, padding=1)
        self.down_blocks = nn.ModuleList(Residual(fine, condition) for _ in range(2))
        self.down_look = Attention(fine, fine, heads)
        self.down = nn.Conv2d(fine, coarse, 3, stride=2, padding=1)
        self.mid_blocks = nn.ModuleList(Residual(coarse, condition) for _ in range(2))
        self.mid_self = Attention(coarse, coarse, heads)
        self.mid_look = Attention(coarse, coarse, heads)
        self.mid_time = Attention(coarse, coarse, heads)
        self.up = nn.Conv2d(coarse, fine, 3, padding=1)
        self.join = nn.Conv2d(2 * fine, fine, 1)
        self.up_look = Attention(fine, fine, heads)
        self.up_blocks = nn.ModuleList(Residual(fine, condition) for _ in range(2))
        self.head_norm = nn.GroupNorm(16, fine)
        self.head = nn.Conv2d(fine, 16 * PATCH**2, 3, padding=1)
        self.fine1 = nn.Conv2d(16 + 9, 32, 3, padding=1)
        self.fine2 = nn.Conv2d(32, 7, 3, padding=1)
        nn.init.zeros_(self.fine2.weight)
        nn.init.zeros_(self.fine2.bias)  # type: ignore[arg-type]

    def set_adapters(  # type: ignore[override]
        self, adapter_names: list[str] | str, weights: float | list[float] | None = None
    ) -> None:
        """Activates adapters at the given strengths (diffusers' own version knows only its own classes)."""
        names = [adapter_names] if isinstance(adapter_names, str) else adapter_names
        scales = weights if isinstance(weights, list) else [1.0 if weights is None else weights] * len(names)
        set_weights_and_activate_adapters(self, names, scales)

    def action_index(self, action: str) -> int:
        """Row of an action in the table; unseen actions share the last row."""
        return self.actions.index(action) if action in self.actions else len(self.actions)

    def forward(self, noisy: Tensor, level: Tensor, given: Conditions) -> Finish:
        """One denoising step.

        noisy (B, T, 4, S, S): `(1 - level) * x0 + level * noise`; level (B,) in 0..1. Returns the finish for x0.
        """
        b, t, _, size, _ = noisy.shape
        grid = size // PATCH
        still = self.time(sinusoid(level, 64)) + self.action(given.action) + self.facing(given.facing)
        still = still + given.weapon[:, None] * self.weapon
        moving = (still[:, None] + self.moment(sinusoid(given.phase, 64))).flatten(0, 1)  # (B T, E)

        look = torch.cat([F.pixel_unshuffle(given.reference, PATCH), heat_maps(given.reference_joints, grid)], dim=1)
        look = self.look_in(look)
        for block in self.look_fine:
            look = block(look, still)
        look_coarse = to_tokens(self.look_coarse(self.look_down(look), still)).repeat_interleave(t, dim=0)
        look_fine = to_tokens(look).repeat_interleave(t, dim=0)  # (B T, grid^2, fine)

        rig, confidence = given.rig.flatten(0, 1), given.confidence.flatten(0, 1)
        pixels = torch.cat([noisy.flatten(0, 1), rig, confidence], dim=1)  # (B T, 9, S, S)
        x = torch.cat([F.pixel_unshuffle(pixels, PATCH), heat_maps(given.joints.flatten(0, 1), grid)], dim=1)
        x = self.frame_in(x)
        for block in self.down_blocks:
            x = block(x, moving)
        skip = x = to_map(self.down_look(to_tokens(x), look_fine), grid, grid)
        x = self.mid_blocks[0](self.down(x), moving)
        h, w = x.shape[-2:]
        tokens = self.mid_look(self.mid_self(to_tokens(x)), look_coarse)  # (B T, h w, coarse)
        tokens = tokens.unflatten(0, (b, t)).transpose(1, 2).flatten(0, 1)  # (B h w, T, coarse)
        tokens = self.mid_time(tokens).unflatten(0, (b, h * w)).transpose(1, 2).flatten(0, 1)
        x = self.mid_blocks[1](to_map(tokens, h, w), moving)
        x = self.join(torch.cat([self.up(F.interpolate(x, scale_factor=2.0)), skip], dim=1))
        x = to_map(self.up_look(to_tokens(x), look_fine), grid, grid)
        for block in self.up_blocks:
            x = block(x, moving)
        x = F.pixel_shuffle(self.head(F.silu(self.head_norm(x))), PATCH)  # (B T, 16, S, S)
        out = self.fine2(F.silu(self.fine1(torch.cat([x, pixels], dim=1)))).float()
        return self._finish(out.unflatten(0, (b, t)), given)

    def _finish(self, out: Tensor, given: Conditions) -> Finish:
        # Where the rig is sure, its pixels are the artist's own: neither moved nor repainted.
        kept = trust(given.confidence).float()
        flow = torch.tanh(out[:, :, 0:2]) * self.max_flow * (1 - kept)
        mask = torch.maximum(torch.sigmoid(out[:, :, 2:3] + self.mask_bias), kept)
        rig = given.rig.float()
        alpha = (rig[:, :, 3:] + out[:, :, 6:7]).clamp(0, 1)
        colour = (rig[:, :, :3] + out[:, :, 3:6]).clamp(0, 1)
        free = given.confidence.amax(dim=(1, 2, 3, 4), keepdim=True) == 0
        return Finish(flow, mask, torch.cat([torch.minimum(colour, alpha), alpha], dim=2), free)


def trust(confidence: Tensor, border: int = 1) -> Tensor:
    """Share of every pixel that must stay as the rig drew it, empty or not: (B, T, 1, S, S) in 0..1.

    confidence (B, T, 1, S, S). 0 where the rig is at most 50 % sure and within `border` pixels of such a place, so
    that seams can heal; 1 from 80 %. Elsewhere a network in doubt would only spread haze along the outlines.
    """
    doubt = F.max_pool2d(1 - confidence.flatten(0, 1), 2 * border + 1, stride=1, padding=border)
    return ((0.5 - doubt) / 0.3).clamp(0, 1).unflatten(0, confidence.shape[:2])
