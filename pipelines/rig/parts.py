"""Which pixel belongs to which part of the body: the bone that is nearest inside the silhouette.

Distance is measured along paths inside the art (Dijkstra on the pixel graph), because straight lines jump over gaps
between limbs; crossing a drawn outline costs extra, so that cuts run along the outlines of the art.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from scipy.ndimage import distance_transform_edt

from ..figure import Figure
from ..pose.skeleton import INDEX
from .bones import Bones, complete
from .cels import cels_of, hemmed, unthreaded, whole_cels
from .lines import LINE, drawn_lines
from .seeds import Seeds, seeds_of
from .spread import spread

WORKING = 256
"""Longest side, in pixels, at which distances are measured."""


@dataclass(frozen=True)
class Part:
    """A part of the body that moves as one."""

    name: str
    colour: tuple[int, int, int]
    """sRGB 0..255, for overlays."""
    bone: tuple[int, int]
    """Joint numbers of its start and end."""
    limb: str | None = None
    """Name of the limb that it bends with (see `bones.LIMBS`)."""


def _part(name: str, colour: str, start: str, end: str, limb: str | None = None) -> Part:
    red, green, blue = bytes.fromhex(colour)
    return Part(name, (red, green, blue), (INDEX[start], INDEX[end]), limb)


PARTS: tuple[Part, ...] = (
    _part("torso", "f2b134", "pelvis", "neck"),
    _part("head", "ed6a5a", "neck", "crown"),
    _part("l_upper_arm", "2a7f9e", "l_shoulder", "l_elbow", "l_arm"),
    _part("l_lower_arm", "5fc3e4", "l_elbow", "l_wrist", "l_arm"),
    _part("r_upper_arm", "3f7d20", "r_shoulder", "r_elbow", "r_arm"),
    _part("r_lower_arm", "8ed16f", "r_elbow", "r_wrist", "r_arm"),
    _part("l_upper_leg", "6a4c93", "l_hip", "l_knee", "l_leg"),
    _part("l_lower_leg", "a98bd6", "l_knee", "l_ankle", "l_leg"),
    _part("r_upper_leg", "b3446c", "r_hip", "r_knee", "r_leg"),
    _part("r_lower_leg", "f08cae", "r_knee", "r_ankle", "r_leg"),
    _part("l_foot", "d9c8f0", "l_ankle", "l_toe", "l_leg"),
    _part("r_foot", "f9d0dd", "r_ankle", "r_toe", "r_leg"),
    _part("weapon", "9aa5b1", "r_wrist", "weapon_tip"),
    _part("offhand", "c08552", "l_wrist", "offhand_tip"),
)
"""Parts in the order of their numbers in a part map."""

SHEETS: tuple[str, ...] = ("l_arm", "r_arm", "l_leg", "r_leg", "torso", "head", "weapon", "offhand")
"""What moves as one sheet: limbs, and parts that are in no limb."""

PART = {part.name: number for number, part in enumerate(PARTS)}


def sheet_of_part() -> np.ndarray:
    """int (P,): index into `SHEETS` of the sheet that holds each part."""
    return np.array([SHEETS.index(part.limb or part.name) for part in PARTS])


def opaque_box(alpha: np.ndarray) -> tuple[int, int, int, int]:
    """left, top, right, bottom (exclusive) of what can be seen; the whole picture where nothing can."""
    rows, columns = np.nonzero((alpha > 0).any(1))[0], np.nonzero((alpha > 0).any(0))[0]
    if not len(rows):
        return 0, 0, alpha.shape[1], alpha.shape[0]
    return int(columns[0]), int(rows[0]), int(columns[-1]) + 1, int(rows[-1]) + 1


def bones_of(figure: Figure) -> Bones:
    """The figure's bones, its trunk completed."""
    alpha = figure.art[..., 3]
    return complete(figure.joints, opaque_box(np.where(alpha > 127, alpha, 0)))


def part_map(figure: Figure) -> np.ndarray:
    """int16 (H, W): number of the part in `PARTS`, -1 where the art is fully transparent.

    What the artist painted (`figure.parts`, 0 or above) wins over what is found here.
    """
    alpha = figure.art[..., 3]
    labels = np.full(alpha.shape, -1, np.int16)
    if not (alpha > 0).any():
        return labels
    left, top, right, bottom = opaque_box(alpha)
    art = figure.art[top:bottom, left:right]
    shrink = min(1.0, WORKING / max(art.shape[:2]))
    size = (max(1, round(art.shape[1] * shrink)), max(1, round(art.shape[0] * shrink)))
    small = art if shrink == 1 else shrunk(art, size)
    scale = np.array([size[0] / art.shape[1], size[1] / art.shape[0]])
    bones = bones_of(figure)
    local = Bones((bones.xy - (left, top)) * scale, bones.known, bones.height * float(scale[1]))
    seeds = seeds_of(local, small[..., 3] > 127, figure.facing)
    found = _assign(spread(small, seeds), seeds, small[..., 3] > 127, art.shape[:2])
    found = _smooth(found, art[..., 3] > 0, max(0.6, 0.009 * bones.height))
    found = _tidy(found, art[..., 3] > 0, (0.05 * bones.height) ** 2)
    found = _along_lines(found, seeds, art, bones.height)
    found = _tidy(found, art[..., 3] > 0, (0.05 * bones.height) ** 2)
    labels[top:bottom, left:right] = np.where(art[..., 3] > 0, found, -1)
    if figure.parts is not None:
        labels = np.where((figure.parts >= 0) & (alpha > 0), figure.parts, labels).astype(np.int16)
    return labels


