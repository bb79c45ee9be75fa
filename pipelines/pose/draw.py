"""Skeletons as pictures, for previews and for looking at motions: near side warm, far side cold."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from PIL import Image, ImageDraw

from ..figure import ANCHOR, BODY_SHARE
from .skeleton import INDEX, JOINTS, N_JOINTS, PARENT, Facing, PoseTrack

Colour = tuple[int, int, int]

COLOURS: dict[str, Colour] = {
    "right": (255, 122, 69),
    "left": (64, 132, 255),
    "middle": (236, 236, 240),
    "weapon": (255, 205, 86),
    "offhand": (126, 200, 255),
}
"""One colour for each side of the body and each held thing, readable on dark and light ground."""

_SUPERSAMPLE = 4


def side_of(joint: str) -> str:
    """Which entry of `COLOURS` the bone that ends in this joint takes."""
    if joint == "weapon_tip":
        return "weapon"
    if joint == "offhand_tip":
        return "offhand"
    return {"l_": "left", "r_": "right"}.get(joint[:2], "middle")


def view_of(joints: np.ndarray, facing: Facing = "right", scale: float = BODY_SHARE) -> PoseTrack:
    """Body axes (T, 21, 3) seen flat from one side, standing on the anchor: a track in cells.

    `scale`: cells per body height. All joints are present; turn the confidence of a missing weapon down yourself.
    """
    x, y, z = np.moveaxis(joints, -1, 0)
    across, towards = {"right": (z, -x), "left": (-z, x), "front": (x, z), "back": (-x, -z)}[facing]
    seen = np.stack([ANCHOR[0] + scale * across, ANCHOR[1] - scale * y, scale * towards], -1).astype(np.float32)
    return PoseTrack(seen, np.ones(seen.shape[:2], np.float32))


def draw_skeleton(
    track: PoseTrack | np.ndarray,
    size: int | tuple[int, int],
    colours: Mapping[str, Colour] = COLOURS,
    thickness: float = 0.022,
) -> np.ndarray:
    """uint8 (T, H, W, 4) straight alpha: bones and joint dots, anti-aliased, far bones darker and drawn first.

    `track`: a track in cells, or joints (T, 21, 3) or (21, 3) as x, y in cells and confidence (0 hides a joint).
    `size`: pixels, one number for a square or (width, height). `thickness`: of a bone, in cells.
    """
    if isinstance(track, PoseTrack):
        places, present = track.joints, track.confidence > 0
    else:
        given = np.asarray(track, np.float32).reshape(-1, N_JOINTS, 3)
        places = np.concatenate([given[..., :2], np.zeros_like(given[..., :1])], -1)
        present = given[..., 2] > 0
    width, height = (size, size) if isinstance(size, int) else size
    return np.stack(
        [_frame(*frame, (width, height), colours, thickness) for frame in zip(places, present, strict=True)]
    )


def _frame(
    joints: np.ndarray, present: np.ndarray, size: tuple[int, int], colours: Mapping[str, Colour], thickness: float
) -> np.ndarray:
    width, height = size[0] * _SUPERSAMPLE, size[1] * _SUPERSAMPLE
    canvas = Image.new("RGBA", (width, height), (0, 0, 0, 0))
    pen = ImageDraw.Draw(canvas)
    points = joints[:, :2] * (width, height)
    radius = max(thickness * height / 2, _SUPERSAMPLE * 0.75)
    bones = [
        (float(joints[j, 2] + joints[PARENT[j], 2]) / 2, j)
        for j in range(N_JOINTS)
        if PARENT[j] >= 0 and present[j] and present[PARENT[j]]
    ]
    depths = [depth for depth, _ in bones] or [0.0]
    spread = max(max(depths) - min(depths), 1e-6)
    for depth, joint in sorted(bones):
        shade = 0.72 + 0.28 * (depth - min(depths)) / spread
        red, green, blue = (int(c * shade) for c in colours[side_of(JOINTS[joint])])
        ends = [tuple(map(float, points[PARENT[joint]])), tuple(map(float, points[joint]))]
        slim = radius * (0.6 if JOINTS[joint].endswith("_tip") else 1.0)
        pen.line(ends, fill=(red, green, blue, 255), width=max(int(2 * slim), 1))
        for x, y in ends:
            pen.ellipse([x - slim, y - slim, x + slim, y + slim], fill=(red, green, blue, 255))
    _skull(pen, points, present, colours["middle"], radius)
    # Averaging premultiplied colour keeps dark fringes out of the soft edges.
    small = canvas.convert("RGBa").resize(size, Image.Resampling.BOX).convert("RGBA")
    frame = np.array(small)
    frame[frame[..., 3] == 0] = 0
    return frame


def _skull(pen: ImageDraw.ImageDraw, points: np.ndarray, present: np.ndarray, colour: Colour, radius: float) -> None:
    head, crown = INDEX["head"], INDEX["crown"]
    if present[head] and present[crown]:
        size = float(np.linalg.norm(points[crown] - points[head]))
        x, y = map(float, points[head])
        pen.ellipse([x - size, y - size, x + size, y + size], outline=(*colour, 255), width=max(int(radius), 1))
