"""A page part with its own drawing: Python gives it one JSON value, its `.js` draws that value and triggers events."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import gradio as gr

FOLDER = Path(__file__).parent


def source(name: str) -> str:
    """Text of a file beside this module; "" where a widget does without it."""
    path = FOLDER / name
    return path.read_text(encoding="utf-8") if path.is_file() else ""


class Widget(gr.HTML):
    """`gr.HTML` whose template, style and script lie beside it under `stem`.

    The template never contains `${value}`: Gradio re-renders a template that does, which would destroy what the
    script drew. Scripts build DOM from text nodes alone (`Sprightly.h`), so user text cannot become markup.
    """

    stem = ""

    def __init__(self, value: Any = None, *, elem_id: str | None = None, visible: bool = True, **props: Any) -> None:
        super().__init__(
            value,
            html_template=source(f"{self.stem}.html") or '<div class="sp-root"></div>',
            css_template=source(f"{self.stem}.css"),
            js_on_load=source(f"{self.stem}.js"),
            apply_default_css=False,
            elem_id=elem_id,
            elem_classes=["sp-widget", f"sp-{self.stem.replace('_', '-')}"],
            visible=visible,
            **props,
        )

    def api_info(self) -> dict[str, Any]:
        return {"type": "object"}

    def example_payload(self) -> Any:
        return None

    def example_value(self) -> Any:
        return None