def _along_lines(labels: np.ndarray, seeds: Seeds, art: np.ndarray, tall: float) -> np.ndarray:
    """Labels whose cuts run along the drawn lines wherever these close off an area."""
    visible = art[..., 3] > 0
    spots: np.ndarray = np.full(seeds.masks[0].shape, -1, np.int16)
    for part, mask in zip(seeds.parts, seeds.masks, strict=True):
        spots[mask] = part
    spots = cv2.resize(spots, (labels.shape[1], labels.shape[0]), interpolation=cv2.INTER_NEAREST)
    lines, sheets = drawn_lines(art, tall), sheet_of_part()
    cels = cels_of(visible, lines)
    held = (SHEETS.index("weapon"), SHEETS.index("offhand"))
    whole = whole_cels(np.where(visible, labels, -1), spots, cels, sheets, held, max(2.0, 0.6 * LINE * tall))
    legs = (SHEETS.index("l_leg"), SHEETS.index("r_leg"))
    whole = hemmed(whole, spots, cels, sheets, legs)
    whole = unthreaded(np.where(visible, whole, -1), lines, sheets, max(1, round(0.25 * LINE * tall)))
    return np.where(visible, whole, labels)


def shrunk(art: np.ndarray, size: tuple[int, int]) -> np.ndarray:
    """Area-averaged with premultiplied colour; straight uint8 again."""
    pre = art.astype(np.float32)
    pre[..., :3] *= pre[..., 3:] / 255
    small = np.asarray(cv2.resize(pre, size, interpolation=cv2.INTER_AREA), np.float32)
    colour = small[..., :3] / np.maximum(small[..., 3:] / 255, 1e-3)
    return np.clip(np.dstack([colour, small[..., 3:]]) + 0.5, 0, 255).astype(np.uint8)


def _assign(fields: np.ndarray, seeds: Seeds, solid: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
    """int16 (H, W) part with the smallest distance; distances are enlarged rather than labels, so edges stay smooth."""
    if solid.any():
        nearest = distance_transform_edt(~solid, return_distances=False, return_indices=True)
        fields = fields[:, nearest[0], nearest[1]]
    best = np.full(shape, np.inf, np.float32)
    labels = np.zeros(shape, np.int16)
    for part, field in zip(seeds.parts, fields, strict=True):
        if field.shape != tuple(shape):
            field = cv2.resize(field, (shape[1], shape[0]), interpolation=cv2.INTER_LINEAR)
        better = field < best
        np.copyto(best, field, where=better)
        labels[better] = part
    return labels


def _smooth(labels: np.ndarray, visible: np.ndarray, radius: float) -> np.ndarray:
    """Each visible pixel takes the part most frequent around it, which straightens cuts and drops threads and specks.

    Only visible pixels count, so that a thin limb on its own stays.
    """
    best, out = np.zeros(labels.shape, np.float32), labels.copy()
    for part in np.unique(labels[visible]):
        share = cv2.GaussianBlur(((labels == part) & visible).astype(np.float32), (0, 0), radius)
        better = share > best
        np.copyto(best, share, where=better)
        out[better] = part
    return out


def _tidy(labels: np.ndarray, visible: np.ndarray, area: float) -> np.ndarray:
    """Specks of a part away from the rest of it, smaller than `area` pixels, go to the part around them."""
    specks = np.zeros(labels.shape, bool)
    for part in np.unique(labels[visible]):
        count, islands, stats, _ = cv2.connectedComponentsWithStats(((labels == part) & visible).astype(np.uint8))
        sizes = stats[1:, cv2.CC_STAT_AREA]
        for island in range(1, count):
            if sizes[island - 1] < min(area, sizes.max()):
                left, top, width, height = stats[island, :4]
                box = (slice(top, top + height), slice(left, left + width))
                specks[box] |= islands[box] == island
    keep = visible & ~specks
    if not specks.any() or not keep.any():
        return labels
    nearest = distance_transform_edt(~keep, return_distances=False, return_indices=True)
    return np.where(specks, labels[nearest[0], nearest[1]], labels)
