"""One job from claimed to ended: heartbeat, events, and the sentence for whatever went wrong."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from pipelines.cancel import CancelToken
from pipelines.errors import Cancelled, UserError
from pipelines.events import Done, Event

from .jobs import Job, State, Throttle
from .library.disk import saving
from .studio import Studio
from .tasks import run

BEAT_SECONDS = 1.0
log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Outcome:
    """How a job ended."""

    state: State
    """"queued" when the worker was asked to stop and gave it back."""
    result: dict[str, Any] | None = None
    error: BaseException | None = None


def perform(
    studio: Studio,
    job: Job,
    worker: str,
    *,
    stopped: Callable[[], bool] = bool,
    asked: Callable[[], bool] = bool,
    tell: Callable[[Event], None] | None = None,
) -> Outcome:
    """Does a job that this worker holds and writes its end into the store. Never raises: the next job must start.

    `stopped`: this worker has to end, the job goes back into the queue. `asked`: the artist stops the job itself.
    """
    given_up = threading.Event()
    ended = threading.Event()

    def beat() -> None:
        while not ended.wait(BEAT_SECONDS):
            try:
                if not studio.jobs.beat(job.id, worker) or stopped():
                    given_up.set()
            except Exception:
                # The store may be busy or full for a moment; silence for 15 s is what counts.
                log.exception("No heartbeat for job %s", job.id)

    heart = threading.Thread(target=beat, name="heartbeat", daemon=True)
    heart.start()
    try:
        outcome = _attempt(studio, job, CancelToken(lambda: given_up.is_set() or asked()), tell)
    finally:
        ended.set()
        heart.join()
    if outcome.state == "cancelled" and stopped() and studio.jobs.release(job.id, worker):
        return Outcome("queued")
    error = str(outcome.error) if outcome.error and outcome.state == "failed" else None
    try:
        studio.jobs.finish(job.id, worker, outcome.state, error=error, result=outcome.result)
    except Exception:
        # The disk may be full. The job falls silent, is given back, and finds its finished work in place.
        log.exception("The end of job %s could not be written", job.id)
    return outcome


def _attempt(studio: Studio, job: Job, cancel: CancelToken, tell: Callable[[Event], None] | None) -> Outcome:
    throttle, result = Throttle(), None
    try:
        with saving("the result"):
            for event in run(job, studio.desk(job.owner), cancel):
                if isinstance(event, Done):
                    result = event.result
                if throttle.lets(event):
                    studio.jobs.record(job.id, event)
                if tell:
                    tell(event)
    except (Cancelled, KeyboardInterrupt):
        return Outcome("cancelled")
    except (UserError, OSError) as error:
        if _gone(studio, job):
            return Outcome("cancelled")
        return Outcome("failed", error=error if isinstance(error, UserError) else _fault(job, error))
    except MemoryError as error:
        return Outcome("failed", error=_in_words(error, "There was not enough memory; choose a smaller size."))
    except Exception as error:
        return Outcome("failed", error=_fault(job, error))
    return Outcome("done", result)


def _gone(studio: Studio, job: Job) -> bool:
    """Whether the job's character was moved to the trash meanwhile: nobody waits for the result any more."""
    if not job.character:
        return False
    return not (studio.desk(job.owner).library.root / "characters" / job.character / "character.json").is_file()


def _fault(job: Job, error: Exception) -> RuntimeError:
    log.error("Job %s (%s) failed", job.id, job.kind, exc_info=error)
    text = f"Sprightly itself failed here ({type(error).__name__}: {error}). Nothing finished is lost; "
    return _in_words(error, text + "the worker's log in the logs folder has the details.")


def _in_words(cause: BaseException, text: str) -> RuntimeError:
    error = RuntimeError(text)
    error.__cause__ = cause
    return error


def worker_lives(job: Job) -> bool:
    """Whether the process that holds the job still runs; a later process with the same number does not count."""
    import psutil

    if job.pid is None or job.heartbeat is None:
        return False
    try:
        process = psutil.Process(job.pid)
        # Two seconds: boot-time based creation times are that coarse on some systems.
        return process.status() != psutil.STATUS_ZOMBIE and process.create_time() <= job.heartbeat + 2.0
    except psutil.NoSuchProcess:
        return False
    except psutil.AccessDenied:
        return True
