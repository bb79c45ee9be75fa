"""The line above the tabs: whose character, which look, what is running."""

from __future__ import annotations

from typing import Any

from pipelines.adapter import Adapter
from pipelines.events import Step

from ... import flow
from ...jobs import Job
from ...studio import Desk
from .. import media
from ..words import KEYS, pick


def value(desk: Desk, current: str) -> dict[str, Any]:
    """The `Header` value."""
    listed = flow.characters(desk)
    who = next((one for one in listed if one.id == current), None)
    looks = flow.adapters(desk, who.id) if who else []
    return {
        "characters": [
            {"id": one.id, "name": one.name, "thumb": media.thumbnail(flow.art_path(desk, one.id))} for one in listed
        ],
        "current": current if who else "",
        "looks": [{"id": look.folder.name, "title": look_title(looks, look)} for look in looks],
        "look": (who.adapter or "") if who else "",
        "job": light(desk),
        "help": KEYS,
        "words": {
            **pick("nobody", "character", "fresh", "look", "no_look", "idle", "help", "close"),
            "jobs": pick("jobs_open")["jobs_open"],
        },
    }


def look_title(looks: list[Adapter], look: Adapter) -> str:
    """ "Look 2 · rank 16": numbered from the oldest, so that a number stays with its look."""
    return f"{len(looks) - looks.index(look)} · rank {look.rank}"


def light(desk: Desk) -> dict[str, Any] | None:
    """The running job, or the first that waits; None when all is quiet."""
    going = [job for job in flow.jobs(desk) if not job.over]
    if not going:
        return None
    job = next((one for one in going if one.state == "running"), going[-1])
    percent, left = progress(desk, job)
    return {
        "title": job.title.split(":")[0],
        "phase": phase(desk, job),
        "percent": percent,
        "left": left,
        "queued": len(going) - 1,
    }


def phase(desk: Desk, job: Job) -> str:
    """What the job does now, in its own words: every phase counts its percent from 0 again."""
    steps = (note.event for note in reversed(flow.events(desk, job.id)) if isinstance(note.event, Step))
    return next((step.what for step in steps), "")


def progress(desk: Desk, job: Job) -> tuple[int, float | None]:
    """Percent done and seconds left, as the job's last step told."""
    if job.state == "done":
        return 100, None
    last = next((note.event for note in reversed(flow.events(desk, job.id)) if isinstance(note.event, Step)), None)
    if last is None or not last.total:
        return 0, None
    return min(100, round(100 * last.done / last.total)), last.seconds_left
