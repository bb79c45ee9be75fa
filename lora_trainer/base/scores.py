"""What a clip is worth beside the truth, in the measures of the model card, for each way of drawing it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import astuple, dataclass, fields
from time import perf_counter

import numpy as np
import torch
from diffusers.schedulers.scheduling_flow_match_euler_discrete import FlowMatchEulerDiscreteScheduler
from skimage.metrics import structural_similarity

from lora_trainer.measures import motion_energy, palette_distance, premultiplied, psnr
from pipelines.backend import Batch
from pipelines.embedded.conditions import collate, straight
from pipelines.embedded.denoiser import EmbeddedDenoiser
from pipelines.embedded.items import unpack
from pipelines.embedded.pipeline import EmbeddedPipeline

WAYS = ("copying the reference", "the rig alone", "rig and network")

STILL = 8
"""Where the truth changes by no more than this, 0..255, from frame to frame, it counts as standing still."""

WORSE = 0.05
"""dB below the rig from which a clip counts as made worse."""


@dataclass(frozen=True)
class Scores:
    """Of one clip, or the mean of several."""

    psnr: float
    """dB, premultiplied RGBA."""
    ssim: float
    """Structural similarity of premultiplied RGBA, mean of the frames; 1 is equal."""
    iou: float
    """Intersection over union of the silhouettes (alpha above one half)."""
    palette: float
    """Chamfer distance of the colours in OKLab."""
    sharpness: float
    """Mean slope of the picture against the truth's; below 1 is blur."""
    flicker: float
    """Mean change from frame to frame, 0..255, where the truth stands still."""
    motion: float
    """Motion energy against the truth's; 0 for a still."""


def scores(made: np.ndarray, truth: np.ndarray) -> Scores:
    """The measures of a clip uint8 (T, S, S, 4), straight alpha, beside the truth (same shape); S is at least 7."""
    ours, theirs = premultiplied(made), premultiplied(truth)
    solid, true = made[..., 3] > 127, truth[..., 3] > 127
    alike = [structural_similarity(a, b, channel_axis=-1, data_range=255) for a, b in zip(ours, theirs, strict=True)]
    return Scores(
        psnr(made, truth),
        float(np.mean(alike)),
        float((solid & true).sum() / max(1, (solid | true).sum())),
        palette_distance(truth.reshape(-1, *truth.shape[2:]), made),
        _slope(ours) / max(1e-6, _slope(theirs)),
        flicker(made, truth),
        motion_energy(made) / max(1e-6, motion_energy(truth)),
    )


def _slope(values: np.ndarray) -> float:
    return float(np.abs(np.diff(values, axis=1)).mean() + np.abs(np.diff(values, axis=2)).mean())


def flicker(made: np.ndarray, truth: np.ndarray) -> float:
    """Mean change of `made`, 0..255, at the pixels of the truth's silhouette that change by at most `STILL`."""
    change = np.abs(np.diff(premultiplied(truth), axis=0)).max(axis=-1)
    still = (change <= STILL) & (truth[1:, ..., 3] > 0)
    return float(np.abs(np.diff(premultiplied(made), axis=0)).mean(axis=-1)[still].mean()) if still.any() else 0.0


@dataclass(frozen=True)
class Judged:
    """One held-out clip: its scores for each of `WAYS`, the truth's own flicker, and how long the network took."""

    ways: tuple[Scores, Scores, Scores]
    still: float
    seconds: float
    clips: tuple[np.ndarray, ...]
    """uint8 (T, S, S, 4) straight: reference, rig, network, truth."""

    @property
    def gain(self) -> float:
        """dB of the network above the rig."""
        return self.ways[2].psnr - self.ways[1].psnr


@torch.no_grad()
def judge(network: EmbeddedDenoiser, items: Sequence[Batch], steps: int = 1) -> list[Judged]:
    """Draws every held-out item anew with `steps` steps of the network and judges it; the same at every run."""
    pipeline = EmbeddedPipeline(network, FlowMatchEulerDiscreteScheduler())
    judged = []
    for item in items:
        seen, truth = unpack(item, network.actions)
        given = collate([seen], network)
        began = perf_counter()
        made = straight(pipeline(given, steps, torch.Generator().manual_seed(0)).frames[0].float().cpu())
        seconds = perf_counter() - began
        copy = np.broadcast_to(straight(given.reference[0].cpu()[None]), truth.shape)
        rig = straight(given.rig[0].cpu())
        copied, rigged, drawn = (scores(clip, truth) for clip in (copy, rig, made))
        judged.append(Judged((copied, rigged, drawn), flicker(truth, truth), seconds, (copy, rig, made, truth)))
    return judged


def table(judged: Sequence[Judged]) -> str:
    """Markdown for the model card: the mean scores of each way, then what the network does to the rig's clips."""
    names = [field.name for field in fields(Scores)]
    lines = [f"| {len(judged)} clips | {' | '.join(names)} |", "|---" * (len(names) + 1) + "|"]
    for way, name in enumerate(WAYS):
        means = np.mean([astuple(clip.ways[way]) for clip in judged], axis=0)
        lines.append(f"| {name} | {means[0]:.2f} | {' | '.join(f'{value:.3f}' for value in means[1:])} |")
    worse, still, seconds = np.mean([(clip.gain < -WORSE, clip.still, clip.seconds) for clip in judged], axis=0)
    tail = f"Worse than the rig: {worse:.0%} of clips. Flicker of the truth: {still:.3f}. {seconds:.2f} s a clip."
    return "\n".join([*lines, "", tail])


def contact_sheet(clip: Judged, enlarge: int = 2) -> np.ndarray:
    """uint8 RGB over grey, one row each for reference, rig, network and truth, frames from left to right."""
    rows = [np.concatenate(list(premultiplied(row)), axis=1) for row in clip.clips]
    sheet = np.concatenate(rows)
    flat = sheet[..., :3] + 128 * (1 - sheet[..., 3:] / 255)
    return np.kron(flat.round().clip(0, 255).astype(np.uint8), np.ones((enlarge, enlarge, 1), np.uint8))
