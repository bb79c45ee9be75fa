"""Orders -> clips: motion, fitted to the figure, drawn by the backend, measured, kept one by one."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path

from pipelines.cancel import CancelToken
from pipelines.clip import Clip
from pipelines.events import Done, Event, Preview, Step, Warning

from ..character_art import fitted
from ..jobs import Job
from ..library import clips
from ..sprites.quality import report
from ..studio import Desk
from .guidance import request_for
from .models import backend
from .orders import ActionOrder
from .stepping import stepping


def run(job: Job, desk: Desk, cancel: CancelToken) -> Iterator[Event]:
    """Draws every order that has no finished clip yet, so that a job which starts again goes on where it stopped."""
    yield Step(0, len(job.payload["clips"]), "Posing the figure")
    who = fitted(desk, job.character)
    figure = desk.library.figure(who.id)
    shelf = desk.library.within(who.id, "clips")
    ids: list[str] = job.payload["clips"]
    orders = [ActionOrder.from_json(body) for body in job.payload["orders"]]
    look = desk.library.adapter(who.id, job.payload["adapter"]) if job.payload.get("adapter") else None
    waiting = [pair for pair in zip(orders, ids, strict=True) if not clips.finished(shelf, pair[1])]
    # Everything is checked before anything is drawn: a mistake in the fifth order does not cost the first four.
    requests = []
    for order, _ in waiting:
        cancel.check()
        requests.append(request_for(desk, who, figure, order, look))
    with backend(desk, who.backend) as model:
        for request in requests:
            model.spec.check(request)
        for (order, clip_id), request in zip(waiting, requests, strict=True):
            cancel.check()
            began = time.monotonic()
            what = f"Drawing {order.action}" + (f", {ids.index(clip_id) + 1} of {len(ids)}" if len(ids) > 1 else "")
            clip = yield from stepping(what, cancel, partial(model.generate, request))
            clip = replace(clip, joints=request.pose.places() if request.pose else None)
            yield from _keep(shelf, clip_id, clip, order, time.monotonic() - began)
    yield Done({"character": who.id, "clips": ids})


def _keep(shelf: Path, clip_id: str, clip: Clip, order: ActionOrder, seconds: float) -> Iterator[Event]:
    """Measures and saves a clip, then tells of it."""
    findings = report(clip.frames, clip.loop)
    quality = {"seconds": round(seconds, 2), "findings": [asdict(finding) for finding in findings]}
    made_by = {**clip.origin, "order": order.to_json()}
    record = clips.add(shelf, clip_id, replace(clip, origin=made_by), quality, time.time())
    for finding in findings:
        if finding.level == "bad":
            yield Warning(f"{order.action}: {finding.text}.")
    yield Preview(len(clip), record.preview, order.action)
