"""How good the weights are: the network against the rig alone, on clips it never saw."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from diffusers.schedulers.scheduling_flow_match_euler_discrete import FlowMatchEulerDiscreteScheduler
from torch import Tensor

from pipelines.backend import Batch
from pipelines.embedded.conditions import collate, premultiplied
from pipelines.embedded.denoiser import EmbeddedDenoiser
from pipelines.embedded.items import unpack
from pipelines.embedded.objective import noise_floor
from pipelines.embedded.pipeline import EmbeddedPipeline


def psnr(made: Tensor, truth: Tensor) -> Tensor:
    """Peak signal-to-noise ratio in dB of every clip (B, T, 4, S, S) on premultiplied RGBA: (B,)."""
    return -10 * torch.log10((made - truth).square().mean(dim=(1, 2, 3, 4)).clamp(min=1e-8))


@torch.no_grad()
def psnr_against_rig(network: EmbeddedDenoiser, items: Sequence[Batch], steps: int = 1) -> dict[str, float]:
    """Mean dB of copying the reference, of the rig and of the network; the share of clips made worse; haze in alpha."""
    pipeline = EmbeddedPipeline(network, FlowMatchEulerDiscreteScheduler())
    rows: list[tuple[float, float, float]] = []
    haze = 0.0
    for item in items:
        seen, target = unpack(item, network.actions)
        given = collate([seen], network)
        truth = premultiplied(target)[None]
        made = pipeline(given, steps, torch.Generator().manual_seed(0)).frames.cpu()
        copy = given.reference[:, None].expand_as(truth)
        rows.append((float(psnr(copy, truth)), float(psnr(given.rig, truth)), float(psnr(made, truth))))
        haze += float(noise_floor(made[0, :, 3]))
    copy_db, rig_db, made_db = np.mean(rows, axis=0)
    worse = float(np.mean([made < rig - 0.05 for _, rig, made in rows]))
    return {
        "copy": round(float(copy_db), 3),
        "rig": round(float(rig_db), 3),
        "model": round(float(made_db), 3),
        "worse": round(worse, 3),
        "haze": round(haze / len(items), 5),
    }
