"""Training pictures for the joint detector: rendered ahead into chunks on disk, made strange on the fly."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F

from lora_trainer.mannequin import View, render, sample_character, sample_shading, sample_view, stance
from lora_trainer.mannequin.stance import act
from pipelines.pose.detect import MARGIN, SWAP
from pipelines.pose.motion import ACTIONS
from pipelines.pose.skeleton import FACINGS

RENDERED = 112
"""Pixels of a rendered cell; the figure fills about two thirds of it."""

FACING_SWAP = (1, 0, 2, 3)


@dataclass(frozen=True)
class Pictures:
    """Pictures with their truth, as arrays of equal length."""

    art: np.ndarray
    """uint8 (N, S, S, 4) straight alpha."""
    joints: np.ndarray
    """float32 (N, 21, 3): x, y in pixels of the cell and presence 0 or 1."""
    facing: np.ndarray
    """int64 (N,): index into FACINGS."""

    def __len__(self) -> int:
        return len(self.art)

    def take(self, index: np.ndarray) -> Pictures:
        """The chosen pictures."""
        return Pictures(self.art[index], self.joints[index], self.facing[index])


def draw_pictures(seed: int, count: int, size: int = RENDERED) -> Pictures:
    """Standing and acting mannequins from all sides, `count` of them, the same for the same seed."""
    rng = np.random.default_rng((seed, 9))
    art: list[np.ndarray] = []
    joints: list[np.ndarray] = []
    facing: list[int] = []
    while len(art) < count:
        standing = rng.random() < 0.62
        # Most concept art is a big-headed figure standing in three-quarter view.
        mannequin = sample_character(rng, "chibi" if standing and rng.random() < 0.3 else None)
        manner, view = sample_shading(rng), sample_view(rng)
        if rng.random() < (0.45 if standing else 0.25):
            turn = float(rng.uniform(32, 64)) * (1 if rng.random() < 0.75 else -1)
            view = View(float(np.radians(turn)), float(rng.uniform(0, 0.15)), view.scale)
        if standing:
            pose = stance(rng, mannequin.body)
        else:
            action = list(ACTIONS)[rng.integers(len(ACTIONS))]
            moved = act(rng, action, 12, mannequin.body)
            pose = moved[rng.choice(12, 2, replace=False)]
        drawn = render(mannequin, pose, view, manner, size)
        for frame, places, present in zip(drawn.frames, drawn.track.joints, drawn.track.confidence, strict=True):
            if (frame[..., 3] > 0).sum() < 40:
                continue
            art.append(frame)
            joints.append(np.concatenate([places[:, :2] * size, present[:, None]], -1).astype(np.float32))
            facing.append(FACINGS.index(drawn.facing))
    return Pictures(np.stack(art[:count]), np.stack(joints[:count]), np.array(facing[:count]))


def prepare(folder: Path, chunks: int, per_chunk: int = 500, first_seed: int = 100) -> Iterator[int]:
    """Renders what is missing into `folder` and yields the number of chunks that are ready; safe to stop and repeat."""
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(chunks):
        path = folder / f"pictures_{first_seed + number}.npz"
        if not path.exists():
            made = draw_pictures(first_seed + number, per_chunk)
            draft = path.with_suffix(".part")
            with draft.open("wb") as file:
                np.savez(file, art=made.art, joints=made.joints, facing=made.facing)
            draft.replace(path)
        yield number + 1


def load(folder: Path) -> Pictures:
    """Every chunk rendered so far. Raises FileNotFoundError when there is none."""
    paths = sorted(folder.glob("pictures_*.npz"))
    if not paths:
        raise FileNotFoundError(f"no rendered pictures in {folder}")
    chunks = [np.load(path) for path in paths]
    return Pictures(*(np.concatenate([chunk[key] for chunk in chunks]) for key in ("art", "joints", "facing")))


def augment(
    pictures: Pictures, size: int, rng: torch.Generator, plain: bool = False
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Pictures (B) to premultiplied RGBA (B, 4, size, size), joints (B, 21, 3) in its pixels, facing (B,).

    Cropped to the silhouette as the detector crops, then jittered, turned, mirrored, recoloured, and redrawn as
    grey, as line art or with foreign texture, so that only shape can be relied on. `plain`: cropped only.
    """
    art = torch.from_numpy(pictures.art).float().permute(0, 3, 1, 2) / 255
    joints, facing = torch.from_numpy(pictures.joints.copy()), torch.from_numpy(pictures.facing.copy())
    batch, edge = len(art), art.shape[-1]

    def uniform(*shape: int) -> torch.Tensor:
        return torch.rand(shape, generator=rng)

    def normal(*shape: int) -> torch.Tensor:
        return torch.randn(shape, generator=rng)

    art = torch.cat([art[:, :3] * art[:, 3:], art[:, 3:]], 1)
    centre, side = _boxes(art[:, 3])
    # Output coordinates -1..1 to input coordinates: turn, stretch, shift around the silhouette's box.
    wild = 0.0 if plain else 1.0
    turn = normal(batch) * torch.where(uniform(batch) < 0.9, 0.12, 0.6) * wild
    wide = side * MARGIN * torch.exp(normal(batch) * 0.1 * wild)
    stretch = torch.exp(normal(batch) * 0.08 * wild)
    flip = torch.where(uniform(batch) < 0.5 * wild, -1.0, 1.0)
    cos, sin = turn.cos(), turn.sin()
    matrix = torch.stack(
        [
            torch.stack([cos * flip * stretch, -sin / stretch], -1),
            torch.stack([sin * flip * stretch, cos / stretch], -1),
        ],
        1,
    )
    matrix = matrix * (wide / edge)[:, None, None]
    shift = (centre * 2 / edge - 1) + normal(batch, 2) * 0.05 * wild * (wide / edge)[:, None]
    grid = F.affine_grid(torch.cat([matrix, shift[:, :, None]], 2), [batch, 4, size, size], align_corners=False)
    art = F.grid_sample(art, grid, align_corners=False, padding_mode="zeros")
    places = joints[..., :2] * 2 / edge - 1 - shift[:, None]
    places = torch.linalg.solve(matrix[:, None], places[..., None])[..., 0]
    joints = torch.cat([(places + 1) * size / 2, joints[..., 2:]], -1)
    mirrored = flip < 0
    joints[mirrored] = joints[mirrored][:, SWAP]
    facing[mirrored] = torch.tensor(FACING_SWAP)[facing[mirrored]]
    return (art if plain else _recolour(art, uniform, normal)), joints, facing


