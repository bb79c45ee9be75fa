"""One matte over time: gaps open for good or not at all, and what holds still does not flicker."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from .backdrop import Backdrop

STILL = 6.0
"""8-bit steps of change, in any channel, up to which a pixel holds still; grain widens it."""

SAME_KEY = 4.0
"""RGB distance up to which the backgrounds of two frames are one background."""

REACH = 2
"""Frames to each side that have a say in whether a gap is open."""


def one_backdrop(backdrops: Sequence[Backdrop]) -> list[Backdrop]:
    """One background for all frames where they agree; otherwise each keeps its own (a video model's colour drifts)."""
    middle = sorted(backdrops, key=lambda one: sum(one.colour))[len(backdrops) // 2]
    probe = middle.field(8, 8)
    shared = [float(np.linalg.norm(one.field(8, 8) - probe, axis=2).max()) <= SAME_KEY for one in backdrops]
    return [middle if same else own for same, own in zip(shared, backdrops, strict=True)]


def vote(enclosed: Sequence[np.ndarray], opened: Sequence[np.ndarray], loop: bool = False) -> list[np.ndarray]:
    """bool (H, W) a frame: enclosed areas that are open, by majority of the frames around each (field report 19).

    enclosed and opened bool (H, W) a frame, as `key.areas` gives them; loop: the first frame follows the last.
    """
    import cv2

    count = len(enclosed)
    ballots = [yes.astype(np.int8) - (all_ & ~yes).astype(np.int8) for all_, yes in zip(enclosed, opened, strict=True)]
    out = []
    for now, (candidates, own) in enumerate(zip(enclosed, opened, strict=True)):
        if not candidates.any():
            out.append(own)
            continue
        total = np.zeros(candidates.shape, np.int8)
        for step in range(-REACH, REACH + 1):
            other = (now + step) % count if loop else now + step
            if 0 <= other < count:
                total += ballots[other]
        number, labels = cv2.connectedComponents(candidates.astype(np.uint8), connectivity=4)
        said = np.bincount(labels.ravel(), weights=total.ravel(), minlength=number)
        # A draw, as in a clip of two frames, leaves the frame's own judgement.
        before = np.bincount(labels.ravel(), weights=ballots[now].ravel(), minlength=number)
        wins = np.where(said == 0, before > 0, said > 0)
        wins[0] = False
        out.append(wins[labels])
    return out


def steady(seen: np.ndarray, cut: np.ndarray, noise: float = 0.0, loop: bool = False) -> np.ndarray:
    """Cut-out frames uint8 (T, H, W, 4) without flicker (rembg issue 17).

    Where the picture seen uint8 (T, H, W, 3) holds still from one frame to the next and the one after, the pixel with
    the median alpha of the three is taken. What moves is never touched, nor is a pixel whose alpha is the median.
    noise: standard deviation of the grain in 8-bit steps.
    """
    import cv2

    count = len(cut)
    if count < 3:
        return cut
    limit = STILL + 3 * noise
    pairs = range(count if loop else count - 1)
    still = [_most(cv2.absdiff(seen[i], seen[(i + 1) % count])) <= limit for i in pairs]
    out = cut.copy()
    for now in range(count) if loop else range(1, count - 1):
        before, after = cut[now - 1], cut[(now + 1) % count]
        a, b, c = before[..., 3], cut[now][..., 3], after[..., 3]
        if not b.any():
            # A frame without a figure stays so, even where its background has a neighbour's colours.
            continue
        median = np.maximum(np.minimum(a, b), np.minimum(np.maximum(a, b), c))
        change = still[now - 1] & still[now] & (median != b)
        out[now][change] = np.where((median == a)[..., None], before, after)[change]
    return out


def _most(change: np.ndarray) -> np.ndarray:
    """(H, W): the largest of three channels; several times quicker than `max(axis=2)`."""
    return np.maximum(np.maximum(change[..., 0], change[..., 1]), change[..., 2])
