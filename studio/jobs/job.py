"""A job at one moment, its events, and how many of them are worth keeping."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from pipelines.events import Event, Step

State = Literal["queued", "running", "done", "failed", "cancelled"]
STEPS_PER_SECOND = 5.0


@dataclass(frozen=True)
class Job:
    """A row of the store at one moment."""

    id: str
    owner: str
    kind: str
    """"train", "animate" or "export"."""
    title: str
    character: str
    payload: dict[str, Any]
    state: State
    attempts: int
    """How often a worker was lost in the middle of it."""
    cancel: bool
    """The artist has asked a running job to stop."""
    worker: str | None
    pid: int | None
    heartbeat: float | None
    created: float
    started: float | None
    ended: float | None
    error: str | None
    """One sentence for the artist when the job failed."""
    result: dict[str, Any] | None

    @property
    def over(self) -> bool:
        return self.state in ("done", "failed", "cancelled")


@dataclass(frozen=True)
class JobEvent:
    """One event with its place in the job's story."""

    number: int
    """Grows; pass the last one seen to read on from there."""
    at: float
    event: Event


class Throttle:
    """Lets at most `STEPS_PER_SECOND` Step events through; the last of each stretch and all other events always."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._next = float("-inf")

    def lets(self, event: Event) -> bool:
        now = self._clock()
        if isinstance(event, Step) and event.done < event.total and now < self._next:
            return False
        if isinstance(event, Step):
            self._next = now + 1 / STEPS_PER_SECOND
        return True
