"""Plays one clip: transport, speed, zoom, onion skin, background; keys space, arrows, O, B."""

from __future__ import annotations

from .widget import Widget


class SpritePlayer(Widget):
    """Value: `{"clip": {url, count, columns, durations, loop, pixel}, "title", "note"}` or None for nothing."""

    stem = "sprite_player"
