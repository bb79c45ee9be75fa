"""Events as lines on stderr; on a terminal, steps share one line."""

from __future__ import annotations

import sys
import time

from pipelines.events import Event, Preview, Step, Warning


class Teller:
    """Called with every event of a job."""

    def __init__(self) -> None:
        self._last = ("", 0.0)
        self._open = False

    def __call__(self, event: Event) -> None:
        match event:
            case Step(done, total, what, loss, left):
                self._step(done, total, what, loss, left)
            case Warning(text):
                self._line(f"Note: {text}")
            case Preview(_, path, label):
                self._line(f"{label}: {path}")

    def _step(self, done: int, total: int, what: str, loss: float | None, left: float | None) -> None:
        now, live = time.monotonic(), sys.stderr.isatty()
        if (
            (what, now) < (self._last[0], self._last[1] + (0.1 if live else 5.0))
            and what == self._last[0]
            and done < total
        ):
            return
        self._last = (what, now)
        parts = [f"{what} {done}/{total}", f"loss {loss:.4f}" if loss is not None else ""]
        parts.append(f"{left:.0f} s left" if left else "")
        text = "  ".join(part for part in parts if part)
        if live:
            print(f"\r\x1b[K{text}", end="", file=sys.stderr, flush=True)
            self._open = True
        else:
            print(text, file=sys.stderr)

    def _line(self, text: str) -> None:
        print(f"\n{text}" if self._open else text, file=sys.stderr)
        self._open = False
