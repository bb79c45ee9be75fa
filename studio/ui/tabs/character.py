"""Concept art in, a character with joints out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import gradio as gr
from gradio.components import Component

from pipelines.errors import LibraryError

from ... import flow
from ...studio import Studio
from ..handling import friendly
from ..session import Session, desk_of
from ..views import character as view
from ..views import picture, text
from ..widgets.cutout_compare import CutoutCompare
from ..widgets.joint_editor import JointEditor, read_joints
from ..words import WORDS, say

CELLS = (32, 48, 64, 96, 128, 192, 256, 384, 512)
_ARROWS = {"right": "→ right", "left": "← left", "front": "front", "back": "back"}


@dataclass(frozen=True)
class CharacterTab:
    """What the other tabs and the frame may touch."""

    opened: Callable[..., list[Any]]
    """`(session, request)`: everything on the tab for the character that is open now."""
    outputs: Sequence[Component]
    to_samples: gr.Button
    to_animate: gr.Button


def build(studio: Studio, session: gr.State) -> CharacterTab:
    with gr.Row(elem_classes="sp-desk"):
        with gr.Column(elem_classes=["sp-stage", "sp-hero"], visible=False, elem_id="sp-empty") as empty:
            drop = gr.File(
                label=WORDS["drop_label"],
                show_label=False,
                file_types=["image"],
                elem_id="sp-drop",
                elem_classes="sp-drop",
            )
            gr.HTML(
                text.empty(WORDS["drop_title"], WORDS["drop_text"], picture.onion("run")),
                elem_id="sp-drop-words",
                padding=False,
            )
            with gr.Row(elem_classes="sp-hero-acts"):
                knight = gr.Button(WORDS["try_knight"], elem_id="sp-knight")
                back = gr.Button(WORDS["undo_delete"], visible=False, elem_id="sp-undo-delete")
        with gr.Column(elem_classes="sp-left", visible=False) as left:
            name = gr.Textbox(label=WORDS["name"], max_length=80, elem_id="sp-name")
            facing = gr.Radio(
                [(title, key) for key, title in _ARROWS.items()],
                label=WORDS["facing"],
                elem_classes="sp-segments",
                elem_id="sp-facing",
            )
            about = gr.Textbox(
                label=WORDS["about"],
                placeholder=WORDS["about_hint"],
                lines=2,
                max_lines=4,
                max_length=500,
                elem_id="sp-about",
            )
            weapon = gr.Textbox(
                label=WORDS["weapon"], placeholder=WORDS["weapon_hint"], max_length=40, elem_id="sp-weapon"
            )
            with gr.Row():
                cell = gr.Dropdown(
                    list(CELLS), label=WORDS["cell"], allow_custom_value=True, elem_id="sp-cell", min_width=90
                )
                pixel = gr.Checkbox(
                    label=WORDS["pixel_art"], elem_id="sp-pixel", min_width=110, elem_classes="sp-check-beside"
                )
            method = gr.Dropdown(view.methods(), label=WORDS["method"], elem_id="sp-method")
            note = gr.HTML(padding=False)
        with gr.Column(elem_classes="sp-stage", visible=False) as stage:
            shown = gr.Radio(
                [WORDS["show_joints"], WORDS["show_cutout"]],
                value=WORDS["show_joints"],
                show_label=False,
                label=WORDS["view"],
                container=False,
                elem_classes=["sp-segments", "sp-view"],
                elem_id="sp-view",
            )
            with gr.Column(elem_classes="sp-fill", elem_id="sp-joint-pane") as joint_pane:
                editor = JointEditor(elem_id="sp-joints")
            with gr.Column(elem_classes="sp-fill", visible=False, elem_id="sp-cutout-pane") as cutout_pane:
                compare = CutoutCompare(elem_id="sp-cutout")
        with gr.Column(elem_classes="sp-right", visible=False) as right:
            facts = gr.HTML(padding=False)
            gr.HTML(text.tip(WORDS["joint_tip"]), padding=False)
            redetect = gr.Button(WORDS["redetect"], size="sm", elem_id="sp-redetect")
            remove = gr.Button(WORDS["delete"], size="sm", elem_id="sp-delete")
            to_samples = gr.Button(WORDS["next_samples"], elem_classes=["sp-foot", "sp-next"], elem_id="sp-to-samples")
            to_animate = gr.Button(
                WORDS["next_animate"], variant="primary", elem_classes="sp-next", elem_id="sp-to-animate"
            )
    created = gr.JSON(visible=False)
    ticket = gr.State("")

    outputs = [
        empty,
        left,
        stage,
        right,
        name,
        facing,
        about,
        weapon,
        cell,
        pixel,
        method,
        note,
        editor,
        compare,
        facts,
    ]
    drawn = [note, editor, compare, facts]

    @friendly
    def opened(now: Session, request: gr.Request) -> list[Any]:
        desk = desk_of(studio, request)
        panes = [gr.update(visible=not now.character), *[gr.update(visible=bool(now.character))] * 3]
        if not now.character:
            return [*panes, *[gr.skip()] * (len(outputs) - 4)]
        who = flow.character(desk, now.character)
        fields = [who.name, who.facing, who.about, who.weapon or "", who.cell, who.pixel_art, _method(who.method)]
        return [*panes, *fields, *redraw(desk, who)]

    def redraw(desk: Any, who: Any, parts: bool = False) -> list[Any]:
        return [text.note(who.note), view.editor(desk, who, parts), view.compare(desk, who), view.facts(who)]

    @friendly
    def new_character(drop: str, now: Session, request: gr.Request) -> tuple[Session, None, dict[str, str]]:
        """Makes a character of a picture: takes its background away and finds its joints."""
        who = flow.new_character(desk_of(studio, request), Path(drop))
        return Session(who.id), None, {"id": who.id, "name": who.name, "note": who.note}

    @friendly
    def try_knight(request: gr.Request) -> Session:
        desk = desk_of(studio, request)
        ready = [who for who in flow.characters(desk) if who.example] or flow.add_examples(desk)
        if not ready:
            raise LibraryError(WORDS["no_examples"])
        return Session(next((who.id for who in ready if "knight" in who.name.lower()), ready[0].id))

    @friendly
    def moved(value: Any, now: Session, request: gr.Request) -> list[Any]:
        desk = desk_of(studio, request)
        who = flow.set_joints(desk, now.character, read_joints(value))
        return [{**view.editor(desk, who, bool(value.get("show_parts"))), "echo": True}, view.facts(who)]

    @friendly
    def show_parts(now: Session, request: gr.Request) -> dict[str, Any]:
        desk = desk_of(studio, request)
        return view.editor(desk, flow.character(desk, now.character), parts=True)

    @friendly
    def set_character(
        now: Session, name: str, facing: str, about: str, weapon: str, cell: float, pixel_art: bool, request: gr.Request
    ) -> list[Any]:
        """Changes the open character: name, facing, look in words, what it holds, cell size, pixel art."""
        desk = desk_of(studio, request)
        if facing != flow.character(desk, now.character).facing:
            flow.set_joints(desk, now.character, {}, facing)  # type: ignore[arg-type]
        who = flow.set_character(
            desk, now.character, name=name, about=about, weapon=weapon, cell=_whole(cell), pixel_art=bool(pixel_art)
        )
        return redraw(desk, who)

    @friendly
    def recut(now: Session, method: str, request: gr.Request) -> list[Any]:
        """Takes the background away again, by another method."""
        desk = desk_of(studio, request)
        return redraw(desk, flow.recut(desk, now.character, method))

    @friendly
    def again(now: Session, request: gr.Request) -> list[Any]:
        desk = desk_of(studio, request)
        who = flow.redetect(desk, now.character)
        return [who.facing, *redraw(desk, who)]

    @friendly
    def discard(now: Session, request: gr.Request) -> tuple[Session, str, Any]:
        desk = desk_of(studio, request)
        gone = flow.delete(desk, now.character)
        return Session(), gone, gr.update(visible=True)

    @friendly
    def put_back(ticket: str, request: gr.Request) -> tuple[Session, Any]:
        return Session(flow.restore(desk_of(studio, request), ticket).name), gr.update(visible=False)

    def switch(which: str) -> list[Any]:
        joints = which == WORDS["show_joints"]
        return [gr.update(visible=joints), gr.update(visible=not joints)]

    quiet: dict[str, Any] = {"api_visibility": "private", "show_progress": "hidden"}
    drop.upload(
        new_character, [drop, session], [session, drop, created], api_name="new_character", show_progress_on=drop
    )
    knight.click(try_knight, None, session, api_visibility="private")
    editor.moved(moved, [editor, session], [editor, facts], trigger_mode="always_last", **quiet)
    editor.parts(show_parts, session, editor, **quiet)
    gr.on(
        [name.blur, name.submit, about.blur, weapon.blur, cell.input, pixel.input, facing.input],
        set_character,
        inputs_kwargs={
            "now": session,
            "name": name,
            "facing": facing,
            "about": about,
            "weapon": weapon,
            "cell": cell,
            "pixel_art": pixel,
        },
        outputs=drawn,
        api_name="set_character",
        show_progress="hidden",
        trigger_mode="always_last",
    )
    method.input(recut, [session, method], drawn, api_name="recut", show_progress="minimal", show_progress_on=note)
    redetect.click(again, session, [facing, *drawn], api_visibility="private", show_progress_on=facts)
    remove.click(discard, session, [session, ticket, back], api_visibility="private")
    back.click(put_back, ticket, [session, back], api_visibility="private")
    shown.input(switch, shown, [joint_pane, cutout_pane], **quiet)
    return CharacterTab(opened, outputs, to_samples, to_animate)


def _whole(cell: Any) -> int:
    try:
        return int(cell)
    except (TypeError, ValueError):
        raise LibraryError(say("cell_number", value=cell)) from None


def _method(name: str) -> str:
    return name if name in {key for _, key in view.methods()} else "auto"
