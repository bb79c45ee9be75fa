"""The drawing cut into layers that overlap: what lies hidden under a limb is filled, so that no hole opens when it
moves."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from ..figure import Figure
from ..pose.skeleton import INDEX
from .bones import LIMBS, Bones
from .cels import cels_of
from .fill import carry_on
from .lines import LINE, drawn_lines
from .outline import Outline, outline_of
from .overlap import grown, half_width, overlap, rounded, spurs, touching
from .parts import PARTS, SHEETS, sheet_of_part
from .plates import plates_of, shoulder_of
from .seeds import FAR

OWN, GUESSED = 255, 70
"""Confidence of a pixel that the artist drew and of one that was filled in."""

NAMES = (*SHEETS, "l_plate", "r_plate")


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
    for arm in ("l_arm", "r_arm"):
        order.insert(order.index(arm) + 1, f"{arm[0]}_plate")
    return {name: rank for rank, name in enumerate(order)}


@dataclass(frozen=True)
class _Drawing:
    """What all layers of one drawing are cut from."""

    figure: Figure
    labels: np.ndarray
    bones: Bones
    lines: np.ndarray
    outline: Outline | None


@dataclass(frozen=True)
class _Cut:
    """Masks bool (H, W) of one layer."""

    own: np.ndarray
    hidden: np.ndarray
    """Under others: to be filled."""
    shared: np.ndarray
    """Of what lies below: kept as drawn."""
    above: np.ndarray
    """Where others lie in front."""

    def guessed(self, visible: np.ndarray) -> np.ndarray:
        """Pixels whose colours the drawing does not show."""
        return visible & (self.hidden | (self.above & ~self.own))


def build_layers(figure: Figure, labels: np.ndarray, bones: Bones) -> tuple[Layer, ...]:
    """Layers of all parts that exist, in the order of `NAMES`."""
    alpha = figure.art[..., 3]
    lines = drawn_lines(figure.art, bones.height)
    drawing = _Drawing(figure, labels, bones, lines, outline_of(figure.art, bones.height))
    sheet = np.where(labels >= 0, sheet_of_part()[np.maximum(labels, 0)], -1)
    if drawing.outline is not None and not figure.pixel_art:
        arms = {limb: sheet == NAMES.index(limb) for limb in ("l_arm", "r_arm")}
        for name, plate in plates_of(arms, cels_of(labels >= 0, lines), bones).items():
            sheet[plate] = NAMES.index(name)
    rank = rest_rank(figure.facing)
    depth = np.array([rank[name] for name in NAMES] + [-1])[sheet]
    inside = cv2.distanceTransform(np.pad(alpha > 127, 1).astype(np.uint8), cv2.DIST_L2, 3)[1:-1, 1:-1]
    near = max(1, round(LINE * bones.height if drawing.outline is None else drawing.outline.width + 1))
    edges = grown(lines, 1)
    cuts: dict[str, _Cut] = {}
    for number, name in enumerate(NAMES):
        chain, own = _chain(name, bones), sheet == number
        if len(chain) < 2 or not own.any():
            continue
        hidden, shared = overlap(name, chain, own, depth, rank[name], bones, inside)
        if not figure.pixel_art:
            hidden = rounded(hidden, own, max(1.0, 0.008 * bones.height)) & (depth > rank[name])
        if drawing.outline is not None:
            shared = _on_this_side(shared, own, lines)
        # Where two parts meet along a drawn line, the part in front keeps the whole line.
        shared |= touching(grown(own & ~lines, near) & edges & (depth >= 0) & (depth < rank[name]), own)
        shared &= ~spurs(own | shared, max(1, round(0.6 * near)))
        if not figure.pixel_art:
            hidden &= ~spurs(own | hidden, round(1.5 * near))
        cuts[name] = _Cut(own, touching(hidden, own), shared, depth > rank[name])
    layers = []
    for name, cut in cuts.items():
        # The part behind loses that line where it goes on underneath: it would stay behind as a ghost.
        kept = np.zeros_like(cut.own)
        for other, front in cuts.items():
            if rank[other] > rank[name]:
                kept |= front.shared
        ghost = cut.own & edges & kept & grown(cut.hidden, near)
        layers.append(_layer(name, _chain(name, bones), drawing, cut, ghost))
    return tuple(layers)


def _on_this_side(shared: np.ndarray, own: np.ndarray, lines: np.ndarray) -> np.ndarray:
    """Pieces of `shared` that no drawn line parts from the bulk of `own`."""
    plain = (own | shared) & ~lines
    _, pieces = cv2.connectedComponents(plain.astype(np.uint8), connectivity=4)
    held = np.bincount(pieces[own & plain], minlength=int(pieces.max()) + 1)
    held[0] = 0
    return shared & plain & (held > 0.03 * own.sum())[pieces]


def _source(own: np.ndarray, lines: np.ndarray) -> np.ndarray:
    """Pixels whose colours may be carried on: not the outline, where enough is left without it."""
    plain = own & ~grown(lines, 1)
    return plain if plain.sum() > 0.15 * own.sum() else own


def _chain(name: str, bones: Bones) -> tuple[int, ...]:
    if name in LIMBS:
        return bones.chain(name)
    if name in ("weapon", "offhand"):
        return bones.held(name) or ()
    if name.endswith("plate"):
        return shoulder_of(name)
    return (INDEX["pelvis"], INDEX["neck"]) if name == "torso" else (INDEX["neck"], INDEX["crown"])


def _layer(name: str, chain: tuple[int, ...], drawing: _Drawing, cut: _Cut, ghost: np.ndarray) -> Layer:
    art, crisp = drawing.figure.art, drawing.figure.pixel_art
    mask = cut.own | cut.hidden | cut.shared
    soft = mask.astype(np.float32)
    if not crisp:
        # Cuts fade out beyond their edge: at rest into the very same colours.
        soft = np.maximum(soft, np.minimum(2 * cv2.GaussianBlur(soft, (0, 0), 0.8), 1))
        soft[soft < 0.04] = 0
    rows, columns = np.nonzero(mask.any(1))[0], np.nonzero(mask.any(0))[0]
    # Room around, so that bilinear sampling fades out instead of repeating the border.
    top, bottom = max(0, rows[0] - 4), min(mask.shape[0], rows[-1] + 5)
    left, right = max(0, columns[0] - 4), min(mask.shape[1], columns[-1] + 5)
    crop = (slice(top, bottom), slice(left, right))
    beside = cut.guessed(soft > 0)
    colour = art[crop][..., :3].astype(np.float32) / 255
    colour = carry_on(colour, _source(cut.own, drawing.lines)[crop], (beside | ghost)[crop], crisp)
    if drawing.outline is not None:
        colour = _outlined(colour, mask[crop], beside[crop], drawing.outline, crisp)
    alpha = soft[crop] * art[crop][..., 3].astype(np.float32) / 255
    rgba = np.dstack([colour * alpha[..., None], alpha])
    limb = f"{name[0]}_arm" if name.endswith("plate") else name
    numbers = [number for number, part in enumerate(PARTS) if (part.limb or part.name) == limb]
    part = _nearest_part(np.where(cut.own[crop], drawing.labels[crop], -1), numbers)
    return Layer(
        name,
        chain,
        np.pad(rgba, ((2, 2), (2, 2), (0, 0))),
        np.pad(part.astype(np.uint8), 2, mode="edge"),
        np.pad(np.where(beside[crop], GUESSED, OWN).astype(np.uint8), 2, mode="edge"),
        (float(left - 2), float(top - 2)),
        1.0,
        _reach(mask, drawing.bones.xy[list(chain)]),
        half_width(cut.own),
    )


def _outlined(colour: np.ndarray, mask: np.ndarray, filled: np.ndarray, outline: Outline, crisp: bool) -> np.ndarray:
    """The art's outline along filled edges, so that a limb that comes out from under another looks whole."""
    depth = cv2.distanceTransform(np.pad(mask, 1).astype(np.uint8), cv2.DIST_L2, 5)[1:-1, 1:-1]
    share = np.clip(outline.width - depth + 0.5, 0, 1)
    share = np.where(filled, (share > 0.5).astype(np.float32) if crisp else share, 0)[..., None]
    return (colour * (1 - share) + np.array(outline.colour, np.float32) * share).astype(np.float32)


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
