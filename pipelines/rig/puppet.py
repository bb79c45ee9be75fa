"""A figure made ready to act: its bones, its layers, and where it stands in the cell."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np

from ..figure import Figure, Placement, place
from .bones import Bones
from .layers import Layer, build_layers
from .parts import bones_of, part_map, shrunk

FINEST = 768
"""Longest side of the art, in pixels, that layers are kept at; larger art is reduced first."""

COARSEST = 512
"""Longest side below which art is not reduced: in less, outlines can no longer be told from shadows."""


@dataclass(frozen=True)
class Puppet:
    """Built once per drawing, drawn as often as wanted. Arrays are not written to."""

    figure: Figure
    """As given."""
    placement: Placement
    """Of the figure's own art pixels."""
    bones: Bones
    """In art pixels."""
    layers: tuple[Layer, ...]
    """In art pixels; each layer carries its own resolution."""


def build_puppet(figure: Figure, size_hint: int | None = None, placement: Placement | None = None) -> Puppet:
    """Cuts the figure into layers.

    `size_hint`: largest cell, in pixels, that will be drawn; layers are then kept no finer than that needs, which is
    faster. `placement`: the character's own; by default the standard one.
    """
    placement = placement or place(figure)
    finest = 1.0 if figure.pixel_art else min(1.0, FINEST / max(figure.art.shape[:2]))
    if size_hint is not None and not figure.pixel_art:
        finest = min(finest, max(1.5 * size_hint * placement.scale, COARSEST / max(figure.art.shape[:2])))
    if finest > 0.8:
        return Puppet(figure, placement, bones_of(figure), build_layers(figure, part_map(figure), bones_of(figure)))
    small, scale = _reduced(figure, finest)
    layers = build_layers(small, part_map(small), bones_of(small))
    return Puppet(figure, placement, bones_of(figure), tuple(_enlarged(layer, scale) for layer in layers))


def _reduced(figure: Figure, factor: float) -> tuple[Figure, float]:
    """The figure at about `factor` of its size, and the exact factor. Padded first, so that both sides shrink alike."""
    height, width = figure.art.shape[:2]
    short = max(8, round(width * factor))
    scale = short / width
    tall = int(np.ceil(height * scale))
    pad = max(0, round(tall / scale) - height)
    art = shrunk(np.pad(figure.art, ((0, pad), (0, 0), (0, 0))), (short, tall))
    art[art[..., 3] == 0] = 0
    joints = figure.joints.copy()
    joints[:, :2] *= scale
    parts = None
    if figure.parts is not None:
        parts = cv2.resize(figure.parts, (short, tall), interpolation=cv2.INTER_NEAREST)
    return replace(figure, art=art, joints=joints.astype(np.float32), parts=parts), scale


def _enlarged(layer: Layer, scale: float) -> Layer:
    """A layer of reduced art, spoken of in pixels of the full art."""
    x, y = layer.origin
    return replace(layer, origin=(x / scale, y / scale), scale=layer.scale * scale, reach=layer.reach / scale)
