"""One running play: a thread that steps a session in real time and keeps only the newest frame."""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from pipelines.errors import UserError

from ..studio import Desk
from . import stage, wire

if TYPE_CHECKING:
    from pipelines.interactive.session import Session, Shown

log = logging.getLogger(__name__)

PERIOD = 3
"""Ticks between two frames: 40 a second where the computer keeps up."""
MOST = 30
"""Ticks that one frame may move on: a slow source skips frames, a stalled computer pauses."""
LONGEST = 240
"""Frames of a recording; then it ends by itself."""


class Play:
    """Newest input wins; a frame that nobody fetched is replaced by the next one, so nothing is ever queued."""

    def __init__(
        self, desk: Desk, character: str, idle: float = 180.0, opened: Callable[..., Any] | None = None
    ) -> None:
        """`idle`: seconds without input after which play ends. `opened`: makes (cast, source) of a mode, for tests."""
        self.desk, self.character, self.idle = desk, character, idle
        self._ready: Callable[..., Any] = opened or stage.ready
        self._input: tuple[int, dict[str, Any]] = (0, {})
        self._orders: deque[dict[str, Any]] = deque(maxlen=16)
        self._newest: tuple[int, bytes] = (0, b"")
        self._told: deque[dict[str, Any]] = deque(maxlen=16)
        self._heard, self._listener = time.monotonic(), lambda: None
        self._stop = threading.Event()
        self._lock = threading.Lock()
        self._thread = threading.Thread(target=self._run, name="live", daemon=True)

    def start(self, listener: Callable[[], None]) -> None:
        """Begins to play; `listener` is called from the play's thread whenever there is something new to fetch."""
        self._listener = listener
        self._thread.start()

    def stop(self) -> None:
        self._stop.set()

    @property
    def over(self) -> bool:
        return self._stop.is_set()

    def hear(self, message: dict[str, Any]) -> None:
        """Input or an order of the page."""
        self._heard = time.monotonic()
        if message.get("t") == "input":
            seq = message.get("seq", 0)
            self._input = (seq if type(seq) is int and 0 <= seq < 2**53 else 0, message)
        else:
            self._orders.append(message)

    def fetch(self, after: int) -> tuple[int, bytes, list[dict[str, Any]]]:
        """Number and bytes of the newest frame (empty when it is not newer than `after`), and what is to be told."""
        with self._lock:
            told = list(self._told)
            self._told.clear()
            number, body = self._newest
        return (number, body if number > after else b"", told)

    def _tell(self, **message: Any) -> None:
        with self._lock:
            self._told.append(message)
        self._listener()

    def _run(self) -> None:
        try:
            self._play()
        except UserError as error:
            self._tell(t="sorry", text=str(error))
        except Exception:
            log.exception("live play failed")
            self._tell(t="sorry", text="")
        finally:
            self._stop.set()
            self._listener()

    def _play(self) -> None:
        from pipelines.interactive.actions import Action
        from pipelines.interactive.physics import TICK
        from pipelines.interactive.scripts import SCRIPTS, Script, action_at
        from pipelines.interactive.session import Session

        self._tell(t="warming")
        cast = self._ready(self.desk, self.character)
        modes = stage.modes(self.desk, self.character)
        self.mode = modes[0]
        session = Session(stage.source(self.desk, self.character, cast, self.mode))
        session.reset(cast)
        self._tell(t="ready", modes=modes, mode=self.mode, size=cast.size, pixel=cast.figure.pixel_art)
        paused, script, began = False, None, 0
        recording: list[np.ndarray] | None = None
        last, number, recorded = time.monotonic(), 0, 0
        while not self._stop.is_set():
            single = False
            while self._orders:
                order = self._orders.popleft()
                kind = order.get("t")
                if kind == "pause":
                    paused = bool(order.get("on"))
                elif kind == "step":
                    paused = single = True
                elif kind == "reset":
                    session.reset(cast)
                elif kind == "script":
                    chosen: Script | None = SCRIPTS.get(str(order.get("name")))
                    script, began = chosen, session.tick
                elif kind == "record":
                    recording = self._record(recording, bool(order.get("on")))
                elif kind == "mode":
                    self._switch(session, str(order.get("mode")))
                    last = time.monotonic()
            seq, message = self._input
            given: Action = wire.action(message)
            if script is not None:
                scripted = action_at(script, session.tick - began)
                script, given = (script, scripted) if scripted else (None, given)
                if script is None:
                    self._tell(t="script", on=False)
            if script is not None or given.keys:
                self._heard = time.monotonic()  # a held key says nothing new, and is played all the same
            now = time.monotonic()
            if now - self._heard > self.idle:
                self._tell(t="asleep")
                return
            due = 0 if paused else min(round((now - last) / TICK), MOST)
            last = now
            shown = session.step(given, PERIOD if single else max(due, 1)) if single or not paused else None
            if shown is not None:
                number += 1
                head = wire.head(shown, cast.known.metres)
                head |= {"seq": seq, "keys": given.keys, "ms": round(1000 * (time.monotonic() - now), 1)}
                if recording is not None and shown.tick - recorded >= round(1 / TICK / stage.FPS):
                    recording, recorded = self._add(recording, shown), shown.tick
                self._publish(number, wire.packed(head, wire.picture(shown.frame)))
            rest = PERIOD * TICK - (time.monotonic() - now)
            if rest > 0:
                self._stop.wait(rest)

    def _publish(self, number: int, body: bytes) -> None:
        with self._lock:
            self._newest = (number, body)
        self._listener()

    def _switch(self, session: Session, mode: str) -> None:
        self._tell(t="warming")
        try:
            session.play_with(stage.source(self.desk, self.character, session.cast, mode))
            self.mode = mode
        except UserError as error:
            self._tell(t="sorry", text=str(error))
        self._tell(t="mode", mode=self.mode)

    def _add(self, recording: list[np.ndarray], shown: Shown) -> list[np.ndarray] | None:
        recording.append(shown.frame)
        return recording if len(recording) < LONGEST else self._record(recording, False)

    def _record(self, recording: list[np.ndarray] | None, on: bool) -> list[np.ndarray] | None:
        if on:
            self._tell(t="record", on=True)
            return recording or []
        try:
            self._tell(t="record", on=False, clip=stage.keep(self.desk, self.character, recording or [], self.mode))
        except UserError as error:
            self._tell(t="record", on=False)
            self._tell(t="sorry", text=str(error))
        return None
