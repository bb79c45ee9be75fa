"""Draws a puppet through a track of poses, back to front, premultiplied inside and straight outside."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np

from ..pose.skeleton import INDEX, PARENT, PoseTrack
from .bones import LIMBS
from .deform import bend
from .layers import Layer
from .order import stack
from .puppet import Puppet
from .seeds import FAR

FOLLOW = 0.5
"""Share of a limb's turn that its root follows."""

FINER = 1.5
"""Layers are reduced to at most this many of their pixels per drawn pixel, so that sampling them does not alias."""


@dataclass(frozen=True)
class RigFrames:
    """Drawn frames."""

    frames: np.ndarray
    """uint8 (T, S, S, 4) straight alpha, RGB 0 where alpha is 0."""
    parts: np.ndarray
    """int16 (T, S, S) number of the part in front, -1 where empty."""
    confidence: np.ndarray
    """uint8 (T, S, S): 255 as drawn by the artist, low where stretched, squeezed or filled in; 255 where empty."""


def posed_joints(puppet: Puppet, track: PoseTrack) -> np.ndarray:
    """float64 (T, 21, 2) art pixels. A joint that the track does not know keeps its drawn offset to its parent."""
    posed = puppet.placement.to_art(track.joints[..., :2]).astype(np.float64)
    rest = puppet.bones.xy
    for number in range(posed.shape[1]):
        missing = track.confidence[:, number] <= 0
        parent = PARENT[number]
        if missing.any() and parent >= 0:
            posed[missing, number] = posed[missing, parent] + rest[number] - rest[parent]
    return posed


def ready(puppet: Puppet, size: int) -> Puppet:
    """The puppet with layers no finer than frames of `size` need: made once, it halves the time of a single frame."""
    if puppet.figure.pixel_art:
        return puppet
    finest = FINER * size * puppet.placement.scale
    return replace(puppet, layers=tuple(_reduced(layer, finest) for layer in puppet.layers))


def draw(puppet: Puppet, track: PoseTrack, size: int) -> RigFrames:
    """Frames of `size` x `size` pixels, one per pose of the track.

    The figure is drawn as its art faces; for the other side mirror the track's frames.
    """
    if puppet.figure.pixel_art:
        from .pixel import draw_pixels

        return draw_pixels(puppet, track, size)
    per_pixel = 1 / (size * puppet.placement.scale)
    layers = {layer.name: _reduced(layer, FINER / per_pixel) for layer in puppet.layers}
    posed = posed_joints(puppet, track)
    order = stack(track.joints[..., 2], track.confidence.max(0, initial=0) > 0, FAR[puppet.figure.facing])
    corner = puppet.placement.to_art(np.zeros(2)).astype(np.float64)
    count = len(track)
    frames = np.zeros((count, size, size, 4), np.uint8)
    parts = np.full((count, size, size), -1, np.int16)
    trust = np.full((count, size, size), 255, np.uint8)
    for index in range(count):
        canvas = np.zeros((size, size, 4), np.float32)
        for name in order:
            if name in layers:
                _lay(layers[name], puppet.bones.xy, posed[index], corner, per_pixel, canvas, parts[index], trust[index])
        frames[index] = straight(canvas)
        empty = frames[index, ..., 3] == 0
        parts[index][empty], trust[index][empty] = -1, 255
    return RigFrames(frames, parts, trust)


def straight(canvas: np.ndarray) -> np.ndarray:
    """uint8 straight alpha from float32 premultiplied (..., 4) in 0..1."""
    alpha = np.clip(canvas[..., 3:], 0, 1)
    colour = np.clip(canvas[..., :3] / np.maximum(alpha, 1e-4), 0, 1)
    out = (np.concatenate([colour, alpha], -1) * 255 + 0.5).astype(np.uint8)
    out[out[..., 3] == 0] = 0
    return out


def _reduced(layer: Layer, scale: float) -> Layer:
    """The layer at no more than `scale` of its pixels per art pixel, area-averaged."""
    factor = scale / layer.scale
    if factor > 0.85:
        return layer
    height, width = layer.part.shape
    # A whole number of new pixels covers a little more than the layer: pad, then shrink both sides by the same factor.
    wide, tall = int(np.ceil(width * factor)), int(np.ceil(height * factor))
    right, down = max(0, round(wide / factor) - width), max(0, round(tall / factor) - height)
    fx, fy = wide / (width + right), tall / (height + down)
    rgba = cv2.resize(np.pad(layer.rgba, ((0, down), (0, right), (0, 0))), (wide, tall), interpolation=cv2.INTER_AREA)
    rows = np.minimum(((np.arange(tall) + 0.5) / fy).astype(int), height - 1)
    columns = np.minimum(((np.arange(wide) + 0.5) / fx).astype(int), width - 1)
    at = np.ix_(rows, columns)
    rgba = np.pad(rgba, ((1, 1), (1, 1), (0, 0)))
    part = np.pad(layer.part[at], 1, mode="edge")
    confidence = np.pad(layer.confidence[at], 1, mode="edge")
    scale = layer.scale * factor
    origin = (layer.origin[0] - 1 / scale, layer.origin[1] - 1 / scale)
    return replace(layer, rgba=rgba, part=part, confidence=confidence, origin=origin, scale=scale)


