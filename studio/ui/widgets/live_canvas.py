"""Where a character is played: canvas, keys, scene, numbers. Frames come by a socket of their own."""

from __future__ import annotations

from typing import Any

from .widget import Widget, source


class LiveCanvas(Widget):
    """Value: `{ticket, character, name, words}`, or None without a character. Event `ticket`: asks for a new one."""

    stem = "live_canvas"

    def __init__(self, value: Any = None, **props: Any) -> None:
        super().__init__(value, **props)
        parts = ("live_scene.js", "live_input.js", "live_link.js", "live_canvas.js")
        self.js_on_load = "\n".join(source(name) for name in parts)
