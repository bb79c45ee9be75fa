"""The drawing cut into layers that overlap: what lies hidden under a limb is filled, so that no hole opens when it
moves."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from ..figure import Figure
from ..pose.skeleton import INDEX
from .bones import LIMBS, Bones
from .fill import carry_on
from .lines import LINE, drawn_lines
from .parts import PARTS
from .seeds import FAR

OWN, GUESSED = 255, 70
"""Confidence of a pixel that the artist drew and of one that was filled in."""

SEAM = 0.02
"""How far every layer goes on under the ones before it, as a share of the body's height."""

NAMES = ("l_arm", "r_arm", "l_leg", "r_leg", "torso", "head", "weapon", "offhand")


@dataclass(frozen=True)
class Layer:
    """One sheet of the puppet, cropped."""

    name: str
    chain: tuple[int, ...]
    """Joint numbers that it bends along; two: rigid."""
    rgba: np.ndarray
    """float32 (h, w, 4) in 0..1, premultiplied."""
    part: np.ndarray
    """uint8 (h, w) part numbers, carried on beyond the edge."""
    confidence: np.ndarray
    """uint8 (h, w)."""
    origin: tuple[float, float]
    """Art pixel of its top left corner."""
    scale: float
    """Layer pixels per art pixel."""
    reach: float
    """Largest distance of a pixel to the nearest joint of the chain, in art pixels."""
    width: float
    """Half thickness of the limb, in art pixels."""


def rest_rank(facing: str) -> dict[str, int]:
    """How the art itself is stacked, from the back: what is higher may hide what is lower."""
    order = ["l_leg", "r_leg", "torso", "head", "offhand", "l_arm", "weapon", "r_arm"]
    far = FAR.get(facing, "")
    if far == "l":
        order = ["offhand", "l_arm", "l_leg", "r_leg", "torso", "head", "weapon", "r_arm"]
    elif far == "r":
        order = ["weapon", "r_arm", "r_leg", "l_leg", "torso", "head", "offhand", "l_arm"]
    return {name: rank for rank, name in enumerate(order)}


def layer_of_part() -> np.ndarray:
    """int (P,): index into `NAMES` of the layer that holds each part."""
    return np.array([NAMES.index(part.limb or part.name) for part in PARTS])


def build_layers(figure: Figure, labels: np.ndarray, bones: Bones) -> tuple[Layer, ...]:
    """Layers of all parts that exist, in the order of `NAMES`."""
    alpha = figure.art[..., 3]
    sheet = np.where(labels >= 0, layer_of_part()[np.maximum(labels, 0)], -1)
    rank = rest_rank(figure.facing)
    ranks = np.array([rank[name] for name in NAMES] + [-1])
    depth = ranks[sheet]
    inside = cv2.distanceTransform(np.pad(alpha > 127, 1).astype(np.uint8), cv2.DIST_L2, 3)[1:-1, 1:-1]
    lines = drawn_lines(figure.art, bones.height)
    layers = []
    for number, name in enumerate(NAMES):
        chain = _chain(name, bones)
        own = sheet == number
        if len(chain) < 2 or not own.any():
            continue
        hidden, shared = _overlap(name, chain, own, depth, rank[name], bones, inside)
        hidden = _touching(hidden, own)
        near = max(1, round(LINE * bones.height))
        # Where two parts meet along a drawn line, the part in front keeps the whole line, and so does the one behind
        # unless it goes on underneath: there the line would stay behind as a ghost.
        shared |= _touching(_grown(own, near) & lines & (depth >= 0) & (depth < rank[name]), own)
        ghost = own & lines & _grown(hidden & _grown(hidden, 1), near) if name == "torso" else np.zeros_like(own)
        layers.append(_layer(name, chain, figure, labels, own, hidden, shared, ghost, lines, bones))
    return tuple(layers)


def _grown(mask: np.ndarray, radius: int) -> np.ndarray:
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * radius + 1, 2 * radius + 1))
    return cv2.dilate(mask.astype(np.uint8), kernel) > 0


def _touching(mask: np.ndarray, own: np.ndarray) -> np.ndarray:
    """The connected pieces of the mask that lie next to `own`."""
    _, pieces = cv2.connectedComponents(mask.astype(np.uint8))
    beside = np.unique(pieces[mask & _grown(own, 1)])
    return mask & np.isin(pieces, beside)


def _source(own: np.ndarray, lines: np.ndarray) -> np.ndarray:
    """Pixels whose colours may be carried on: not the outline, where enough is left without it."""
    plain = own & ~_grown(lines, 1)
    return plain if plain.sum() > 0.15 * own.sum() else own


def _chain(name: str, bones: Bones) -> tuple[int, ...]:
    if name in LIMBS:
        return bones.chain(name)
    if name in ("weapon", "offhand"):
        return bones.held(name) or ()
    return (INDEX["pelvis"], INDEX["neck"]) if name == "torso" else (INDEX["neck"], INDEX["crown"])


def _discs(shape: tuple[int, ...], centres: list[tuple[np.ndarray, float]]) -> np.ndarray:
    canvas = np.zeros(shape, np.uint8)
    for centre, radius in centres:
        cv2.circle(
            canvas, tuple(np.round(centre * 16).astype(int).tolist()), max(16, round(radius * 16)), 1, -1, shift=4
        )
    return canvas > 0


def _capsules(shape: tuple[int, ...], points: np.ndarray, radius: float) -> np.ndarray:
    canvas = np.zeros(shape, np.uint8)
    path = np.round(points * 16).astype(np.int32).reshape(-1, 1, 2)
    cv2.polylines(canvas, [path], False, 1, max(1, round(2 * radius)), cv2.LINE_8, 4)
    return canvas > 0


