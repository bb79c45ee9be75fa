"""The student: one step a frame, from the rig's frame, the art, the pose or the keys, and what it remembers."""

from __future__ import annotations

from collections.abc import Callable

import torch
from diffusers.configuration_utils import ConfigMixin, register_to_config
from diffusers.models.modeling_utils import ModelMixin
from torch import Tensor, nn
from torch.nn import functional as F

from ..embedded.blocks import Residual, heat_maps, sinusoid
from ..embedded.denoiser import Finish, trust
from ..pose.skeleton import N_JOINTS
from ..rig import PARTS

SIZE = 128
"""Side of the student's picture in pixels."""

PATCH = 4
"""Pixels a side that become one place of the network's grid."""

GRID = SIZE // PATCH

CONTROL = 6
"""Velocity in m/s and rotation in degrees; see `actions.vector`."""

Read = Callable[[Tensor], Tensor]
"""Query (B, C, h, w) to what the history remembers, of the same shape."""


def nothing(query: Tensor) -> Tensor:
    """An empty history."""
    return torch.zeros_like(query)


def attend(query: Tensor, states: Tensor) -> Tensor:
    """`History.read` for a batch: query (B, C, h, w), states (B, n, C, h, w) -> (B, C, h, w)."""

    def unit(x: Tensor) -> Tensor:
        x = x - x.mean(-1, keepdim=True)
        return x / x.norm(dim=-1, keepdim=True).clamp(min=1e-6)

    score = (unit(states.flatten(2)) @ unit(query.flatten(1))[..., None])[..., 0] * query.shape[1] ** 0.5
    return torch.einsum("bn,bnchw->bchw", score.softmax(-1), states)


class StudentNet(ModelMixin, ConfigMixin):  # type: ignore[misc]
    """A causal U-Net of two scales, small enough to run between two frames on a CPU.

    Starts as the identity on the rig, and never repaints what the rig is sure of (`trust`): it cannot harm those
    pixels however it is trained.
    """

    @register_to_config
    def __init__(
        self,
        widths: tuple[int, int] = (32, 64),
        depths: tuple[int, int] = (1, 2),
        memory: int = 16,
        condition: int = 64,
        max_flow: float = 0.06,
        mask_bias: float = 2.0,
    ) -> None:
        """`depths`: residual blocks on the way (each way) at the fine scale and in the middle; `max_flow` in cells."""
        super().__init__()
        fine, coarse = widths
        self.max_flow, self.mask_bias = max_flow, mask_bias
        self.moment = nn.Sequential(
            nn.Linear(32 + CONTROL, condition), nn.SiLU(), nn.Linear(condition, condition), nn.SiLU()
        )
        self.look_in = nn.Conv2d(4 * PATCH**2 + 2 * N_JOINTS, fine, 3, padding=1)
        self.look_out = nn.Conv2d(fine, fine, 3, padding=1)
        self.frame_in = nn.Conv2d(5 * PATCH**2 + 2 * N_JOINTS, fine, 3, padding=1)
        self.down_blocks = nn.ModuleList(Residual(fine, condition) for _ in range(depths[0]))
        self.down = nn.Conv2d(fine, coarse, 3, stride=2, padding=1)
        self.mid_blocks = nn.ModuleList(Residual(coarse, condition) for _ in range(depths[1]))
        self.query = nn.Conv2d(coarse, memory, 1)
        self.recall = nn.Conv2d(memory, coarse, 1)
        self.hidden = nn.Conv2d(coarse, memory, 1)
        self.up = nn.Conv2d(coarse, fine, 3, padding=1)
        self.up_blocks = nn.ModuleList(Residual(fine, condition) for _ in range(depths[0]))
        self.head = nn.Conv2d(fine, 7 * PATCH**2, 3, padding=1)
        self.parts = nn.Conv2d(fine, len(PARTS) + 1, 1)  # asked in training alone
        nn.init.zeros_(self.head.weight)
        nn.init.zeros_(self.head.bias)  # type: ignore[arg-type]

    def look(self, reference: Tensor, rest: Tensor) -> Tensor:
        """The art, read once per character: reference (B, 4, S, S) premultiplied, rest (B, 21, 4) -> (B, F, g, g)."""
        x = torch.cat([F.pixel_unshuffle(reference, PATCH), heat_maps(rest, reference.shape[-1] // PATCH)], dim=1)
        return self.look_out(F.silu(self.look_in(x)))

    def see(
        self,
        look: Tensor,
        rig: Tensor,
        confidence: Tensor,
        joints: Tensor,
        phase: Tensor,
        control: Tensor,
        read: Read = nothing,
    ) -> tuple[Tensor, Tensor, Tensor]:
        """One frame's features.

        rig (B, 4, S, S) premultiplied, confidence (B, 1, S, S) in 0..1, joints (B, 21, 4) (zeros: keys alone lead),
        phase (B,), control (B, 6). Returns fine (B, F, g, g), middle (B, C, g/2, g/2) and the hidden state to be
        remembered (B, M, g/2, g/2) in -1..1.
        """
        moment = self.moment(torch.cat([sinusoid(phase, 32), control / 10], dim=-1))
        pixels = F.pixel_unshuffle(torch.cat([rig, confidence], dim=1), PATCH)
        x = self.frame_in(torch.cat([pixels, heat_maps(joints, rig.shape[-1] // PATCH)], dim=1)) + look
        for block in self.down_blocks:
            x = block(x, moment)
        middle = self.down(x)
        middle = middle + self.recall(read(self.query(middle)))
        for block in self.mid_blocks:
            middle = block(middle, moment)
        x = x + self.up(F.interpolate(middle, scale_factor=2.0))
        for block in self.up_blocks:
            x = block(x, moment)
        return x, middle, torch.tanh(self.hidden(middle))

    def finish(self, fine: Tensor, rig: Tensor, confidence: Tensor) -> Finish:
        """What the features decide about the rig's frame; a clip of one frame, T = 1."""
        out = F.pixel_shuffle(self.head(F.silu(fine)), PATCH)[:, None]  # (B, 1, 7, S, S)
        rig, confidence = rig[:, None], confidence[:, None]
        kept = trust(confidence, border=2)
        flow = torch.tanh(out[:, :, 0:2]) * self.max_flow * (1 - kept)
        mask = torch.maximum(torch.sigmoid(out[:, :, 2:3] + self.mask_bias), kept)
        alpha = (rig[:, :, 3:] + out[:, :, 6:7]).clamp(0, 1)
        colour = (rig[:, :, :3] + out[:, :, 3:6]).clamp(0, 1)
        return Finish(flow, mask, torch.cat([torch.minimum(colour, alpha), alpha], dim=2))
