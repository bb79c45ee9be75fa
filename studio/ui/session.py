"""Who looks at the page and what they have open: ids alone, because everything else lives in the library."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

import gradio as gr

from pipelines.errors import LibraryError

from .. import flow
from ..studio import LOCAL_OWNER, Desk, Studio


@dataclass(frozen=True)
class Session:
    """What one browser tab has open."""

    character: str = ""
    """Id of the open character; "" shows the drop zone for a new one."""


def desk_of(studio: Studio, request: gr.Request | None) -> Desk:
    """The desk of whoever sent the request: an account, a visitor of a public Space, or the one local artist."""
    if request is not None and request.username:
        return studio.desk(request.username)
    if studio.settings.profile == "space" and request is not None:
        return studio.desk(f"visitor {request.session_hash}")
    return studio.desk(LOCAL_OWNER)


def present(desk: Desk, now: Session) -> Session:
    """The session, or an empty one when its character was deleted meanwhile or never was this owner's."""
    try:
        return Session(flow.character(desk, now.character).id) if now.character else now
    except LibraryError:
        return Session()


def mark_of(desk: Desk, now: Session) -> str:
    """Changes whenever what is drawn of the open character changed on disk or in the queue."""
    if not now.character:
        return ""
    try:
        made = [clip.id for clip in flow.clips(desk, now.character)]
        looks = [look.folder.name for look in flow.adapters(desk, now.character)]
        given = [(one.id, one.keep, one.action, one.caption) for one in flow.samples(desk, now.character)]
    except LibraryError:
        return ""
    return hashlib.sha256(repr((now.character, made, looks, given)).encode()).hexdigest()
