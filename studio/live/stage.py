"""A character of the library made ready to play, and whoever can draw it."""

from __future__ import annotations

import importlib
import time
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import numpy as np

from pipelines.clip import Clip
from pipelines.errors import RequestError

from ..library import clips as clip_files
from ..library.disk import new_id
from ..studio import Desk

if TYPE_CHECKING:
    from pipelines.interactive.session import Cast
    from pipelines.interactive.source import FrameSource

MODES = ("puppet", "model", "sheet", "teacher")
STUDENT = "pipelines.interactive.student"
CELL = 128
"""Side of the live cell in pixels; pixel art keeps its own."""

CAST_GB = 0.05
"""Memory of a cast."""

FPS = 12
"""Frames a second of a recording: what a sheet is played at."""


def student() -> Any:
    """The module of the distilled student where it and its weights are there, else None."""
    try:
        module = importlib.import_module(STUDENT)
    except ModuleNotFoundError as error:
        if error.name != STUDENT:
            raise
        return None
    return module if module.installed() else None


def modes(desk: Desk, character: str) -> list[str]:
    """What this character can be played with. The first is what play begins with: the smoothest on two cores."""
    clips = clip_files.listed(desk.library.within(character, "clips"))
    there = {"model": student() is not None, "puppet": True, "sheet": bool(clips), "teacher": True}
    return [mode for mode in MODES if there[mode]]


def ready(desk: Desk, character: str) -> Cast:
    """Measures how far the character reaches, cuts it into layers, fits its motions: seconds, the first time.

    Kept among the models as long as the character stays as it is, so that a page which comes back plays at once.
    """
    from pipelines.interactive.session import cast

    from ..character_art import fitted

    who = fitted(desk, character)
    art = (desk.library.folder(who.id) / "art.png").stat()
    key = f"cast {desk.owner} {who.id} {who.joints} {who.facing} {who.placement} {who.cell} {art.st_mtime_ns}"
    size = who.cell if who.pixel_art else CELL
    with desk.models.lease(key, CAST_GB, lambda: cast(desk.library.figure(who.id), who.placement, size)) as made:
        return made  # type: ignore[no-any-return]


def source(desk: Desk, character: str, cast: Cast, mode: str) -> FrameSource:
    """The drawer of a mode. Raises `RequestError` for one that this character cannot be played with."""
    from pipelines.interactive.puppet import PuppetSource
    from pipelines.interactive.sheet import SheetSource

    if mode not in modes(desk, character):
        raise RequestError(
            "There is nothing to play yet: animate an action first, for example idle and walk."
            if mode == "sheet"
            else f"{mode!r} cannot be played here; choose one of {', '.join(modes(desk, character))}."
        )
    if mode == "sheet":
        return SheetSource(_sheet(desk, character))
    if mode == "puppet":
        return PuppetSource(cast.puppet, cast.size)
    who = desk.library.character(character)
    look = desk.library.adapter(character, who.adapter) if who.adapter else None
    if mode == "model":
        opened: FrameSource = student().open_student(cast.figure, cast.puppet, cast.size, look)
        return opened
    from pipelines.interactive.teacher import TeacherSource

    return TeacherSource(cast.figure, cast.puppet, cast.size, look)


def _sheet(desk: Desk, character: str) -> dict[str, Clip]:
    """The newest clip of every action, all of one size; recordings of play are no actions."""
    newest: dict[str, Clip] = {}
    size = 0
    for record in clip_files.listed(desk.library.within(character, "clips")):
        size = size or record.size
        if record.action not in newest and record.size == size and record.origin.get("backend") != "live":
            newest[record.action] = record.edited()
    return newest


def keep(desk: Desk, character: str, frames: list[np.ndarray], mode: str) -> str:
    """A recording as a clip of the library; its id."""
    from ..sprites.quality import report

    if not frames:
        raise RequestError("Nothing was recorded: press record, play, and press it again.")
    clip = Clip(np.stack(frames), FPS, "play", origin={"backend": "live", "mode": mode})
    quality = {"seconds": 0.0, "findings": [asdict(finding) for finding in report(clip.frames, clip.loop)]}
    return clip_files.add(desk.library.within(character, "clips"), new_id(), clip, quality, time.time()).id
