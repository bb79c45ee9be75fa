"""What a worker runs: one generator of events per kind of job."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from typing import cast

from pipelines.cancel import CancelToken
from pipelines.errors import RequestError
from pipelines.events import Event

from ..jobs import Job
from ..studio import Desk

TASKS = {
    "train": "studio.tasks.train:run",
    "animate": "studio.tasks.animate:run",
    "export": "studio.tasks.export:run",
}
"""Kind of job -> `(job, desk, cancel) -> Iterator[Event]`; dotted, so that naming a task loads no model."""


def run(job: Job, desk: Desk, cancel: CancelToken) -> Iterator[Event]:
    """Does the job for its owner. The last event is `Done`. Raises `UserError` or `Cancelled`; finished work stays."""
    if job.kind not in TASKS:
        raise RequestError(f"This version of Sprightly has no task called {job.kind!r}; ask for it again.")
    module, function = TASKS[job.kind].split(":")
    return cast(Iterator[Event], getattr(importlib.import_module(module), function)(job, desk, cancel))
