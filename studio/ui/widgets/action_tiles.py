"""The action catalogue as tiles, each with a small figure that plays the motion; several can be picked."""

from __future__ import annotations

from .widget import Widget


class ActionTiles(Widget):
    """Value: `{actions: [{name, title, frames, fps, armed}], picked: [name], words}`; `frames` is (T, 21, 2) in 0..1.
    Event `picked`: the picked names, in the order of picking, are in `value["picked"]`."""

    stem = "action_tiles"


def read_picked(value: object) -> list[str]:
    """Picked names out of what a browser sent; anything malformed counts as nothing picked."""
    picked = value.get("picked") if isinstance(value, dict) else None
    return [name for name in picked if isinstance(name, str)] if isinstance(picked, list) else []
