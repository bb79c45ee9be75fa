"""New characters from old: what base training changes in a batch before it learns from it."""

from __future__ import annotations

import torch
from torch import Tensor

from pipelines.embedded.denoiser import Conditions


def pose_free(given: Conditions) -> Conditions:
    """The same batch without guidance: still art in every frame, no joints, nothing to trust."""
    values = dict(vars(given))
    values["rig"] = given.reference[:, None].expand_as(given.rig).contiguous()
    values["confidence"] = torch.zeros_like(given.confidence)
    values["joints"] = torch.zeros_like(given.joints)
    return Conditions(**values)


def unnamed(given: Conditions, row: int, rng: torch.Generator, share: float = 0.1) -> Conditions:
    """Some clips with the action's name taken away: `row` stands for any action that the network never saw."""
    hidden = torch.rand(len(given.action), generator=rng) < share
    return Conditions(**{**vars(given), "action": torch.where(hidden, row, given.action)})


def recoloured(frames: tuple[Tensor, ...], rng: torch.Generator) -> tuple[Tensor, ...]:
    """The same random colour change on premultiplied pictures (B, ..., 4, S, S) that belong together.

    A pixel-wise map commutes with the rig, so it gives new characters for nothing: colours mixed by a random matrix.
    """
    b = len(frames[0])
    mix = torch.eye(3) + 0.35 * torch.randn(b, 3, 3, generator=rng)
    lift = 0.15 * torch.randn(b, 3, generator=rng)
    keep = torch.rand(b, generator=rng) < 0.3
    mix[keep], lift[keep] = torch.eye(3), 0.0
    out = []
    for picture in frames:
        shape = (b, *[1] * (picture.ndim - 4), 3, 1, 1)
        colour, alpha = picture.split([3, 1], dim=-3)
        m = mix.to(picture.device)
        mixed = torch.einsum("bij,b...jhw->b...ihw", m, colour) + lift.to(picture.device).view(shape) * alpha
        out.append(torch.cat([torch.minimum(mixed.clamp(min=0), alpha), alpha], dim=-3))
    return tuple(out)


def mirrored(given: Conditions, target: Tensor, rng: torch.Generator) -> tuple[Conditions, Tensor]:
    """Half of the clips seen in a mirror, with facing right and left exchanged; limbs keep their names."""
    flip = torch.rand(len(target), generator=rng) < 0.5

    def turned(x: Tensor) -> Tensor:
        return torch.where(flip.view(-1, *[1] * (x.ndim - 1)), x.flip(-1), x)

    values = {**vars(given)}
    for name in ("reference", "rig", "confidence"):
        values[name] = turned(values[name])
    for name in ("joints", "reference_joints"):
        joints = values[name].clone()
        there = (joints[..., 3] > 0) & flip.view(-1, *[1] * (joints.ndim - 2))
        joints[..., 0] = torch.where(there, 1 - joints[..., 0], joints[..., 0])
        values[name] = joints
    values["facing"] = torch.where(flip & (given.facing < 2), 1 - given.facing, given.facing)  # FACINGS: right, left
    return Conditions(**values), turned(target)


def augmented(given: Conditions, target: Tensor, rng: torch.Generator) -> tuple[Conditions, Tensor]:
    """New characters from old: recoloured, mirrored, with joints a little off as a detector's are."""
    reference, rig, target = recoloured((given.reference, given.rig, target), rng)
    values = {**vars(given), "reference": reference, "rig": rig}
    values["joints"] = given.joints + 0.004 * torch.randn(given.joints.shape, generator=rng) * (given.joints != 0)
    return mirrored(Conditions(**values), target, rng)
