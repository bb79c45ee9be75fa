"""Training items: an observation and the frames it should have become, as plain tensors that a cache can hold."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from ..backend import Batch
from ..pose.skeleton import FACINGS
from .conditions import Observation, collate, premultiplied
from .denoiser import Conditions, EmbeddedDenoiser

FIELDS = ("reference", "reference_joints", "rig", "confidence", "joints", "phase")


def pack(seen: Observation, target: np.ndarray, network: EmbeddedDenoiser, weight: float = 1.0) -> Batch:
    """One item. target: uint8 (T, S, S, 4) straight alpha."""
    item: Batch = {name: torch.from_numpy(np.ascontiguousarray(getattr(seen, name))) for name in FIELDS}
    item["target"] = torch.from_numpy(np.ascontiguousarray(target))
    item["action"] = torch.tensor(network.action_index(seen.action))
    item["facing"] = torch.tensor(FACINGS.index(seen.facing))
    item["weight"] = torch.tensor(float(weight))
    return item


def unpack(item: Batch, actions: Sequence[str], frames: np.ndarray | None = None) -> tuple[Observation, np.ndarray]:
    """Inverse of `pack`, with all frames or those chosen."""
    index = int(item["action"])
    values = {name: item[name].numpy() for name in FIELDS}
    action = actions[index] if index < len(actions) else "other"
    seen = Observation(action=action, facing=FACINGS[int(item["facing"])], **values)
    target = item["target"].numpy()
    return (seen, target) if frames is None else (seen.pick(frames), target[frames])


def gather(
    items: Sequence[Batch], frames: int, network: EmbeddedDenoiser, rng: torch.Generator
) -> tuple[Conditions, Tensor, Tensor]:
    """Items as one batch of `frames` frames each, drawn at random in order of time.

    Every item must have that many frames or more. Returns the conditions, the target (B, T, 4, S, S) premultiplied and
    the weights (B,).
    """
    seen, targets = [], []
    for item in items:
        order = torch.randperm(len(item["target"]), generator=rng)[:frames].sort().values.numpy()
        one, target = unpack(item, network.actions, order)
        seen.append(one)
        targets.append(target)
    weight = torch.stack([item["weight"] for item in items])
    return collate(seen, network), premultiplied(np.stack(targets)), weight


def save_items(items: Sequence[Batch], path: Path) -> None:
    """Writes items of equal frame count as one compressed .npz without pickles."""
    arrays = {name: np.stack([item[name].numpy() for item in items]) for name in items[0]}
    half = {name: a.astype(np.float16) if a.dtype == np.float32 and a.ndim > 1 else a for name, a in arrays.items()}
    path.parent.mkdir(parents=True, exist_ok=True)
    np.savez_compressed(path, **half)  # type: ignore[arg-type]


def load_items(path: Path) -> list[Batch]:
    """Inverse of `save_items`."""
    with np.load(path, allow_pickle=False) as stored:
        arrays = {name: stored[name] for name in stored.files}
    full = {name: a.astype(np.float32) if a.dtype == np.float16 else a for name, a in arrays.items()}
    return [{name: torch.as_tensor(a[i]) for name, a in full.items()} for i in range(len(full["target"]))]
