"""A character, keys, and frames as they are drawn."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import gradio as gr
from gradio.components import Component

from ...live.server import LiveServer
from ...studio import Studio
from ..handling import friendly
from ..session import Session, desk_of
from ..views import live as view
from ..views import picture, text
from ..widgets.live_canvas import LiveCanvas
from ..words import WORDS


@dataclass(frozen=True)
class LiveTab:
    """What the frame may touch."""

    opened: Callable[..., list[Any]]
    outputs: Sequence[Component]


def build(studio: Studio, session: gr.State, live: LiveServer) -> LiveTab:
    teach = gr.HTML(
        text.empty(WORDS["live_title"], WORDS["choose_character"], picture.onion("run", 8)),
        padding=False,
        elem_classes="sp-fill",
    )
    canvas = LiveCanvas(elem_id="sp-live", visible=False)

    @friendly
    def opened(now: Session, request: gr.Request) -> list[Any]:
        given = view.value(live, desk_of(studio, request), now.character) if now.character else None
        return [gr.update(visible=given is None), gr.update(value=given, visible=given is not None)]

    canvas.ticket(opened, session, [teach, canvas], api_visibility="private", show_progress="hidden")
    return LiveTab(opened, [teach, canvas])
