"""From a puppet and a pose track to what the network sees."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch.nn import functional as F

from ..pose.skeleton import FACINGS, INDEX, Facing, PoseTrack
from .denoiser import Conditions, EmbeddedDenoiser

PIXELS = 64
"""Side of the network's picture. Larger cells take its finish through the detail pass."""


@dataclass(frozen=True)
class Observation:
    """One clip as the network sees it, still in numpy; what the caches on disk hold."""

    reference: np.ndarray  # uint8 (S, S, 4) straight alpha
    reference_joints: np.ndarray  # float32 (21, 4) x, y, depth in cells, confidence
    rig: np.ndarray  # uint8 (T, S, S, 4) straight alpha
    confidence: np.ndarray  # uint8 (T, S, S)
    joints: np.ndarray  # float32 (T, 21, 4)
    action: str
    facing: Facing
    phase: np.ndarray  # float32 (T,)

    def __len__(self) -> int:
        return len(self.rig)

    def pick(self, frames: Sequence[int] | np.ndarray) -> Observation:
        """The same clip with only these frames."""
        chosen = np.asarray(frames)
        return Observation(
            self.reference,
            self.reference_joints,
            self.rig[chosen],
            self.confidence[chosen],
            self.joints[chosen],
            self.action,
            self.facing,
            self.phase[chosen],
        )

    def unguided(self) -> Observation:
        """What the network gets without pose guidance: the still art in every frame, and no target joints."""
        still = np.broadcast_to(self.reference, self.rig.shape)
        return Observation(
            self.reference,
            self.reference_joints,
            still,
            np.zeros_like(self.confidence),
            np.zeros_like(self.joints),
            self.action,
            self.facing,
            self.phase,
        )


def phases(frames: int, loop: bool) -> np.ndarray:
    """Phase of every frame in 0..1: a loop leaves out its end, which is its beginning."""
    return np.linspace(0, 1, frames, endpoint=not loop, dtype=np.float32)


def joint_array(track: PoseTrack) -> np.ndarray:
    """(T, 21, 4): x, y, depth in cells and confidence, as the network takes them."""
    joints = np.where(track.confidence[..., None] > 0, track.joints, 0)
    return np.concatenate([joints, track.confidence[..., None]], axis=-1).astype(np.float32)


def premultiplied(frames: np.ndarray) -> torch.Tensor:
    """uint8 (..., H, W, 4) straight alpha to float (..., 4, H, W) premultiplied in 0..1."""
    values = torch.from_numpy(np.ascontiguousarray(frames)).movedim(-1, -3).float() / 255
    colour, alpha = values.split([3, 1], dim=-3)
    return torch.cat([colour * alpha, alpha], dim=-3)


def straight(values: torch.Tensor) -> np.ndarray:
    """Inverse of `premultiplied`: uint8 (..., H, W, 4), RGB 0 where alpha rounds to 0."""
    colour, alpha = values.float().split([3, 1], dim=-3)
    seen = alpha >= 0.5 / 255
    colour = torch.where(seen, colour / alpha.clamp(min=1e-4), torch.zeros_like(colour))
    both = torch.cat([colour, torch.where(seen, alpha, torch.zeros_like(alpha))], dim=-3)
    return (both.clamp(0, 1) * 255).round().to(torch.uint8).movedim(-3, -1).cpu().numpy()


def at_size(frames: np.ndarray, size: int) -> np.ndarray:
    """uint8 (T, S, S, 4) brought to another cell size by area averaging of premultiplied colour."""
    if frames.shape[1] == size:
        return frames
    mode = "area" if size < frames.shape[1] else "bilinear"
    return straight(F.interpolate(premultiplied(frames), size=(size, size), mode=mode))


def collate(seen: Sequence[Observation], network: EmbeddedDenoiser) -> Conditions:
    """Clips of equal length as one batch on the CPU."""
    held = INDEX["weapon_tip"]
    return Conditions(
        reference=premultiplied(np.stack([one.reference for one in seen])),
        reference_joints=torch.from_numpy(np.stack([one.reference_joints for one in seen])),
        rig=premultiplied(np.stack([one.rig for one in seen])),
        confidence=torch.from_numpy(np.stack([one.confidence for one in seen]))[:, :, None].float() / 255,
        joints=torch.from_numpy(np.stack([one.joints for one in seen])),
        action=torch.tensor([network.action_index(one.action) for one in seen]),
        facing=torch.tensor([FACINGS.index(one.facing) for one in seen]),
        phase=torch.from_numpy(np.stack([one.phase for one in seen])),
        weapon=torch.tensor([float(one.reference_joints[held, 3] > 0) for one in seen]),
    )
