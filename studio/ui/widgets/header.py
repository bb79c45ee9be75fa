"""The line above all tabs: character switcher, look, queue light, help."""

from __future__ import annotations

from .widget import Widget


class Header(Widget):
    """Value: `{characters, current, looks, look, job, words, help}`; event `act` carries
    `{act: "character" | "look", id}`, an empty id meaning a new character or no look."""

    stem = "header"
