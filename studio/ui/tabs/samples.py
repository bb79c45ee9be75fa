"""More stills and clips of the character, kept or left out by the artist."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import gradio as gr
from gradio.components import Component

from ... import flow
from ...studio import Desk, Studio
from ..handling import friendly
from ..session import Session, desk_of
from ..views import picture, text
from ..views import samples as view
from ..widgets.sample_cards import SampleCards
from ..words import WORDS


@dataclass(frozen=True)
class SamplesTab:
    """What the other tabs and the frame may touch."""

    opened: Callable[..., list[Any]]
    outputs: Sequence[Component]
    still_share: gr.Slider
    to_train: gr.Button


def build(studio: Studio, session: gr.State) -> SamplesTab:
    with gr.Row(elem_classes="sp-desk"):
        with gr.Column(elem_classes="sp-left"):
            upload = gr.File(
                label=WORDS["samples_drop"],
                file_count="multiple",
                elem_id="sp-sample-drop",
                elem_classes="sp-drop",
                height=150,
            )
            gr.HTML(text.tip(WORDS["samples_info"]), padding=False)
            facts = gr.HTML(padding=False)
            still_share = gr.Slider(
                0,
                1,
                0.5,
                step=0.05,
                label=WORDS["still_share"],
                info=WORDS["still_share_info"],
                elem_id="sp-still-share",
            )
            to_train = gr.Button(
                WORDS["next_train"], variant="primary", elem_classes=["sp-foot", "sp-next"], elem_id="sp-to-train"
            )
        with gr.Column(elem_classes="sp-stage"):
            teach = gr.HTML(
                text.empty(WORDS["samples_title"], WORDS["samples_text"], picture.onion("cast", 5)),
                padding=False,
                elem_classes="sp-fill",
            )
            cards = SampleCards(elem_id="sp-samples")
    added = gr.JSON(visible=False)
    outputs = [teach, cards, facts]

    def show(desk: Desk, character_id: str) -> list[Any]:
        if not character_id:
            return [gr.update(visible=True), None, ""]
        listed = flow.samples(desk, character_id)
        return [gr.update(visible=not listed), view.value(desk, character_id), view.facts(listed)]

    @friendly
    def opened(now: Session, request: gr.Request) -> list[Any]:
        return show(desk_of(studio, request), now.character)

    @friendly
    def add_samples(upload: list[str], now: Session, request: gr.Request) -> list[Any]:
        """Adds stills and animations of the open character."""
        desk = desk_of(studio, request)
        new = flow.add_samples(desk, now.character, [Path(file) for file in upload or []])
        told = [{"id": one.id, "kind": one.kind, "verdict": one.verdict, "note": one.note} for one in new]
        return [None, *show(desk, now.character), told]

    @friendly
    def edit(now: Session, event: gr.EventData, request: gr.Request) -> list[Any]:
        desk, asked = desk_of(studio, request), event._data
        changes = {key: asked[key] for key in ("keep", "action", "caption") if key in asked}
        flow.set_sample(desk, now.character, str(asked["id"]), **changes)
        return show(desk, now.character)

    upload.upload(
        add_samples, [upload, session], [upload, *outputs, added], api_name="add_samples", show_progress_on=upload
    )
    cards.act(edit, session, outputs, api_visibility="private", show_progress="hidden", trigger_mode="multiple")
    return SamplesTab(opened, outputs, still_share, to_train)
