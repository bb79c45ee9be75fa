"""A token that long work reads between steps."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from .errors import Cancelled


@dataclass(frozen=True)
class CancelToken:
    """Wraps any `() -> bool`: a flag, a file, a row in the job store."""

    is_set: Callable[[], bool] = bool

    def check(self) -> None:
        """Raises `Cancelled` once the artist has stopped the work."""
        if self.is_set():
            raise Cancelled


NEVER = CancelToken()
