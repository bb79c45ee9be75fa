"""The page: order of the tabs and the arrows between them, nothing else."""

from __future__ import annotations

from typing import Any

import gradio as gr

from .. import flow
from ..live.server import LiveServer
from ..studio import Desk, Studio
from . import api
from .handling import friendly
from .session import Session, desk_of, mark_of, present
from .tabs import animate, character, jobs, live, samples, sheet, train
from .views import header as header_view
from .widgets.header import Header
from .words import WORDS

TABS = ("character", "samples", "train", "animate", "sheet", "live", "jobs")
TICK_SECONDS = 1.0


def build_app(studio: Studio, stage: LiveServer | None = None) -> gr.Blocks:
    """The page of a studio. Launch it with `**theme.launch_options()`; nothing runs before that.

    `stage`: whose socket the Live tab plays on; include its `routes()` in the server that mounts the page.
    """
    stage = stage or LiveServer(studio)
    with gr.Blocks(title=WORDS["title"], fill_width=True, analytics_enabled=False) as page:
        session, mark = gr.State(Session()), gr.State("")
        kept = gr.BrowserState("", storage_key="sprightly.character", secret="sprightly")
        with gr.Column(elem_id="sp-frame"):
            header = Header(elem_id="sp-header")
            with gr.Tabs(elem_id="sp-tabs", selected="character") as tabs:
                built: dict[str, Any] = {}
                for name, module in zip(TABS, (character, samples, train, animate, sheet, live, jobs), strict=True):
                    with gr.Tab(WORDS[f"tab_{name}"], id=name, elem_id=f"sp-tab-{name}"):
                        also = (stage,) if module is live else ()
                        built[name] = module.build(studio, session, *also)
        timer = gr.Timer(TICK_SECONDS)
        _wire(studio, page, built, header, tabs, timer, session, mark, kept)
        api.expose(studio, session)
    return page


def _wire(
    studio: Studio,
    page: gr.Blocks,
    built: dict[str, Any],
    header: Header,
    tabs: gr.Tabs,
    timer: gr.Timer,
    session: gr.State,
    mark: gr.State,
    kept: gr.BrowserState,
) -> None:
    quiet: dict[str, Any] = {"api_visibility": "private", "show_progress": "hidden"}
    moving = [built["train"], built["animate"]]
    cast, learned, drawn, packed, listed = (built[name] for name in ("character", "train", "animate", "sheet", "jobs"))

    def arrive(last: str, request: gr.Request) -> list[Any]:
        desk = desk_of(studio, request)
        if studio.settings.examples and not flow.characters(desk):
            flow.add_examples(desk)
        current = present(desk, Session(str(last))).character or _first(desk)
        return [Session(current), header_view.value(desk, current)]

    def tick(now: Session, rows: Any, clips: Any, request: gr.Request) -> list[Any]:
        desk = desk_of(studio, request)
        now = present(desk, now)
        fresh = [value for tab in moving for value in tab.tick(desk, now)] + packed.tick(desk, now, clips)
        return [header_view.value(desk, now.character), listed.tick(desk, rows), mark_of(desk, now), *fresh]

    def remember(now: Session) -> str:
        return now.character

    @friendly
    def act(now: Session, event: gr.EventData, request: gr.Request) -> list[Any]:
        desk, asked = desk_of(studio, request), event._data
        if asked["act"] == "look":
            flow.use_adapter(desk, now.character, str(asked["id"]) or None)
            return [now, gr.skip(), header_view.value(desk, now.character)]
        if asked["id"]:
            flow.character(desk, str(asked["id"]))
        where = gr.skip() if asked["id"] else gr.Tabs(selected="character")
        return [Session(str(asked["id"])), where, header_view.value(desk, str(asked["id"]))]

    page.load(arrive, kept, [session, header], **quiet)
    session.change(remember, session, kept, **quiet)
    for tab in (cast, built["samples"], learned, drawn, packed, built["live"]):
        session.change(tab.opened, session, tab.outputs, **quiet)
    moved = [component for tab in (*moving, packed) for component in tab.live]
    timer.tick(
        tick, [session, listed.rows, packed.clips], [header, listed.rows, mark, *moved], concurrency_limit=None, **quiet
    )
    header.act(act, session, [session, tabs, header], trigger_mode="multiple", **quiet)

    # samples and clips may have changed under the page: a job ended, or another window was busy
    mark.change(built["samples"].opened, session, built["samples"].outputs, **quiet)
    changed = mark.change(drawn.refreshed, [drawn.grid, session], drawn.outputs, **quiet)
    changed.then(packed.picked, [session, drawn.grid], packed.outputs[:3], **quiet)
    drawn.grid.picked(packed.picked, [session, drawn.grid], packed.outputs[:3], **quiet)
    built["samples"].still_share.release(
        lambda share: share, built["samples"].still_share, learned.still_share, **quiet
    )

    steps = [
        (cast.to_samples, "samples"),
        (cast.to_animate, "animate"),
        (built["samples"].to_train, "train"),
        (learned.to_animate, "animate"),
        (drawn.to_sheet, "sheet"),
    ]
    for button, name in steps:
        button.click(lambda name=name: gr.Tabs(selected=name), None, tabs, **quiet)


def _first(desk: Desk) -> str:
    """The character that a new visitor sees: their newest own one, else the knight among the examples."""
    listed = flow.characters(desk)
    own = [who.id for who in listed if not who.example]
    knights = [who.id for who in listed if "knight" in who.name.lower()]
    return [*own, *knights, *(who.id for who in listed), ""][0]


__all__ = ["build_app"]
