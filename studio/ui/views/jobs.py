"""Jobs as rows."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

from pipelines.events import Done, Event, Preview, Step, Warning

from ... import flow
from ...jobs import Job
from ...studio import Desk
from .. import media
from ..words import WORDS, pick, say
from .header import progress

SHOWN = 40


def value(desk: Desk, logs: Sequence[str] = ()) -> dict[str, Any]:
    """The `JobList` value; `logs` are the jobs whose story is open."""
    names = {who.id: who.name for who in flow.characters(desk)}
    rows = [_row(desk, job, names.get(job.character, ""), job.id in logs) for job in flow.jobs(desk)[:SHOWN]]
    return {
        "rows": rows,
        "logs": list(logs),
        "words": {**pick("cancel", "retry", "log", "no_log"), "empty": WORDS["jobs_empty"]},
    }


def _row(desk: Desk, job: Job, who: str, log: bool) -> dict[str, Any]:
    percent, left = progress(desk, job) if not job.over or job.state == "done" else (0, None)
    stopping = job.cancel and job.state == "running"
    return {
        "id": job.id,
        "kind": job.kind,
        "title": job.title,
        "who": who,
        "thumb": media.thumbnail(flow.art_path(desk, job.character)) if who else "",
        "state": job.state,
        "state_word": WORDS["stopping" if stopping else job.state],
        "percent": percent,
        "left": left,
        "when": time.strftime("%H:%M", time.localtime(job.created)),
        "note": job.error or (say("resumed", n=job.attempts) if job.attempts else ""),
        "log": story(desk, job) if log else [],
    }


def story(desk: Desk, job: Job) -> list[str]:
    """What the job told, steps thinned out to one in ten."""
    lines = []
    for note in flow.events(desk, job.id):
        line = tell(note.event)
        if line:
            lines.append(f"{time.strftime('%H:%M:%S', time.localtime(note.at))}  {line}")
    return lines[-200:]


def tell(event: Event) -> str:
    """One event as a line; "" for one that says nothing."""
    if isinstance(event, Step):
        if event.done % max(1, event.total // 10) and event.done != event.total:
            return ""
        return f"{event.what} {event.done}/{event.total}" + (f", loss {event.loss:.4g}" if event.loss else "")
    if isinstance(event, Preview):
        return event.label
    if isinstance(event, Warning):
        return event.text
    return WORDS["done"] if isinstance(event, Done) else ""


def newest(desk: Desk, kind: str, character_id: str) -> Job | None:
    """The character's newest job of a kind."""
    return next((job for job in flow.jobs(desk) if job.kind == kind and job.character == character_id), None)
