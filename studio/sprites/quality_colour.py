"""Findings about looks: a turned body, wandering colours, a rim left by the key."""

import itertools

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage
from scipy.spatial import cKDTree

from studio.sprites.align import core_of
from studio.sprites.findings import Finding, finding, level_of
from studio.sprites.frames import Frames, Mask
from studio.sprites.oklab import Lab, to_oklab
from studio.sprites.quantise import oklab_palette

SIDE = 32
"""Side in px of the picture of the body that is compared with its mirror image."""

TURNED = 0.75
"""Share of the difference to the frames before that may remain once mirrored, for the body to have turned round.

Walks, runs and leaps of the example characters leave 0.4 to 0.7 at a turned frame; nothing that they do leaves less
than 0.79 without one. A frame turned in the middle of a blow, unlike all before it, may pass.
"""

LEAP = 0.02
"""Difference (mean OKLab) to the frames before from which a frame may have turned; in a calm clip, twice the usual."""

MEMORY = 4
"""Frames that a frame is compared with; a fast blow resembles one of them more than the very last one."""

TONES = 16
"""Colours that stand for a frame when its palette is compared."""

RIM = 0.12
"""OKLab distance from all paint inside that makes an edge foreign: past what soft shading does to a rim."""


SHARED = 0.03
"""Share of the body that must have a colour near the rim's for it to be the character's: a key also fills gaps."""


def facing_flip(frames: Frames, masks: list[Mask]) -> Finding:
    """Frames that face against most of the clip, after a step that looks more like a mirror than like a move.

    A frame is compared with the few before it, never with the whole clip: an arm that swings from one side to the
    other turns its body's picture round as well, but step by step. A slow turn of the whole body is never marked.
    """
    known = [t for t, mask in enumerate(masks) if mask.any()]
    views = [_portrait(frames[t], masks[t]) for t in known]
    steps = [min(_unlike(now, [was]), _unlike(now[:, ::-1], [was])) for was, now in itertools.pairwise(views)]
    leap = min(LEAP, 2.0 * float(np.median(steps))) if steps else LEAP
    seen: list[NDArray[np.float64]] = views[:1]
    turned = [False]
    for view in views[1:]:
        kept, mirrored = _unlike(view, seen[-MEMORY:]), _unlike(view[:, ::-1], seen[-MEMORY:])
        turned.append(kept > leap and mirrored < TURNED * kept)
        seen.append(view[:, ::-1] if turned[-1] else view)
    odd = sum(turned) * 2 <= len(turned)
    where = [t for t, other in zip(known, turned, strict=False) if other == odd]
    level = level_of(len(where), 0.0, 1.0)
    return finding("facing flip", len(where), "frames", level, where, f"{len(where)} frames face the other way")


def palette_drift(frames: Frames, masks: list[Mask]) -> Finding:
    """Greatest mean distance of a frame's colours from those of the clip, in OKLab hundredths.

    Every frame's pixels are compared with the nearest tones of the middle frame, so a colour that a turn of the body
    brings to light counts by its small area, while a cast over everything counts in full.
    """
    known = [t for t, mask in enumerate(masks) if mask.any()]
    if len(known) < 2:
        return finding("palette drift", 0.0, "dE", "good", (), "the colours keep still")
    lab = {t: to_oklab(frames[t][masks[t]][:, :3]) for t in known}
    own = {t: cKDTree(to_oklab(oklab_palette([frames[t : t + 1]], TONES))) for t in known}
    middle = known[len(known) // 2]
    apart = np.array([_apart(lab[t], own[middle], own[t]) for t in known]) * 100.0
    value = float(apart.max())
    where = np.array(known)[apart > 1.0]
    return finding(
        "palette drift", value, "dE", level_of(value, 1.0, 3.0), where, f"colours wander by {value:.1f} of 100"
    )


def halo(frames: Frames, masks: list[Mask]) -> Finding:
    """Share of the outline, in percent, whose colour occurs nowhere inside the body: the rim that a key leaves.

    A rim darker than everything inside is an outline that the artist drew.
    """
    shares = np.array([_halo(frame, mask) * 100.0 for frame, mask in zip(frames, masks, strict=True)])
    value = float(np.median(shares))
    where = np.flatnonzero(shares > 10.0)
    return finding(
        "halo", value, "%", level_of(value, 10.0, 25.0), where, f"{value:.0f}% of the outline has a foreign rim"
    )


def _portrait(frame: Frames, mask: Mask) -> NDArray[np.float64]:
    """A square as tall as the body, centred on its core, in OKLab ``(SIDE, SIDE, 3)``; 0 (black) around the body.

    Centred on the core and never on the box: an arm would move that, and the torso with it (field report 22).
    """
    rows = np.flatnonzero(mask.any(axis=1))
    half, core = (rows[-1] - rows[0]) / 2, core_of(mask) - 0.5
    y = np.linspace(rows[0], rows[-1], SIDE).round().astype(int)
    x = np.linspace(core - half, core + half, SIDE).round().astype(int)
    there = (x >= 0) & (x < mask.shape[1])
    grid = np.ix_(y, np.clip(x, 0, mask.shape[1] - 1))
    return np.asarray(np.where((mask[grid] & there)[..., None], to_oklab(frame[grid][..., :3]), 0.0))


def _unlike(view: NDArray[np.float64], others: list[NDArray[np.float64]]) -> float:
    """Mean difference of a portrait to the most similar of some others."""
    return min(float(np.abs(view - other).mean()) for other in others)


def _apart(lab: Lab, clip: cKDTree, own: cKDTree) -> float:
    """Mean distance from the clip's tones, less what so few tones miss of the frame's own."""
    sample = lab[:: len(lab) // 4000 + 1]
    return max(float(clip.query(sample)[0].mean() - own.query(sample)[0].mean()), 0.0)


def _halo(frame: Frames, mask: Mask) -> float:
    """Share of the rim that differs by more than `RIM` from all paint deeper than 2 px and is not ink."""
    if not mask.any():
        return 0.0
    depth = ndimage.distance_transform_edt(np.pad(mask, 1))[1:-1, 1:-1]
    inside, rim = frame[depth > 2][:, :3], frame[(depth > 0) & (depth <= 1)][:, :3]
    if len(inside) == 0:
        return 0.0
    paint, edge = to_oklab(inside), to_oklab(rim)
    gap, _ = cKDTree(paint).query(edge, k=[max(round(SHARED * len(paint)), 1)])
    return float(((gap[:, 0] > RIM) & (edge[:, 0] > paint[:, 0].min())).mean())
