"""Registration: every frame of an action on one anchor, from the body's core and its soles.

Never from the bounding box: a swinging arm moves the box, and a box-centred body then jitters (field report 22).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from studio.sprites.errors import FramesError
from studio.sprites.frames import Frames, Mask, body, checked

Mode = Literal["in_place", "root_motion"]

CORE = 0.6
"""Share of the body's greatest half-thickness that a pixel must lie inside to belong to the core."""

FOOT = 0.3
"""Share of the body's greatest thickness that a foot is long; a blade or staff below the feet is thinner."""

DIP = 0.15
"""Share of the body's height that a weapon may dip below the feet; thin parts that reach lower are legs."""

STICK = 0.75
"""Pixels that the core may stray before a frame is moved; below it, rounding itself would be the jitter."""


@dataclass(frozen=True)
class Registration:
    """Frames on one anchor, and how they got there."""

    frames: Frames
    offsets: tuple[tuple[int, int], ...]
    """Whole pixels (x, y) that each frame was moved by, from the top left corner of its old canvas."""
    cut: int
    """Visible pixels that the new canvas had no room for; 0 unless the canvas is too small."""


@dataclass(frozen=True)
class Drift:
    """How far the body strays from its own median place over the clip, in pixels."""

    core: float
    sole: float


def core_column(frame: Frames) -> float | None:
    """The x of the torso's axis in ``(H, W, 4)``, in px from the left edge (pixel centres at .5); None if empty.

    Limbs are thinner than the torso, so only pixels deep inside the silhouette count, and of these the lower half:
    hips stand still where chest and head lean. The median over rows of the median within each row ignores what a
    bent arm adds on one side.
    """
    mask = body(frame)
    return core_of(mask) if mask.any() else None


def core_of(mask: Mask) -> float:
    """`core_column` of a body mask ``(H, W)`` that is not empty."""
    deep = _depth(mask)
    deep = deep >= CORE * deep.max()
    rows = np.flatnonzero(deep.any(axis=1))
    lower = rows[rows >= (rows[0] + rows[-1]) / 2]
    return float(np.median([np.median(np.flatnonzero(deep[row])) for row in lower])) + 0.5


def sole_line(frame: Frames) -> int | None:
    """The y just below the feet in ``(H, W, 4)``; None if empty.

    Specks are dropped with `frames.body`. A row counts as sole when its longest run is as long as a foot, so neither
    a stray strand nor a blade below the foot lifts the character.
    """
    mask = body(frame)
    return sole_of(mask) if mask.any() else None


def sole_of(mask: Mask) -> int:
    """`sole_line` of a body mask ``(H, W)`` that is not empty."""
    rows = np.flatnonzero(mask.any(axis=1))
    lowest, tall = int(rows[-1]), int(rows[-1] - rows[0]) + 1
    foot = max(FOOT * 2 * float(_depth(mask).max()), 2.0)
    for row in range(lowest, max(lowest - int(DIP * tall), 0) - 1, -1):
        if _longest_run(mask[row]) >= foot:
            return row + 1
    return lowest + 1


def ground_line(soles: Sequence[int]) -> int:
    """The height that most soles agree on within 1 px; of several, the lower one."""
    votes = {sole: sum(abs(other - sole) <= 1 for other in soles) for sole in soles}
    return max(votes, key=lambda sole: (votes[sole], soles.count(sole), sole))


def _depth(mask: Mask) -> NDArray[np.float64]:
    """Distance of every body pixel to the outside, 0 outside."""
    return np.asarray(ndimage.distance_transform_edt(np.pad(mask, 1))[1:-1, 1:-1])


def _longest_run(row: Mask) -> int:
    edges = np.flatnonzero(np.diff(np.pad(row, 1).astype(np.int8)))
    return int((edges[1::2] - edges[::2]).max(initial=0))


def drift(frames: Frames) -> Drift:
    """Greatest distance of core column and sole line from their medians over ``(T, H, W, 4)``; empty frames skip."""
    masks = [mask for mask in map(body, checked(frames)) if mask.any()]
    if not masks:
        return Drift(0.0, 0.0)
    cores = np.array([core_of(mask) for mask in masks])
    soles = np.array([sole_of(mask) for mask in masks], float)
    return Drift(float(np.abs(cores - np.median(cores)).max()), float(np.abs(soles - np.median(soles)).max()))


def register(
    frames: Frames,
    anchor: tuple[int, int],
    mode: Mode = "in_place",
    canvas: tuple[int, int] | None = None,
    plant: bool = False,
) -> Registration:
    """Move whole frames so that core column and sole line meet `anchor` (x, y in px of the canvas).

    ``in_place`` holds the core on the anchor in every frame; ``root_motion`` moves all frames by the same amount,
    so the travel stays. Height: the line that most soles stand on meets the anchor, so a jump still jumps;
    `plant` puts the soles of every frame there instead (walks and idles whose camera wandered up and down).
    `canvas` is (width, height), by default that of `frames`. Only whole pixels: nothing is resampled.
    """
    checked(frames)
    if mode not in ("in_place", "root_motion"):
        raise FramesError(f"Registration '{mode}' is unknown; choose in_place or root_motion.")
    masks = _filled([body(frame) for frame in frames])
    cores = np.array([core_of(mask) for mask in masks])
    soles = [sole_of(mask) for mask in masks]
    xs = steady(anchor[0] - cores) if mode == "in_place" else np.full(len(frames), _round(anchor[0] - cores[0]))
    ys = anchor[1] - np.array(soles if plant else [ground_line(soles)] * len(soles))
    width, height = canvas or (frames.shape[2], frames.shape[1])
    moved = np.stack([place(f, width, height, x, y) for f, x, y in zip(frames, xs, ys, strict=True)])
    cut = int((frames[..., 3] > 0).sum() - (moved[..., 3] > 0).sum())
    return Registration(moved, tuple((int(x), int(y)) for x, y in zip(xs, ys, strict=True)), cut)


def place(frame: Frames, width: int, height: int, x: int, y: int) -> Frames:
    """Put ``(H, W, 4)`` with its top left corner at (x, y) on an empty canvas; what falls outside is cut."""
    out = np.zeros((height, width, 4), np.uint8)
    left, top = max(x, 0), max(y, 0)
    right, bottom = min(x + frame.shape[1], width), min(y + frame.shape[0], height)
    if left < right and top < bottom:
        out[top:bottom, left:right] = frame[top - y : bottom - y, left - x : right - x]
    return out


def _filled(masks: list[Mask]) -> list[Mask]:
    """An empty frame takes the body of the nearest frame that has one."""
    known = [i for i, mask in enumerate(masks) if mask.any()]
    if not known:
        raise FramesError("Every frame is empty, so there is no body to stand on the anchor; check the cut-out.")
    return [masks[min(known, key=lambda k, i=i: abs(k - i))] for i in range(len(masks))]  # type: ignore[misc]


def steady(wanted: NDArray[np.float64]) -> NDArray[np.int64]:
    """Whole-pixel moves that follow `wanted` (px, one per frame) but change only when the rest would exceed `STICK`."""
    out = np.empty(len(wanted), np.int64)
    held = _round(float(np.median(wanted)))
    for t, value in enumerate(wanted):
        if abs(value - held) > STICK:
            held = _round(value)
        out[t] = held
    return out


def _round(value: float) -> int:
    return int(np.floor(value + 0.5))
