"""Clips in, one sheet with files for engines out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import gradio as gr
from gradio.components import Component

from ... import flow
from ...studio import Desk, Studio
from ...tasks.orders import ExportOptions
from ...tasks.palettes import palette_of
from ..handling import friendly
from ..session import Session, desk_of
from ..views import clips as clip_view
from ..views import engines, picture, progress, text
from ..views import jobs as job_view
from ..views import sheet as view
from ..widgets.action_tiles import read_picked
from ..widgets.atlas_view import AtlasView
from ..widgets.film_strip import FilmStrip, read_edits
from ..widgets.player_grid import PlayerGrid
from ..widgets.sprite_player import SpritePlayer
from ..words import WORDS
from . import sheet_details as details


@dataclass(frozen=True)
class SheetTab:
    """What the other tabs and the frame may touch."""

    opened: Callable[..., list[Any]]
    outputs: Sequence[Component]
    tick: Callable[[Desk, Session, Any], list[Any]]
    live: Sequence[Component]
    picked: Callable[..., list[Any]]
    """A clip grid's value as this tab's clips, player and film strip."""
    clips: PlayerGrid


def build(studio: Studio, session: gr.State) -> SheetTab:
    with gr.Row(elem_classes="sp-desk"):
        with gr.Column(elem_classes=["sp-left", "sp-with-foot"]):
            with gr.Column(elem_classes="sp-scroll"):
                gr.HTML(text.heading(WORDS["sheet_clips"]), padding=False)
                clips = PlayerGrid(elem_id="sp-sheet-clips")
                engine = gr.Dropdown(engines.choices(), value="usual", label=WORDS["engine"], elem_id="sp-engine")
                layout = gr.Radio(
                    [(WORDS[name], name) for name in ("packed", "grid", "rows")],
                    value="packed",
                    label=WORDS["layout"],
                    elem_classes="sp-segments",
                    elem_id="sp-layout",
                )
                scale = gr.Radio(
                    [("1×", 1), ("2×", 2), ("3×", 3), ("4×", 4)],
                    value=1,
                    label=WORDS["scale"],
                    elem_classes="sp-segments",
                    elem_id="sp-scale",
                )
                more = details.build()
            make = gr.Button(
                WORDS["make_sheet"], variant="primary", elem_classes="sp-next", elem_id="sp-make", interactive=False
            )
        with gr.Column(elem_classes="sp-stage"):
            running = gr.HTML(padding=False)
            teach = gr.HTML(
                text.empty(WORDS["sheet_empty_title"], WORDS["sheet_empty_text"], picture.onion("walk", 8)),
                padding=False,
                elem_classes="sp-fill",
            )
            film = FilmStrip(elem_id="sp-film")
            atlas = AtlasView(elem_id="sp-atlas", visible=False)
        with gr.Column(elem_classes=["sp-right", "sp-with-foot"]):
            with gr.Column(elem_classes="sp-scroll"):
                player = SpritePlayer(elem_id="sp-sheet-player")
                facts = gr.HTML(padding=False)
            download = gr.DownloadButton(
                WORDS["download"],
                variant="primary",
                visible=False,
                elem_classes="sp-next",
                elem_id="sp-download",
            )
    job = gr.Textbox(visible=False)
    live = [running, teach, atlas, facts, download]
    outputs = [clips, player, film, *live, make]

    @friendly
    def opened(now: Session, request: gr.Request) -> list[Any]:
        if not now.character:
            return [None, None, None, *_nothing(), gr.update(interactive=False)]
        desk = desk_of(studio, request)
        strip = clip_view.strip(clip_view.value(desk, now.character))
        shown = clip_view.first(strip)
        return [strip, shown, _film(desk, now, shown), *tick(desk, now, strip), gr.update(interactive=True)]

    def tick(desk: Desk, now: Session, clips: Any) -> list[Any]:
        if not now.character:
            return _nothing()
        last = job_view.newest(desk, "export", now.character)
        edits = {record.id: record.edit_key for record in flow.clips(desk, now.character)}
        result = view.made(last, read_picked(clips), edits)
        pages = view.atlas(result, flow.character(desk, now.character).pixel_art) or view.contact(clips)
        return [
            progress.bar(desk, "export", now.character),
            gr.update(visible=pages is None),
            gr.update(value=pages, visible=pages is not None),
            view.facts(result),
            gr.update(value=view.zip_copy(result), visible=result is not None),
        ]

    def chosen(key: str) -> list[Any]:
        """What this engine wants."""
        wants = engines.ENGINES[key].options
        return [wants.layout, *details.engine_values(wants)]

    @friendly
    def export(
        now: Session,
        clips: Any,
        targets: list[str],
        layout: str,
        scale: int,
        padding: int,
        extrude: int,
        trim: bool,
        power_of_two: bool,
        motion: str,
        also: list[float],
        palette: str | None,
        colours: int,
        dither: str,
        hues: list[int],
        weigh: bool,
        request: gr.Request,
    ) -> list[Any]:
        """Packs clips of the open character into a sheet; answers with the job's id.

        `clips` is {"picked": [clip id, ...]}.
        """
        options = ExportOptions(
            targets=tuple(targets),
            layout=layout,  # type: ignore[arg-type]
            padding=int(padding or 0),
            extrude=int(extrude or 0),
            trim=bool(trim),
            power_of_two=bool(power_of_two),
            scale=int(scale),
            motion=motion,  # type: ignore[arg-type]
            also=tuple(map(float, also or [])),
            palette=palette_of(Path(palette) if palette else None),
            colours=int(colours or 0),
            dither=dither,  # type: ignore[arg-type]
            hues=tuple(map(int, hues or [])),
            weigh=bool(weigh),
        )
        desk = desk_of(studio, request)
        return [flow.export(desk, now.character, read_picked(clips), options).id, *tick(desk, now, clips)]

    @friendly
    def picked(now: Session, value: Any, request: gr.Request) -> list[Any]:
        shown = clip_view.first(value)
        return [clip_view.strip(value), shown, _film(desk_of(studio, request), now, shown)]

    @friendly
    def act(now: Session, value: Any, event: gr.EventData, request: gr.Request) -> list[Any]:
        shown = clip_view.first(value, str(event._data.get("id")))
        return [shown, _film(desk_of(studio, request), now, shown)]

    @friendly
    def edit(now: Session, value: Any, request: gr.Request) -> None:
        flow.edit_clip(desk_of(studio, request), now.character, *read_edits(value))

    @friendly
    def edited(now: Session, grid: Any, value: Any, request: gr.Request) -> list[Any]:
        desk, clip_id = desk_of(studio, request), read_edits(value)[0]
        strip = clip_view.strip(clip_view.value(desk, now.character, read_picked(grid)))
        return [
            strip,
            clip_view.first(strip, clip_id),
            clip_view.film(desk, now.character, clip_id),
            *tick(desk, now, strip),
        ]

    # `then` also runs after a refusal: the strip goes back to what is kept.
    film.edited(edit, [session, film], None, api_visibility="private", show_progress="hidden").then(
        edited, [session, clips, film], [clips, player, film, *live], api_visibility="private", show_progress="hidden"
    )
    clips.act(
        act, [session, clips], [player, film], api_visibility="private", show_progress="hidden", trigger_mode="multiple"
    )
    engine.input(chosen, engine, [layout, *more.of_engine()], api_visibility="private", show_progress="hidden")
    make.click(
        export,
        inputs_kwargs={"now": session, "clips": clips, "layout": layout, "scale": scale, **more.parts},
        outputs=[job, *live],
        api_name="export",
        show_progress="hidden",
    )
    return SheetTab(opened, outputs, tick, live, picked, clips)


def _nothing() -> list[Any]:
    return ["", gr.update(visible=True), gr.update(value=None, visible=False), "", gr.update(visible=False)]


def _film(desk: Desk, now: Session, shown: dict[str, Any] | None) -> dict[str, Any] | None:
    """The strip of the clip that the player shows."""
    return clip_view.film(desk, now.character, shown["id"]) if shown else None
