"""A look at each sample before it is learned from, told in the artist's words. Verdicts advise; the artist decides."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import imagehash
import numpy as np
from PIL import Image
from skimage.measure import blur_effect

MIN_FRAMES = 4
"""Fewer frames than this show no motion."""
MIN_HEIGHT = 24
"""Smallest figure, in pixels, from which a look can be learned."""
DARK = 40
"""A figure whose brightest tenth is below this luma (0..255) is taken as too dark to see."""
BLUR = 0.55
"""Crete blur effect, 0..1, of a figure from which details cannot be learned."""
NEAR = 4
"""Two pictures whose 64-bit perceptual hashes differ in at most so many bits are the same to the eye."""
JUMP = 0.3
"""Median motion between two frames, in figure heights, beyond which a frame seems to be missing."""
OVERLAP = 0.2
"""Share of two neighbouring silhouettes' union that they have in common, below which the figure has jumped away."""
RECOLOUR = 0.6
"""Share of the colours, 0..1, that two neighbouring frames do not have in common: a cut or a flash, not a motion."""

_SIDE = 96


@dataclass(frozen=True)
class Verdict:
    """One thing that is wrong with a sample."""

    problem: str
    """Short name: empty, opaque, dark, small, blurry, duplicate, jumpy, short."""
    text: str
    """A sentence with the number and the cure."""
    reject: bool
    """True: nothing can be learned from it. False: the artist may well keep it."""


def judge(frames: np.ndarray, *, pixel_art: bool = False) -> list[Verdict]:
    """What is wrong with a still (T = 1) or an animation, uint8 (T, H, W, 4); [] when nothing is."""
    alpha = frames[..., 3]
    if not (alpha > 127).any():
        return [Verdict("empty", "There is nothing but background; upload a picture with the character in it.", True)]
    found = [_opaque(alpha), _small(alpha), _dark(frames), None if pixel_art else _blurry(frames)]
    if len(frames) > 1:
        found += [_short(frames), _jumpy(frames)]
    return [verdict for verdict in found if verdict is not None]


def near_duplicates(pictures: Sequence[np.ndarray]) -> dict[int, Verdict]:
    """Verdicts of the pictures, uint8 (H, W, 4), that look like an earlier one; numbers in the texts count from 1."""
    hashes = [_hash(picture) for picture in pictures]
    found: dict[int, Verdict] = {}
    for number, own in enumerate(hashes):
        for earlier in range(number):
            if earlier not in found and max(a - b for a, b in zip(own, hashes[earlier], strict=True)) <= NEAR:
                text = f"Looks like #{earlier + 1}; keep the better of the two."
                found[number] = Verdict("duplicate", text, False)
                break
    return found


def _hash(picture: np.ndarray) -> tuple[imagehash.ImageHash, ...]:
    """Hashes of shape and of colour: a pose in two palettes is no duplicate."""
    grey = Image.fromarray(_on_grey(_crop(picture[None]))[0])
    luma, blue, red = grey.convert("YCbCr").split()
    tint = [round(float(np.asarray(channel).mean()) / 4) for channel in (blue, red)]
    thermometer = np.array([[number < level for number in range(64)] for level in tint])
    return imagehash.phash(luma), imagehash.dhash(luma), imagehash.ImageHash(thermometer)


def _opaque(alpha: np.ndarray) -> Verdict | None:
    if (alpha > 127).mean() < 0.98:
        return None
    return Verdict("opaque", "The background is still there and would be learned; cut the character out first.", True)


def _small(alpha: np.ndarray) -> Verdict | None:
    height = max(
        int(rows[-1] - rows[0] + 1) for rows in (np.nonzero(a.any(axis=1))[0] for a in alpha > 127) if len(rows)
    )
    if height >= MIN_HEIGHT:
        return None
    return Verdict(
        "small", f"The figure is only {height} pixels tall; give a picture with at least {MIN_HEIGHT}.", True
    )


