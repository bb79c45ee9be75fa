"""Finished clips as players side by side, with their marks; pick for the sheet, or make again."""

from __future__ import annotations

from .widget import Widget


class PlayerGrid(Widget):
    """Value: `{items: [{id, title, note, clip, marks}], picked: [id], words}`. Event `picked`:
    `value["picked"]` is new; event `act` carries `{act: "redo" | "open", id}`."""

    stem = "player_grid"
