"""The pixel grid under drawn or generated "pixel art": found, or given by hand, and snapped to whole art pixels."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from studio.sprites.errors import FramesError
from studio.sprites.frames import OPAQUE, Frames, checked, premultiplied

SURE = 0.5
"""Confidence from which a grid is more than chance; below it the art is left as it is."""

LARGEST = 32
"""Greatest side of an art pixel, in px, that is searched for."""


@dataclass(frozen=True)
class PixelGrid:
    """Square art pixels of `size` px; the first whole one starts at (`x`, `y`). Written by hand, an override."""

    size: int
    x: int = 0
    y: int = 0
    confidence: float = 1.0
    """Share of the colour edges that lie on grid lines beyond what chance puts there: 0 (none) to 1 (all)."""

    def __post_init__(self) -> None:
        if self.size < 1 or not (0 <= self.x < self.size and 0 <= self.y < self.size):
            raise FramesError(
                f"A pixel grid of size {self.size} that starts at {self.x}, {self.y} does not exist; "
                f"use a size from 1 and a start below it."
            )


def detect_grid(frames: Frames, largest: int = LARGEST) -> PixelGrid:
    """One grid for all of ``(T, H, W, 4)``: the largest size whose lines hold the picture's colour edges.

    Generated pixel art is rarely exact, so an edge one px off still counts for sizes of 5 and more. Size 1, which
    changes nothing, is the answer below `SURE`: painterly art keeps every pixel.
    """
    across, down = _edges(checked(frames), 2), _edges(frames, 1)
    found = []
    for size in range(2, min(largest, *frames.shape[1:3]) + 1):
        (x, held_x), (y, held_y) = _phase(across, size), _phase(down, size)
        found.append(PixelGrid(size, x, y, min(held_x, held_y)))
    best = max((grid.confidence for grid in found), default=0.0)
    if best < SURE:
        return PixelGrid(1, confidence=max(best, 0.0))
    # every divisor of the true size holds as many edges: of sizes about as good the largest is meant
    return max((grid for grid in found if grid.confidence >= best - 0.05), key=lambda grid: grid.size)


def snapped(frames: Frames, grid: PixelGrid) -> Frames:
    """``(T, h, w, 4)`` with one px per art pixel of `grid`; art pixels cut by the canvas count as whole.

    Each takes the commonest colour of its middle, never a mean: a mean makes new colours at every edge. Alpha is
    all or nothing. Enlarge again with ``repeat`` on both axes by ``grid.size``.
    """
    checked(frames)
    if grid.size == 1:
        return frames
    size, count = grid.size, len(frames)
    before = [(-start) % size if start else 0 for start in (grid.y, grid.x)]
    after = [(-(side + b)) % size for side, b in zip(frames.shape[1:3], before, strict=True)]
    padded = np.pad(frames, ((0, 0), (before[0], after[0]), (before[1], after[1]), (0, 0)))
    high, wide = padded.shape[1] // size, padded.shape[2] // size
    cells = padded.reshape(count, high, size, wide, size, 4).transpose(0, 1, 3, 2, 4, 5)
    inset = size // 4  # the rim of an art pixel is where resampling smeared it
    inner = cells[:, :, :, inset : size - inset, inset : size - inset]
    return _commonest(inner.reshape(count, high, wide, -1, 4))


def _edges(frames: Frames, axis: int) -> NDArray[np.float64]:
    """How much colour changes across each line between px `n - 1` and `n`, summed over everything; entry 0 is 0."""
    total = np.zeros(frames.shape[axis])
    for frame in frames:
        step = np.abs(np.diff(premultiplied(frame), axis=axis - 1)).sum(axis=-1)
        # a hard floor: grain and soft shading are not edges of art pixels
        step[step < 24.0] = 0.0
        total[1:] += step.sum(axis=2 - axis)
    return total


def _phase(edges: NDArray[np.float64], size: int) -> tuple[int, float]:
    """Start and chance-corrected share of the edges on the best phase of one axis."""
    total = float(edges.sum())
    if total == 0.0:
        return 0, 0.0
    sums = np.bincount(np.arange(len(edges)) % size, weights=edges, minlength=size)
    start = int(sums.argmax())
    near = [start] if size < 5 else [start - 1, start, (start + 1) % size]
    share, chance = float(sums[near].sum()) / total, len(near) / size
    return start, (share - chance) / (1.0 - chance)


def _commonest(cells: Frames) -> Frames:
    """The commonest colour of ``(T, h, w, N, 4)`` along N, of equals the one that comes first; alpha 0 or 255."""
    solid = cells[..., 3] >= OPAQUE
    rgb = cells[..., :3].astype(np.int64)
    codes = np.where(solid, (rgb[..., 0] << 16) | (rgb[..., 1] << 8) | rgb[..., 2], -1)
    # colours that differ only by grain vote together
    coarse = np.where(codes < 0, -1, (codes >> 3) & 0x1F1F1F)
    votes = np.zeros(codes.shape, np.int32)
    for n in range(codes.shape[-1]):
        votes += coarse == coarse[..., n : n + 1]
    winner = np.take_along_axis(codes, votes.argmax(axis=-1)[..., None], axis=-1)[..., 0]
    out = np.zeros((*winner.shape, 4), np.uint8)
    seen = winner >= 0
    out[seen] = np.stack([winner >> 16, winner >> 8 & 255, winner & 255, np.full_like(winner, 255)], -1)[seen]
    return out
