"""The frames of one clip to edit by hand: delete, duplicate, reorder, hold, nudge, mirror, retime, undo and redo."""

from __future__ import annotations

from typing import Any

from .widget import Widget


class FilmStrip(Widget):
    """Value: `{id, title, clip, marks, edits, position, loop}` or None; `marks` are `{frame, kind, text}`, `edits` is
    the JSON of `studio.sprites.edits`. Event `edited`: `edits` and `position` of the value are new."""

    stem = "film_strip"


def read_edits(value: Any) -> tuple[str, Any, Any]:
    """Clip id, edits and position out of what a browser sent; `flow.edit_clip` judges them."""
    given = value if isinstance(value, dict) else {}
    return str(given.get("id", "")), given.get("edits"), given.get("position")
