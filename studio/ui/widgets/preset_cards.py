"""Training presets as large cards, one of which is picked."""

from __future__ import annotations

from .widget import Widget


class PresetCards(Widget):
    """Value: `{cards: [{name, title, line, time, memory}], picked, words}`; event `picked`."""

    stem = "preset_cards"