def chain_points(layer: Layer, rest: np.ndarray, posed: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The layer's chain as drawn and as posed, each (n, 2), from all joints `rest` and `posed` (21, 2).

    A limb's chain starts with a point inside the trunk, opposite to the limb, that follows half of the limb's turn:
    the root bends like a shoulder blade does, so a shoulder plate neither tears off nor turns over.
    """
    chain = list(layer.chain)
    drawn, shown = rest[chain], posed[chain]
    plate = layer.name.endswith("plate")
    if layer.name not in LIMBS and not plate:
        return drawn, shown
    spine = [INDEX["pelvis"], INDEX["neck"]]
    trunk = _turn(rest[spine], posed[spine])
    limb = (_turn(drawn[:2], shown[:2]) - trunk + np.pi) % (2 * np.pi) - np.pi
    angle = trunk + FOLLOW * limb
    cos, sin = np.cos(angle), np.sin(angle)
    if plate:
        bone = drawn[1] - drawn[0]
        return drawn, np.stack([shown[0], shown[0] + (bone[0] * cos - bone[1] * sin, bone[0] * sin + bone[1] * cos)])
    back = drawn[0] - drawn[1]
    turned = np.array([back[0] * cos - back[1] * sin, back[0] * sin + back[1] * cos])
    return np.vstack([drawn[0] + back, drawn]), np.vstack([shown[0] + turned, shown])


def _turn(rest: np.ndarray, posed: np.ndarray) -> float:
    """Angle from the drawn to the posed bone, each (2, 2)."""
    one, two = rest[1] - rest[0], posed[1] - posed[0]
    return float(np.arctan2(two[1], two[0]) - np.arctan2(one[1], one[0]))


def span(layer: Layer, rest: np.ndarray, posed: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Lower and upper corner, in art pixels, of a box that holds the whole posed layer."""
    stretch = 1.0
    for a, b in zip(range(len(rest) - 1), range(1, len(rest)), strict=True):
        drawn = max(float(np.hypot(*(rest[b] - rest[a]))), 1e-6)
        stretch = max(stretch, min(2.0, float(np.hypot(*(posed[b] - posed[a]))) / drawn))
    return posed.min(0) - layer.reach * stretch, posed.max(0) + layer.reach * stretch


def _lay(
    layer: Layer,
    rest: np.ndarray,
    posed: np.ndarray,
    corner: np.ndarray,
    per_pixel: float,
    canvas: np.ndarray,
    parts: np.ndarray,
    trust: np.ndarray,
) -> None:
    """Composites one layer over the canvas."""
    drawn, shown = chain_points(layer, rest, posed)
    low, high = span(layer, drawn, shown)
    size = canvas.shape[0]
    left, top = (int(np.clip(value, 0, size)) for value in np.floor((low - corner) / per_pixel))
    right, bottom = (int(np.clip(value, 0, size)) for value in np.ceil((high - corner) / per_pixel))
    if left >= right or top >= bottom:
        return
    x = (np.arange(left, right, dtype=np.float32) + 0.5) * np.float32(per_pixel) + np.float32(corner[0])
    y = (np.arange(top, bottom, dtype=np.float32) + 0.5) * np.float32(per_pixel) + np.float32(corner[1])
    grid_x, grid_y = np.meshgrid(x, y)
    source_x, source_y, sure = bend(drawn, shown, layer.width, layer.reach, grid_x, grid_y)
    map_x = ((source_x - layer.origin[0]) * layer.scale - 0.5).astype(np.float32)
    map_y = ((source_y - layer.origin[1]) * layer.scale - 0.5).astype(np.float32)
    pixels = cv2.remap(layer.rgba, map_x, map_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT, borderValue=0)
    box = (slice(top, bottom), slice(left, right))
    alpha = pixels[..., 3:]
    canvas[box] = pixels + canvas[box] * (1 - alpha)
    part = cv2.remap(layer.part, map_x, map_y, cv2.INTER_NEAREST, borderMode=cv2.BORDER_REPLICATE)
    own = cv2.remap(layer.confidence, map_x, map_y, cv2.INTER_NEAREST, borderMode=cv2.BORDER_REPLICATE)
    front = (alpha[..., 0] >= 0.5) | ((alpha[..., 0] > 0) & (parts[box] < 0))
    parts[box][front] = part[front]
    trust[box][front] = (own * sure)[front].astype(np.uint8)