def _boxes(alpha: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Centre (B, 2) as x, y and longer side (B,) in pixels of what is opaque in alpha (B, S, S)."""
    edge = alpha.shape[-1]
    lows, highs = [], []
    for axis in (1, 2):  # rows collapsed: columns; columns collapsed: rows
        covered = (alpha > 0.5).any(axis).float()
        lows.append(covered.argmax(-1).float())
        highs.append(edge - covered.flip(-1).argmax(-1).float())
    low, high = torch.stack(lows, -1), torch.stack(highs, -1)
    return (low + high) / 2, (high - low).amax(-1).clamp(min=8)


def _recolour(art: torch.Tensor, uniform, normal) -> torch.Tensor:  # type: ignore[no-untyped-def] # local samplers
    batch, size = len(art), art.shape[-1]
    rgb, alpha = art[:, :3], art[:, 3:]

    def some(share: float) -> torch.Tensor:
        return uniform(batch, 1, 1, 1) < share

    mixing = torch.eye(3) + normal(batch, 3, 3) * 0.3
    rgb = torch.where(some(0.45), torch.einsum("bij,bjhw->bihw", mixing, rgb).clamp(0, 1) * alpha, rgb)
    grey = rgb.mean(1, keepdim=True).expand(-1, 3, -1, -1)
    rgb = torch.where(some(0.15), grey, rgb)
    rgb = torch.where(some(0.1), alpha - rgb, rgb)
    edges = (F.max_pool2d(grey, 3, 1, 1) + F.max_pool2d(-grey, 3, 1, 1)) * 4
    paper = (1 - edges.clamp(0, 1)) * alpha
    rgb = torch.where(some(0.2), paper, rgb)
    flat = (normal(batch, 3, 1, 1) * 0.3 + 0.5).clamp(0, 1) * alpha
    rgb = torch.where(some(0.06), flat, rgb)
    coarse = F.interpolate(uniform(batch, 3, 7, 7), size, mode="bilinear")
    rgb = torch.where(some(0.3), rgb * (0.45 + coarse), rgb)
    rgb = rgb * (0.75 + 0.5 * uniform(batch, 1, 1, 1)) + normal(*rgb.shape) * 0.06 * uniform(batch, 1, 1, 1) * alpha
    return torch.cat([rgb.clamp(0, 1), alpha], 1)
