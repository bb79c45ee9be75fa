"""Steps of a call that reports by callback, as events of a generator."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Generator
from queue import SimpleQueue
from typing import TypeVar

from pipelines.backend import OnStep
from pipelines.cancel import CancelToken
from pipelines.events import Step

Result = TypeVar("Result")


def stepping(
    what: str, cancel: CancelToken, work: Callable[[OnStep, CancelToken], Result]
) -> Generator[Step, None, Result]:
    """Runs `work(on_step, cancel)` in a thread, yields its steps, and returns or raises what it did.

    When the generator is closed early the work is cancelled and waited for: no model is left running in the dark.
    """
    steps: SimpleQueue[tuple[int, int] | None] = SimpleQueue()
    result: list[Result] = []
    failure: list[BaseException] = []
    closed = threading.Event()
    token = CancelToken(lambda: closed.is_set() or cancel.is_set())

    def body() -> None:
        try:
            result.append(work(lambda done, total: steps.put((done, total)), token))
        except BaseException as error:
            failure.append(error)
        finally:
            steps.put(None)

    began = time.monotonic()
    thread = threading.Thread(target=body, name="drawing", daemon=True)
    thread.start()
    try:
        while (step := steps.get()) is not None:
            done, total = step
            left = (time.monotonic() - began) / max(done, 1) * (total - done)
            yield Step(done, total, what, seconds_left=left)
    finally:
        closed.set()
        thread.join()
    if failure:
        raise failure[0]
    return result[0]