def _half_width(own: np.ndarray) -> float:
    """Typical half thickness of a limb: area over the length of its axis, from its distance map."""
    depth = cv2.distanceTransform(np.pad(own, 1).astype(np.uint8), cv2.DIST_L2, 3)
    ridge = depth[depth > 0]
    return float(np.quantile(ridge, 0.9)) if len(ridge) else 1.0


def _closed(own: np.ndarray, radius: float) -> np.ndarray:
    """Morphological closing by a disc: gaps and notches narrower than twice the radius are bridged."""
    border = int(radius) + 2
    grown = cv2.distanceTransform(np.pad(~own, border, constant_values=True).astype(np.uint8), cv2.DIST_L2, 5) > radius
    kept = cv2.distanceTransform((~grown).astype(np.uint8), cv2.DIST_L2, 5) > radius
    return kept[border:-border, border:-border]


def _overlap(
    name: str,
    chain: tuple[int, ...],
    own: np.ndarray,
    depth: np.ndarray,
    rank: int,
    bones: Bones,
    inside: np.ndarray,
) -> tuple[np.ndarray, np.ndarray]:
    """Masks (H, W) of pixels hidden under others, to be filled, and of pixels shared with what lies below, kept as
    drawn."""
    shape = own.shape
    above, below = depth > rank, (depth >= 0) & (depth < rank)
    seam = _grown(own, max(2, round(SEAM * bones.height)))
    points = bones.xy[list(chain)]
    if name == "torso":
        gap = 0.06 * bones.height
        closed = _closed(own, gap)
        neck = bones.xy[INDEX["neck"]]
        skull = float(np.hypot(*(bones.xy[INDEX["crown"]] - neck))) / 2
        # As wide as the neck is drawn, or a wedge would open beside it when the head nods.
        border = np.argwhere(seam & (depth == rank + 1)) - neck[::-1]
        across = float(np.quantile(np.hypot(*border.T), 0.95)) if len(border) else 0.0
        wide = float(np.clip(1.05 * across, 0.4 * skull, 2.0 * skull))
        reach = seam | closed | _discs(shape, [(neck, wide)])
        for limb in ("l_arm", "r_arm"):
            for shoulder in bones.chain(limb)[:1]:
                reach |= _capsules(shape, bones.xy[[INDEX["chest"], shoulder]], 0.05 * bones.height)
        return reach & above, np.zeros(shape, bool)
    width = _half_width(own)
    root = points[0]
    row, column = (int(np.clip(round(value), 0, size - 1)) for value, size in zip(root[::-1], shape, strict=True))
    room = float(np.clip(inside[row, column], 0.5 * width, 1.25 * width))
    if name in LIMBS:
        body = _capsules(shape, points, 0.9 * width) | _discs(shape, [(root, 1.1 * width)])
        reach = body | (seam & _capsules(shape, points, 1.2 * width))
        return reach & above, _discs(shape, [(root, 0.8 * room)]) & below
    if name == "head":
        wide = 0.3 * float(np.hypot(*(points[1] - points[0])))
        return (seam | _discs(shape, [(root, wide)])) & above, np.zeros(shape, bool)
    return seam & above, np.zeros(shape, bool)


def _layer(
    name: str,
    chain: tuple[int, ...],
    figure: Figure,
    labels: np.ndarray,
    own: np.ndarray,
    hidden: np.ndarray,
    shared: np.ndarray,
    ghost: np.ndarray,
    lines: np.ndarray,
    bones: Bones,
) -> Layer:
    mask = own | hidden | shared
    rows, columns = np.nonzero(mask.any(1))[0], np.nonzero(mask.any(0))[0]
    # Two empty pixels around, so that bilinear sampling fades out instead of repeating the border.
    top, bottom = max(0, rows[0] - 2), min(mask.shape[0], rows[-1] + 3)
    left, right = max(0, columns[0] - 2), min(mask.shape[1], columns[-1] + 3)
    crop = (slice(top, bottom), slice(left, right))
    colour = figure.art[crop][..., :3].astype(np.float32) / 255
    colour = carry_on(colour, _source(own, lines)[crop], (hidden | ghost)[crop], figure.pixel_art)
    alpha = np.where(mask[crop], figure.art[crop][..., 3], 0).astype(np.float32) / 255
    rgba = np.dstack([colour * alpha[..., None], alpha])
    numbers = [number for number, part in enumerate(PARTS) if (part.limb or part.name) == name]
    part = np.where(own[crop], labels[crop], -1)
    part = _nearest_part(part, numbers)
    return Layer(
        name,
        chain,
        np.pad(rgba, ((2, 2), (2, 2), (0, 0))),
        np.pad(part.astype(np.uint8), 2, mode="edge"),
        np.pad(np.where(hidden[crop], GUESSED, OWN).astype(np.uint8), 2, mode="edge"),
        (float(left - 2), float(top - 2)),
        1.0,
        _reach(mask, bones.xy[list(chain)]),
        _half_width(own),
    )


def _nearest_part(part: np.ndarray, numbers: list[int]) -> np.ndarray:
    from scipy.ndimage import distance_transform_edt

    if not (part >= 0).any():
        return np.full_like(part, numbers[0])
    at = distance_transform_edt(part < 0, return_distances=False, return_indices=True)
    return part[at[0], at[1]]


def _reach(mask: np.ndarray, points: np.ndarray) -> float:
    """Largest distance of a pixel of the mask to the nearest joint of the chain."""
    contours, _ = cv2.findContours(mask.astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    edge = np.concatenate([contour.reshape(-1, 2) for contour in contours]).astype(np.float64)
    gaps = np.hypot(*(edge[:, None] - points[None]).transpose(2, 0, 1))
    return float(gaps.min(1).max()) + 2
