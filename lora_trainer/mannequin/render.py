"""Mannequin, pose, view and manner to frames with their ground truth."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pipelines.figure import ANCHOR
from pipelines.pose.motion import ACTIONS
from pipelines.pose.skeleton import Facing, PoseTrack

from . import raster
from .bones import frames_of
from .camera import View, sample_view
from .character import Mannequin, sample_character
from .shading import Shading, sample_shading, shade
from .solid import KINDS, turn_matrix
from .stance import act, stance


@dataclass(frozen=True)
class Rendered:
    """Frames and what is true of them."""

    frames: np.ndarray
    """uint8 (T, S, S, 4) straight alpha, RGB 0 where alpha is 0."""
    track: PoseTrack
    """Joints in cells; confidence 0 for joints that the character does not have."""
    parts: np.ndarray
    """int16 (T, S, S): number in `pipelines.rig.PARTS`, -1 where empty."""
    facing: Facing
    weapon: str | None


@dataclass(frozen=True)
class _Placed:
    """Solids of all frames in pixel space: x right, y down, z towards the viewer."""

    kind: np.ndarray
    a: np.ndarray
    b: np.ndarray
    radii: np.ndarray
    inverse: np.ndarray
    box: np.ndarray
    taper: np.ndarray
    local: np.ndarray
    """(T, P, 3, 3): pixel space back to the bone's own frame, in body heights."""


def _place(mannequin: Mannequin, joints: np.ndarray, view: View, pixels: int) -> _Placed:
    solids = mannequin.solids
    origins, axes = frames_of(joints)
    first = np.array([s.bones[0] for s in solids])
    second = np.array([s.bones[1] for s in solids])
    kind = np.array([KINDS.index(s.kind) for s in solids])
    scale = view.scale * pixels
    to_pixels = scale * np.diag([1.0, -1.0, 1.0]) @ view.rotation
    offset = np.array([ANCHOR[0] * pixels, ANCHOR[1] * pixels, 0.0])

    def point(bone: np.ndarray, local: list[tuple[float, float, float]]) -> np.ndarray:
        body = origins[:, bone] + np.einsum("tpij,pj->tpi", axes[:, bone], np.array(local))
        return body @ to_pixels.T + offset

    a = point(first, [s.centre for s in solids])
    b = point(second, [s.other_end for s in solids])
    radii = np.array([s.radii for s in solids]) * scale
    frame = to_pixels @ axes[:, first]
    half = np.maximum(np.array([s.half for s in solids]), 1e-4)
    shape = frame @ np.stack([turn_matrix(s.turn) for s in solids]) * half[:, None, :]
    capsule = (kind == KINDS.index("capsule"))[:, None]
    round_reach = np.sqrt((shape**2).sum(-1))[..., :2]
    square_reach = np.abs(shape).sum(-1)[..., :2]
    reach = np.where((kind == KINDS.index("ellipsoid"))[:, None], round_reach, square_reach)
    low = np.where(capsule, np.minimum(a[..., :2] - radii[:, :1], b[..., :2] - radii[:, 1:]), a[..., :2] - reach)
    high = np.where(capsule, np.maximum(a[..., :2] + radii[:, :1], b[..., :2] + radii[:, 1:]), a[..., :2] + reach)
    box = np.concatenate([np.floor(low), np.ceil(high) + 1], -1).clip(-1, pixels + 1).astype(np.int64)
    return _Placed(
        kind, a, b, radii, np.linalg.inv(shape), box, np.array([s.taper for s in solids]), np.linalg.inv(frame)
    )


def render(
    mannequin: Mannequin, joints: np.ndarray, view: View = View(), style: Shading = Shading(), size: int = 128
) -> Rendered:
    """Draws joints (T, 21, 3) in body axes, as `Motion.joints` gives them for `mannequin.body`."""
    samples = 2 if style.antialias else 1
    placed = _place(mannequin, joints, view, size * samples)
    drawn = [_frame(mannequin, placed, t, style, size, samples, view.scale) for t in range(len(joints))]
    seen = view.to_cell(joints).astype(np.float32)
    confidence = np.tile(mannequin.confidence, (len(joints), 1))
    frames, parts = (np.stack(stack) for stack in zip(*drawn, strict=True))
    return Rendered(frames, PoseTrack(seen, confidence), parts, view.facing, mannequin.weapon)


def _frame(
    mannequin: Mannequin, placed: _Placed, t: int, style: Shading, size: int, samples: int, scale: float
) -> tuple[np.ndarray, np.ndarray]:
    pixels = size * samples
    depth, owner, normal = raster.rasterise(
        placed.kind, placed.a[t], placed.b[t], placed.radii, placed.inverse[t], placed.box[t], placed.taper, pixels
    )
    row, column = np.nonzero(owner >= 0)
    who = owner[row, column]
    point = np.stack([column + 0.5, row + 0.5, depth[row, column]], -1) - placed.a[t, who]
    place = np.einsum("nij,nj->ni", placed.local[t].astype(np.float32)[who], point.astype(np.float32))
    material = np.array([s.material for s in mannequin.solids])
    rgb = np.zeros((pixels, pixels, 3), np.float32)
    upright = normal[row, column] * np.array([1, -1, 1], np.float32)
    rgb[row, column] = shade(upright, material[who], place, mannequin.materials, style)
    if style.outline:
        width = max(1, round(style.outline * samples / 2 * size / 96))
        own = np.array([m.colour for m in mannequin.materials], np.float32)[material] * 0.35
        paint = own if style.line is None else np.tile(np.array(style.line, np.float32), (len(material), 1))
        owner = raster.outline(depth, owner, rgb, paint, width, style.inner * scale * pixels)
    return raster.resolve(rgb, owner, samples, np.array([s.part_id for s in mannequin.solids], np.int16))


def clip(rng: np.random.Generator, action: str, frames: int, size: int, facing: Facing | None = None) -> Rendered:
    """A random character in a random manner acting an action of the library, as a training sample."""
    mannequin = sample_character(rng)
    view, style = sample_view(rng, facing), sample_shading(rng)
    rendered = render(mannequin, act(rng, action, frames, mannequin.body), view, style, size)
    motion = ACTIONS[action]
    track = PoseTrack(rendered.track.joints, rendered.track.confidence, motion.fps, motion.loop)
    return Rendered(rendered.frames, track, rendered.parts, rendered.facing, rendered.weapon)


def still(rng: np.random.Generator, size: int, facing: Facing | None = None) -> Rendered:
    """A random character standing as concept art stands: one frame."""
    mannequin = sample_character(rng)
    view, style = sample_view(rng, facing), sample_shading(rng)
    return render(mannequin, stance(rng, mannequin.body), view, style, size)
