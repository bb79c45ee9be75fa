"""Endpoints without a picture on the page: what a script needs beside the page's own arrows."""

from __future__ import annotations

from typing import Any

import gradio as gr

from .. import flow
from ..studio import Studio
from .handling import friendly
from .session import Session, desk_of
from .views.header import progress


def expose(studio: Studio, session: gr.State) -> None:
    """Adds `/characters`, `/open_character`, `/clips` and `/job`."""

    @friendly
    def characters(request: gr.Request) -> list[dict[str, Any]]:
        """The characters of the library, newest first."""
        listed = flow.characters(desk_of(studio, request))
        return [{"id": who.id, "name": who.name, "cell": who.cell, "look": who.adapter} for who in listed]

    @friendly
    def clips(character: str, request: gr.Request) -> list[dict[str, Any]]:
        """Finished clips of a character, newest first."""
        listed = flow.clips(desk_of(studio, request), character)
        return [{"id": one.id, "action": one.action, "frames": one.frames, "fps": one.fps} for one in listed]

    @friendly
    def job(job: str, request: gr.Request) -> dict[str, Any]:
        """How a job goes: state, percent, and its error when it failed."""
        desk = desk_of(studio, request)
        now = flow.job(desk, job)
        return {
            "id": now.id,
            "kind": now.kind,
            "state": now.state,
            "percent": progress(desk, now)[0],
            "error": now.error,
        }

    @friendly
    def open_character(character: str, request: gr.Request) -> Session:
        """Opens a character: the calls that follow in this session are about it."""
        return Session(flow.character(desk_of(studio, request), character).id)

    for handler in (characters, clips, job):
        gr.api(handler, api_name=handler.__name__)
    wanted = gr.Textbox(visible=False, label="character")
    wanted.submit(open_character, wanted, session, api_name="open_character")
