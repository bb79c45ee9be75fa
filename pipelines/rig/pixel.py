"""Pixel art: turned without blur and without new colours, on the grid of the art itself.

RotSprite (Xenowhirl 2007): enlarge eight times by Scale2x (EPX), turn by nearest neighbour, reduce by the most
frequent colour.

Grid rule: one art pixel becomes a whole number of drawn pixels, `round(size x scale)` but at least one; the figure
grows or shrinks a little around its ground point for that. Where this would change its size by more than a fifth (a
cell too small for the art), every drawn pixel is its own grid pixel and takes the most frequent colour of what it
covers.
"""

from __future__ import annotations

import numpy as np

from ..figure import ANCHOR
from ..pose.skeleton import PoseTrack
from .deform import bend
from .draw import RigFrames, chain_points, posed_joints, span
from .layers import Layer
from .order import stack
from .puppet import Puppet
from .seeds import FAR

ENLARGED = 8


def scale2x(picture: np.ndarray) -> np.ndarray:
    """Twice as large (H, W) by the EPX rule (Johnston 1992; Mazzoleni 2001): a corner takes its two neighbours'
    common colour."""
    around = np.pad(picture, 1, mode="edge")
    up, down, left, right = around[:-2, 1:-1], around[2:, 1:-1], around[1:-1, :-2], around[1:-1, 2:]
    out = np.repeat(np.repeat(picture, 2, 0), 2, 1)
    edge = (up != down) & (left != right)
    for (dy, dx), (one, two) in {
        (0, 0): (up, left),
        (0, 1): (up, right),
        (1, 0): (down, left),
        (1, 1): (down, right),
    }.items():
        corner = out[dy::2, dx::2]
        np.copyto(corner, one, where=edge & (one == two))
    return out


def grid_of(size: int, scale: float) -> tuple[int, float]:
    """Drawn pixels per grid pixel, and grid pixels per art pixel (1 where the art's own grid fits)."""
    whole = max(1, round(size * scale))
    if 0.8 <= whole / (size * scale) <= 1.2:
        return whole, 1.0
    return 1, size * scale


def draw_pixels(puppet: Puppet, track: PoseTrack, size: int) -> RigFrames:
    """As `draw.draw`, alpha 0 or 255, only colours of the art."""
    block, per_art = grid_of(size, puppet.placement.scale)
    anchor, ground = np.asarray(ANCHOR), np.asarray(puppet.placement.ground)
    corner = ground - anchor * size / (block * per_art)
    if per_art == 1.0:
        corner = np.round(corner)
    cells = -(-size // block)
    posed = posed_joints(puppet, track)
    order = stack(track.joints[..., 2], track.confidence.max(0, initial=0) > 0, FAR[puppet.figure.facing])
    sheets = {layer.name: (layer, _enlarged(layer)) for layer in puppet.layers}
    count = len(track)
    colours = np.zeros((count, cells, cells), np.uint32)
    parts = np.full((count, cells, cells), -1, np.int16)
    trust = np.full((count, cells, cells), 255, np.uint8)
    for index in range(count):
        for name in order:
            if name in sheets:
                layer, large = sheets[name]
                _lay(
                    layer,
                    large,
                    puppet.bones.xy,
                    posed[index],
                    corner,
                    1 / per_art,
                    (colours[index], parts[index], trust[index]),
                )
    frames = np.ascontiguousarray(colours).view(np.uint8).reshape(count, cells, cells, 4)
    return RigFrames(*(_blown_up(picture, block, size) for picture in (frames, parts, trust)))


def _blown_up(pictures: np.ndarray, block: int, size: int) -> np.ndarray:
    return np.ascontiguousarray(pictures.repeat(block, 1).repeat(block, 2)[:, :size, :size])


def _enlarged(layer: Layer) -> np.ndarray:
    """uint32 (8h, 8w): colours of the layer as one number each, 0 where empty."""
    solid = layer.rgba[..., 3] >= 0.5
    colour = layer.rgba / np.maximum(layer.rgba[..., 3:], 1e-4)
    packed = np.where(solid[..., None], np.round(colour * 255), 0).astype(np.uint8)
    picture = np.ascontiguousarray(packed).view(np.uint32)[..., 0]
    for _ in range(3):
        picture = scale2x(picture)
    return picture


def _lay(
    layer: Layer,
    large: np.ndarray,
    rest: np.ndarray,
    posed: np.ndarray,
    corner: np.ndarray,
    per_pixel: float,
    canvas: tuple[np.ndarray, np.ndarray, np.ndarray],
) -> None:
    colours, parts, trust = canvas
    drawn, shown = chain_points(layer, rest, posed)
    low, high = span(layer, drawn, shown)
    cells = colours.shape[0]
    left, top = (int(np.clip(value, 0, cells)) for value in np.floor((low - corner) / per_pixel))
    right, bottom = (int(np.clip(value, 0, cells)) for value in np.ceil((high - corner) / per_pixel))
    if left >= right or top >= bottom:
        return
    # The middle of the pixel first: it wins where two colours are equally frequent.
    spots = [(0.0, 0.0), *((dy, dx) for dy in (-1 / 3, 0, 1 / 3) for dx in (-1 / 3, 0, 1 / 3) if (dy, dx) != (0, 0))]
    offsets = np.array(spots)
    y, x = (np.arange(first, last) + 0.5 for first, last in ((top, bottom), (left, right)))
    grid_x = (x[None, None, :] + offsets[:, 1, None, None]) * per_pixel + corner[0]
    grid_y = (y[None, :, None] + offsets[:, 0, None, None]) * per_pixel + corner[1]
    grid_x, grid_y = np.broadcast_arrays(grid_x, grid_y)
    source_x, source_y, sure = bend(drawn, shown, layer.width, layer.reach, grid_x, grid_y)
    column = np.floor((source_x - layer.origin[0]) * ENLARGED).astype(int)
    row = np.floor((source_y - layer.origin[1]) * ENLARGED).astype(int)
    inside = (column >= 0) & (column < large.shape[1]) & (row >= 0) & (row < large.shape[0])
    column, row = np.where(inside, column, 0), np.where(inside, row, 0)
    samples = np.where(inside, large[row, column], 0)
    votes = (samples[:, None] == samples[None]).sum(1)
    winner = votes.argmax(0)[None]
    colour = np.take_along_axis(samples, winner, 0)[0]
    solid = colour > 0
    at = [np.take_along_axis(value, winner, 0)[0] // ENLARGED for value in (row, column)]
    part = layer.part[at[0], at[1]]
    own = layer.confidence[at[0], at[1]]
    here = (slice(top, bottom), slice(left, right))
    colours[here][solid] = colour[solid]
    parts[here][solid] = part[solid]
    trust[here][solid] = (np.maximum(own, 90) * sure[0])[solid].astype(np.uint8)
