"""The detail pass: what the network decided at 64 pixels, applied to the rig's frame at any size."""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional as F

from ..figure import Figure
from .blocks import warp
from .conditions import premultiplied, straight
from .denoiser import Finish, trust


def enlarge(x: Tensor, size: int) -> Tensor:
    """(B, T, C, S, S) to (B, T, C, size, size), smooth."""
    b, t = x.shape[:2]
    grown = F.interpolate(x.flatten(0, 1), size=(size, size), mode="bicubic", align_corners=False)
    return grown.unflatten(0, (b, t))


def apply(finish: Finish, small: np.ndarray, large: np.ndarray, confidence: np.ndarray) -> np.ndarray:
    """The finish on the full-size rig frames.

    small: uint8 (T, s, s, 4), the rig frames that the network saw; large: uint8 (T, S, S, 4) with its confidence uint8
    (T, S, S). Returns frames like `large`. Where the mask keeps the rig, only the flow acts and the art's own pixels
    stay sharp. Elsewhere the network's *change* of colour (its answer less the small rig frame) is enlarged and added,
    so that detail under it survives. What the rig is sure of at full size is never repainted.
    """
    size = large.shape[1]
    rig = premultiplied(large)[None]
    if size == small.shape[1]:
        return straight(finish.apply(rig)[0])
    sure = torch.from_numpy(confidence)[None, :, None].float() / 255
    act = 1 - trust(sure, border=max(1, size // 64))
    seen = warp(premultiplied(small), finish.flow[0])[None]
    change = enlarge((1 - finish.mask) * (finish.painted(seen) - seen), size)
    out = warp(rig[0], (enlarge(finish.flow, size) * act)[0])[None] + act * change
    alpha = out[:, :, 3:].clamp(0, 1)
    return straight(torch.cat([torch.minimum(out[:, :, :3].clamp(min=0), alpha), alpha], dim=2)[0])


def as_pixel_art(frames: np.ndarray, figure: Figure) -> np.ndarray:
    """Frames with hard alpha and only colours that the art has (nearest in RGB). uint8 (T, S, S, 4)."""
    art = figure.art[figure.art[..., 3] > 127][:, :3]
    palette = np.unique(art, axis=0).astype(np.int32)
    solid = frames[..., 3] > 127
    colours, where = np.unique(frames[solid][:, :3], axis=0, return_inverse=True)
    distance = ((colours[:, None].astype(np.int32) - palette[None]) ** 2).sum(-1)
    out = np.zeros_like(frames)
    out[solid] = np.concatenate(
        [palette[distance.argmin(1)][where.ravel()], np.full((int(solid.sum()), 1), 255)], axis=1
    ).astype(np.uint8)
    return out
