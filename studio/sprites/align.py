"""Registration: every frame of an action on one anchor, from the body's core and its soles.

Never from the bounding box: a swinging arm moves the box, and a box-centred body then jitters (field report 22).
"""

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

    Limbs are thinner than the torso, so only pixels deep inside the silhouette count; the median over rows of the
    median within each row ignores what a bent arm adds on one side.
    """
    return _core_of(body(frame))


def _core_of(mask: Mask) -> float | None:
    if not mask.any():
        return None
    depth = ndimage.distance_transform_edt(np.pad(mask, 1))[1:-1, 1:-1]
    deep = depth >= CORE * depth.max()
    middles = [float(np.median(np.flatnonzero(row))) for row in deep if row.any()]
    return float(np.median(middles)) + 0.5


def sole_line(frame: Frames) -> int | None:
    """The y just below the feet in ``(H, W, 4)``; None if empty.

    Specks are dropped with `frames.body`; a row counts as sole when it is part of the body and at least 2 px or
    1/25 of the body's widest row wide, so a stray strand under the foot does not lift the character.
    """
    return _sole_of(body(frame))


def _sole_of(mask: Mask) -> int | None:
    widths = mask.sum(axis=1)
    if not widths.any():
        return None
    firm = np.flatnonzero(widths >= min(max(2, widths.max() / 25), widths.max()))
    return int(firm[-1]) + 1


def drift(frames: Frames) -> Drift:
    """Greatest distance of core column and sole line from their medians over ``(T, H, W, 4)``; empty frames skip."""
    masks = [mask for mask in map(body, checked(frames)) if mask.any()]
    if not masks:
        return Drift(0.0, 0.0)
    cores = np.array([_core_of(mask) for mask in masks], float)
    soles = np.array([_sole_of(mask) for mask in masks], float)
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
    so the travel stays. Height: the lowest soles of the action stand on the anchor, so a jump still jumps;
    `plant` puts the soles of every frame there instead (walks and idles whose camera wandered up and down).
    `canvas` is (width, height), by default that of `frames`. Only whole pixels: nothing is resampled.
    """
    checked(frames)
    if mode not in ("in_place", "root_motion"):
        raise FramesError(f"Registration '{mode}' is unknown; choose in_place or root_motion.")
    masks = [body(frame) for frame in frames]
    cores = _filled([_core_of(mask) for mask in masks])
    soles = _filled([_sole_of(mask) for mask in masks])
    if cores is None or soles is None:
        raise FramesError("Every frame is empty, so there is no body to stand on the anchor; check the cut-out.")
    xs = _steady(anchor[0] - cores) if mode == "in_place" else np.full(len(frames), _round(anchor[0] - cores[0]))
    ground = soles if plant else np.full(len(frames), np.percentile(soles, 90, method="nearest"))
    ys = np.array([_round(anchor[1] - sole) for sole in ground])
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


def _filled(values: list[float | None] | list[int | None]) -> NDArray[np.float64] | None:
    """An empty frame takes the value of the nearest frame that has one."""
    known = [i for i, value in enumerate(values) if value is not None]
    if not known:
        return None
    nearest = [min(known, key=lambda k, i=i: abs(k - i)) for i in range(len(values))]  # type: ignore[misc]
    return np.array([values[k] for k in nearest], float)


def _steady(wanted: NDArray[np.float64]) -> NDArray[np.int64]:
    """Whole-pixel moves that follow `wanted` but change only when the rest would exceed `STICK`."""
    out = np.empty(len(wanted), np.int64)
    held = _round(float(np.median(wanted)))
    for t, value in enumerate(wanted):
        if abs(value - held) > STICK:
            held = _round(value)
        out[t] = held
    return out


def _round(value: float) -> int:
    return int(np.floor(value + 0.5))
