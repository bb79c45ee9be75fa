"""Rendered training clips on disk, written by one process while another trains."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch

from pipelines.backend import Batch
from pipelines.embedded.items import load_items, save_items

CLIPS = 48
"""Clips of a shard."""


def shard_path(folder: Path, number: int) -> Path:
    return folder / f"{number:05d}.npz"


def write_shards(
    folder: Path, first: int, count: int, make: Callable[[np.random.Generator], Batch]
) -> Iterator[tuple[int, Path]]:
    """Renders shards `first` ... `first + count - 1`; each depends on its number alone, and one that exists is kept.

    Written under another name first, so that a reader never sees half a shard.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(first, first + count):
        path = shard_path(folder, number)
        if not path.exists():
            rng = np.random.default_rng((20261130, number))
            partial = path.with_name(f"{path.stem}.partial.npz")
            save_items([make(rng) for _ in range(CLIPS)], partial)
            partial.replace(path)
        yield number, path


@dataclass
class Shards:
    """All shards of a folder in memory; picks up new ones as they appear."""

    folder: Path
    skip: tuple[int, ...] = ()
    """Numbers kept out, for evaluation."""

    def __post_init__(self) -> None:
        self.items: list[Batch] = []
        self._seen: set[Path] = {shard_path(self.folder, number) for number in self.skip}

    def refresh(self) -> int:
        """Loads what has appeared; returns the number of clips held."""
        for path in sorted(self.folder.glob("[0-9]*.npz")):
            if path not in self._seen and ".partial" not in path.name:
                self._seen.add(path)
                self.items += load_items(path)
        return len(self.items)

    def draw(self, count: int, rng: torch.Generator) -> list[Batch]:
        """Clips at random, with replacement."""
        return [self.items[i] for i in torch.randint(len(self.items), (count,), generator=rng).tolist()]
