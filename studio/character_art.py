"""From an uploaded picture to cut-out art with joints: the first arrow of the product."""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from pipelines.errors import MissingWeightsError, NoFigureError
from pipelines.figure import Figure, place
from pipelines.pose.skeleton import Facing

from .library import Character
from .library.joints import Joints, template, to_array, to_names
from .studio import Desk

if TYPE_CHECKING:
    from pipelines.matting import Cutout
    from pipelines.pose.detect import Detection, JointDetector


SURE_FACING = 0.6
"""Certainty of the detector below which the artist is asked to check where the figure looks."""
PIXEL_CELLS = (32, 48, 64, 96, 128, 192, 256, 384, 512)


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
    cell: int

    def fields(self) -> dict[str, Any]:
        """As fields of a `Character`."""
        return {name: getattr(self, name) for name in ("joints", "facing", "method", "note", "pixel_art", "cell")}


def draw_from(desk: Desk, picture: Path, method: str = "auto") -> Drawn:
    """Reads, cuts out and finds the joints; without a figure: a template and a note (field report 34)."""
    from pipelines.matting import looks_like_pixel_art, pixel_scale

    from .intake import read_picture

    read = read_picture(picture)
    cutout = cut(read.rgba, method)
    notes = [read.note, cutout.note]
    art, pixel_art = cutout.art, looks_like_pixel_art(cutout.art)
    if pixel_art:
        art = _own_pixels(art, pixel_scale(art))
    joints: Joints
    facing: Facing
    try:
        found = detect(desk, art)
        joints, facing = to_names(found.joints), found.facing
        if found.certainty < SURE_FACING:
            notes.append("I am not sure which way it looks; check the switch on the left.")
    except (NoFigureError, MissingWeightsError) as error:
        notes.append(f"{error} A standing skeleton was put in its place: drag its joints where they belong.")
        joints, facing = template(art[..., 3]), "right"
    return Drawn(
        art=art,
        joints=joints,
        facing=facing,
        method=cutout.method,
        note=" ".join(note for note in notes if note),
        pixel_art=pixel_art,
        cell=cell_for(art, joints, pixel_art),
    )


def cut(
    rgba: np.ndarray, method: str = "auto", key_colour: tuple[int, int, int] | None = None, strokes: Any = None
) -> Cutout:
    """Takes the background away from uint8 (H, W, 4)."""
    from pipelines.matting import cut_out

    settings = {"key_colour": key_colour, "strokes": strokes}
    return cut_out(rgba, method=method, **{name: value for name, value in settings.items() if value is not None})


def cut_again(
    original: Path,
    size: tuple[int, int],
    method: str,
    key_colour: tuple[int, int, int] | None,
    strokes: np.ndarray | None,
) -> Cutout:
    """The original cut out again at the stored art's `size`, so that its joints still fit; strokes fit either."""
    from pipelines.matting.strokes import resized

    from .intake import read_picture

    rgba = read_picture(original).rgba
    cutout = cut(rgba, method, key_colour, resized(strokes, rgba.shape[0], rgba.shape[1]))
    return replace(cutout, art=_own_pixels(cutout.art, rgba.shape[1] // size[0]))


def _own_pixels(art: np.ndarray, blown: int) -> np.ndarray:
    """Pixel art that was blown up by a whole number goes back to its own pixels, or every clip's grid would be off."""
    return np.ascontiguousarray(art[blown // 2 :: blown, blown // 2 :: blown])


def detect(desk: Desk, art: np.ndarray) -> Detection:
    """Joints of a drawn figure. Raises `NoFigureError`."""
    with detector(desk) as found:
        return found.detect(art)


def detector(desk: Desk) -> AbstractContextManager[JointDetector]:
    """The joint detector, loaded once a process. It is small: the CPU is quick enough."""
    from pipelines.pose.detect import JointDetector

    return desk.models.lease("detector", 0.1, lambda: JointDetector.load("cpu"))


def fitted(desk: Desk, character_id: str) -> Character:
    """The character with its one scale for all actions, measured where that has not been done for these joints.

    Pixel art keeps the usual scale: its pixels must stay on the grid, and `cell_for` has chosen the cell for that.
    """
    who = desk.library.character(character_id)
    if who.body_share is not None:
        return who
    from pipelines.pose.motion import ACTIONS
    from pipelines.rig.reach import fitting_share

    figure = desk.library.figure(character_id)
    share = figure.body_share if who.pixel_art else fitting_share(figure, list(ACTIONS.values()))
    placement = place(replace(figure, body_share=share))
    return desk.library.change(character_id, lambda now: replace(now, body_share=share, placement=placement))


def cell_for(art: np.ndarray, joints: Joints, pixel_art: bool) -> int:
    """The usual cell; for pixel art the smallest one on whose grid the art's own pixels fit."""
    if not pixel_art:
        return Character.cell
    from pipelines.rig.pixel import grid_of

    scale = place(Figure(art, to_array(joints))).scale
    return next((size for size in PIXEL_CELLS if grid_of(size, scale)[1] == 1.0), Character.cell)
