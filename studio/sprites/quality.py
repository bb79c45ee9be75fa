"""Numbers about a clip, each with a level. Advice for the artist; nothing is ever blocked by it."""

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from studio.sprites.align import ground_line, sole_of
from studio.sprites.findings import Finding, finding, level_of
from studio.sprites.frames import Frames, Mask, body, checked
from studio.sprites.loop import STILL, seam_error
from studio.sprites.motion import distances, steps
from studio.sprites.quality_colour import facing_flip, halo, palette_drift

SAME = 0.0004
"""Neighbours closer than this (mean difference, 0 to 1) look equal: about a tenth of a grey level."""


def report(frames: Frames, loop: bool) -> tuple[Finding, ...]:
    """All findings of ``(T, H, W, 4)``; `loop` says whether the action is meant to repeat."""
    distance = distances(checked(frames))
    masks = [body(frame) for frame in frames]
    findings = [duplicates(distance), pops(distance), foot_slide(masks), size_drift(masks), clipped_edges(masks)]
    findings += [facing_flip(frames, masks), palette_drift(frames, masks), halo(frames, masks)]
    return tuple([*findings[:2], open_loop(frames), *findings[2:]] if loop else findings)


def duplicates(distance: NDArray[np.float64]) -> Finding:
    """Frames that look like the one before; a held pose belongs into the durations instead."""
    same = np.flatnonzero(steps(distance) < SAME) + 1
    level = level_of(len(same) / max(len(distance) - 1, 1), 0.0, 0.5)
    return finding("duplicates", len(same), "frames", level, same, f"{len(same)} frames look like the one before")


def pops(distance: NDArray[np.float64]) -> Finding:
    """Greatest step against the median step, for frames that leave and come back.

    A pop is a frame unlike both neighbours while these are like each other; a fast blow is not one.
    """
    step = steps(distance)
    if len(step) < 2:
        return finding("pops", 0.0, "x", "good", (), "no frame leaps out")
    across = np.diagonal(distance, offset=2)
    lone = np.maximum(np.minimum(step[:-1], step[1:]) - across, 0.0)
    strength = lone / max(float(np.median(step)), STILL)
    worst = float(strength.max())
    where = np.flatnonzero(strength > 0.8) + 1
    return finding(
        "pops", worst, "x", level_of(worst, 0.8, 2.0), where, f"a frame leaps out by {worst:.1f} times the usual step"
    )


def open_loop(frames: Frames) -> Finding:
    """Seam error of `loop.seam_error`."""
    error = seam_error(frames)
    where = () if error <= 0.5 else (len(frames) - 1, 0)
    return finding(
        "open loop",
        error,
        "x",
        level_of(error, 0.5, 0.8),
        where,
        f"the last frame is {1 + error:.1f} usual steps from the first",
    )


def foot_slide(masks: list[Mask]) -> Finding:
    """Unevenness of the ground contact's sideways speed, in percent of body height per frame.

    A planted foot stands still, or moves back at one speed when the character walks in place; every other speed
    is sliding. Only neighbours that both touch the ground count.
    """
    height = _height(masks)
    soles = [sole_of(mask) if mask.any() else 0 for mask in masks]
    ground, band = ground_line(soles), max(round(height * 0.06), 1)
    shifts: list[tuple[int, float]] = []
    for t in range(len(masks) - 1):
        if min(soles[t], soles[t + 1]) > ground - band:
            here, after = (masks[i][max(ground - band, 0) : ground].sum(axis=0) for i in (t, t + 1))
            shifts.append((t + 1, _shift(here.astype(float), after.astype(float))))
    if len(shifts) < 2:
        return finding("foot slide", 0.0, "%", "good", (), "no step touches the ground twice")
    speed = np.array([shift for _, shift in shifts])
    uneven = np.abs(speed - np.median(speed)) * 100.0 / height
    # a change of foot reads as a leap in the contact: up to two per clip are no sliding
    value = float(np.sort(uneven)[: max(len(uneven) - 2, 1)].max())
    where = [t for (t, _), u in zip(shifts, uneven, strict=True) if u > 3.0]
    return finding(
        "foot slide",
        value,
        "%",
        level_of(value, 3.0, 6.0),
        where,
        f"planted feet slide by {value:.1f}% of the body height",
    )


def size_drift(masks: list[Mask]) -> Finding:
    """Change of the body's size (root of its area) from the first to the last third, in percent."""
    sizes = np.sqrt([float(mask.sum()) for mask in masks])
    third = max(len(sizes) // 3, 1)
    before, after = float(np.median(sizes[:third])), float(np.median(sizes[-third:]))
    value = abs(after / before - 1.0) * 100.0 if before and after else 0.0
    return finding(
        "size drift", value, "%", level_of(value, 4.0, 8.0), (), f"the body changes size by {value:.1f}% over the clip"
    )


def clipped_edges(masks: list[Mask]) -> Finding:
    """Frames whose body is cut by the canvas: left, right, top; below only when wider than half the body."""
    where = [t for t, mask in enumerate(masks) if mask.any() and _touches(mask)]
    level = level_of(len(where) / len(masks), 0.0, 0.25)
    return finding(
        "clipped edges", len(where), "frames", level, where, f"{len(where)} frames are cut off by the canvas"
    )


def _touches(mask: Mask) -> bool:
    sides = max(_run(mask[:, 0]), _run(mask[:, -1]), _run(mask[0]))
    width = int(mask.any(axis=0).sum())
    # feet may stand on the last row; legs cut off at the thigh fill it
    return sides >= 2 or _run(mask[-1]) > width / 2


def _run(line: Mask) -> int:
    """Length of the longest unbroken run."""
    labels, count = ndimage.label(line)
    return int(np.bincount(labels)[1:].max()) if count else 0


def _shift(here: NDArray[np.float64], after: NDArray[np.float64]) -> float:
    """Sideways move in px that best explains one contact profile by the other; the smallest of equals."""
    score = np.correlate(after, here, mode="full")
    moves = np.arange(len(score)) - (len(here) - 1)
    best = moves[score >= score.max() - 1e-9]
    return float(best[np.abs(best).argmin()])


def _height(masks: list[Mask]) -> float:
    tall = [int(mask.any(axis=1).sum()) for mask in masks if mask.any()]
    return float(np.median(tall)) if tall else 1.0
