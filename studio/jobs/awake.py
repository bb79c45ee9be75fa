"""A computer that slept is no dead worker."""

from __future__ import annotations

import time

from .store import STALE_SECONDS

GAP_SECONDS = 5.0


class Awake:
    """Asked every second or two; False for a while after this machine slept or stood still.

    Heartbeats are wall-clock times. A laptop that is opened again finds all of them old, and every running job would
    be taken from a worker that only slept with it.
    """

    def __init__(self) -> None:
        self._asked, self._woke = time.time(), float("-inf")

    def __call__(self, now: float | None = None) -> bool:
        """`now`: seconds as `time.time()` gives them."""
        now = time.time() if now is None else now
        if now - self._asked > GAP_SECONDS:
            self._woke = now
        self._asked = now
        return now - self._woke > STALE_SECONDS