def _dark(frames: np.ndarray) -> Verdict | None:
    luma = (frames[..., :3] @ np.array([0.299, 0.587, 0.114]))[frames[..., 3] > 127]
    bright = float(np.percentile(luma, 90))
    if bright >= DARK:
        return None
    return Verdict(
        "dark", f"Too dark: even its light parts reach only {bright / 2.55:.0f} %; brighten the picture.", False
    )


def _blurry(frames: np.ndarray) -> Verdict | None:
    crop = _on_grey(_crop(frames[:1]))[0]
    blur = float(blur_effect(cv2.cvtColor(crop, cv2.COLOR_RGB2GRAY)))
    if not blur > BLUR:
        return None
    return Verdict(
        "blurry", f"Blurry ({100 * blur:.0f} %): details will be learned as smears; give a sharper one.", False
    )


def _short(frames: np.ndarray) -> Verdict | None:
    if len(frames) >= MIN_FRAMES:
        return None
    cure = f"add frames up to {MIN_FRAMES} or keep the best one as a still"
    return Verdict("short", f"{len(frames)} frames are too few to show a motion; {cure}.", False)


def _jumpy(frames: np.ndarray) -> Verdict | None:
    """Where neighbouring frames are no motion of one figure (R11): dropped frames, cuts, flashes.

    Hand-drawn game animation is snappy by design, so a limb that swings far in one frame does not count.
    """
    crop = _crop(frames)
    height = crop.shape[1]
    small = np.stack([cv2.resize(frame, (_SIDE, _SIDE), interpolation=cv2.INTER_AREA) for frame in _on_grey(crop)])
    solid = np.stack([cv2.resize(a, (_SIDE, _SIDE), interpolation=cv2.INTER_AREA) for a in crop[..., 3]]) > 127
    colours = [_histogram(picture[mask]) for picture, mask in zip(small, solid, strict=True)]
    grey = [cv2.cvtColor(frame, cv2.COLOR_RGB2GRAY) for frame in small]
    flow_of = cv2.DISOpticalFlow.create(cv2.DISOPTICAL_FLOW_PRESET_FAST)
    bad: list[int] = []
    for number in range(len(frames) - 1):
        union = solid[number] | solid[number + 1]
        if not union.any():
            continue
        common = float((solid[number] & solid[number + 1]).sum() / union.sum())
        recoloured = float(np.abs(colours[number] - colours[number + 1]).sum() / 2)
        flow = flow_of.calc(grey[number], grey[number + 1], np.zeros((_SIDE, _SIDE, 2), np.float32))
        moved = float(np.median(np.linalg.norm(flow, axis=2)[union])) / _SIDE * crop.shape[2] / height
        if common < OVERLAP or recoloured > RECOLOUR or moved > JUMP:
            bad.append(number)
    if not bad:
        return None
    pairs = ", ".join(f"{number + 1} and {number + 2}" for number in bad[:3]) + ("..." if len(bad) > 3 else "")
    return Verdict(
        "jumpy", f"The motion jumps between frames {pairs}; add the frames between or leave the clip out.", False
    )


def _histogram(colours: np.ndarray) -> np.ndarray:
    """Shares of 512 colours among uint8 (N, 3)."""
    counts = np.bincount((colours // 32).astype(np.int64) @ np.array([64, 8, 1]), minlength=512)
    return counts / max(1, counts.sum())


def _crop(frames: np.ndarray) -> np.ndarray:
    """The box that holds the figure in all frames, with a little room."""
    rows = np.nonzero((frames[..., 3] > 127).any(axis=(0, 2)))[0]
    columns = np.nonzero((frames[..., 3] > 127).any(axis=(0, 1)))[0]
    if not len(rows):
        return frames
    top, bottom, left, right = max(0, rows[0] - 2), rows[-1] + 3, max(0, columns[0] - 2), columns[-1] + 3
    return frames[:, top:bottom, left:right]


def _on_grey(frames: np.ndarray) -> np.ndarray:
    alpha = frames[..., 3:].astype(np.float32) / 255
    return (frames[..., :3] * alpha + 128 * (1 - alpha)).round().astype(np.uint8)
