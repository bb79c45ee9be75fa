"""From an uploaded picture to cut-out art with joints: the first arrow of the product."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from pipelines.errors import NoFigureError
from pipelines.pose.skeleton import Facing

from .library.joints import Joints, template, to_names
from .studio import Desk

if TYPE_CHECKING:
    from pipelines.matting import Cutout
    from pipelines.pose.detect import Detection

PIXEL_ART_SIDE = 160
"""Art whose longer side is at most this is taken for pixel art until the artist says otherwise."""


@dataclass(frozen=True)
class Drawn:
    """All that a picture tells about a character."""

    art: np.ndarray
    """uint8 (H, W, 4) straight alpha."""
    joints: Joints
    facing: Facing
    method: str
    note: str
    pixel_art: bool

    def fields(self) -> dict[str, Any]:
        """As fields of a `Character`."""
        return {name: getattr(self, name) for name in ("joints", "facing", "method", "note", "pixel_art")}


def draw_from(desk: Desk, picture: Path, method: str = "auto") -> Drawn:
    """Reads, cuts out and finds the joints; without a figure: a template and a note (field report 34)."""
    from .intake import read_picture

    read = read_picture(picture)
    cutout = cut(read.rgba, method)
    notes = [read.note, cutout.note]
    joints: Joints
    facing: Facing
    try:
        found = detect(desk, cutout.art)
        joints, facing = to_names(found.joints), found.facing
    except NoFigureError as error:
        notes.append(f"{error} A standing skeleton was put in its place: drag its joints where they belong.")
        joints, facing = template(cutout.art[..., 3]), "right"
    return Drawn(
        art=cutout.art,
        joints=joints,
        facing=facing,
        method=cutout.method,
        note=" ".join(note for note in notes if note),
        pixel_art=looks_like_pixel_art(cutout.art),
    )


def cut(
    rgba: np.ndarray, method: str = "auto", key_colour: tuple[int, int, int] | None = None, strokes: Any = None
) -> Cutout:
    """Takes the background away from uint8 (H, W, 4)."""
    from pipelines.matting import cut_out

    settings = {"key_colour": key_colour, "strokes": strokes}
    return cut_out(rgba, method=method, **{name: value for name, value in settings.items() if value is not None})


def detect(desk: Desk, art: np.ndarray) -> Detection:
    """Joints of a drawn figure. Raises `NoFigureError`."""
    from pipelines.pose.detect import JointDetector

    with desk.models.lease("detector", 0.1, lambda: JointDetector.load("cpu")) as detector:
        return detector.detect(art)


def looks_like_pixel_art(art: np.ndarray) -> bool:
    """Small, and without the soft edges of a scaled-down painting."""
    alpha = art[..., 3]
    solid = int(np.count_nonzero(alpha))
    soft = int(np.count_nonzero((alpha > 8) & (alpha < 247)))
    return max(art.shape[:2]) <= PIXEL_ART_SIDE and soft * 50 <= max(solid, 1)
