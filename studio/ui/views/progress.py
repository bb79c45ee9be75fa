"""A running job of one kind as a line above the stage it will fill."""

from __future__ import annotations

from html import escape

from pipelines.events import Step

from ... import flow
from ...studio import Desk
from ..words import WORDS
from . import text
from .header import progress
from .jobs import newest


def bar(desk: Desk, kind: str, character_id: str) -> str:
    """HTML: what is being done and how far it is; the error of a failed job; "" when there is nothing to say."""
    job = newest(desk, kind, character_id) if character_id else None
    if job is None or job.state in ("done", "cancelled"):
        return ""
    if job.state == "failed":
        return text.note(job.error or WORDS["failed"])
    percent, left = progress(desk, job)
    steps = [note.event for note in flow.events(desk, job.id) if isinstance(note.event, Step)]
    what = steps[-1].what if steps and steps[-1].what else WORDS[job.state]
    time_left = f" · {text.seconds(left)}" if left is not None else ""
    return (
        f'<div class="sp-running"><span>{escape(what)}</span><div class="sp-progress" role="progressbar" '
        f'aria-valuemin="0" aria-valuemax="100" aria-valuenow="{percent}" aria-label="{escape(job.title)}">'
        f'<div style="width:{percent}%"></div></div><span>{percent}%{time_left}</span></div>'
    )
