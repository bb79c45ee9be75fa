"""The job store: what was asked for, who works on it, how it went. SQLite, so that it outlives every process."""

from __future__ import annotations

import json
import os
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from pipelines.errors import LibraryError
from pipelines.events import Event, from_json, to_json

from ..library.disk import new_id
from .job import Job, JobEvent, State

STALE_SECONDS = 15.0
"""A running job without a heartbeat for this long has lost its worker."""
MAX_ATTEMPTS = 3
"""Interruptions after which a job is failed instead of queued again."""
EVENTS_KEPT = 500
"""Step events that a finished job keeps, spread evenly: enough for its whole loss curve."""
_COLUMNS = (
    "id, owner, kind, title, character, payload, state, attempts, cancel, worker, pid, heartbeat, "
    "created, started, ended, error, result"
)


class JobStore:
    """All owners' jobs in one queue, oldest first. Every method is one short transaction; safe across processes."""

    def __init__(self, path: Path) -> None:
        self.path = path
        path.parent.mkdir(parents=True, exist_ok=True)
        with self._open() as db:
            db.execute("PRAGMA journal_mode = WAL")
            db.executescript(Path(__file__).with_name("jobs.sql").read_text(encoding="utf-8"))

    # asking

    def submit(
        self,
        owner: str,
        kind: str,
        title: str,
        payload: dict[str, Any],
        character: str = "",
        worker: str | None = None,
    ) -> Job:
        """Queues a job; with `worker` it is born running in this process, and nobody else takes it."""
        now = time.time()
        values = (new_id(), owner, kind, title, character, json.dumps(payload), now, *_held(worker))
        sql = (
            "INSERT INTO job (id, owner, kind, title, character, payload, created, state, worker, pid, heartbeat, "
            f"started) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING {_COLUMNS}"
        )
        return self._rows(sql, values)[0]

    def get(self, owner: str, job_id: str) -> Job:
        """Raises `LibraryError` for an unknown id and for another owner's."""
        found = self._rows(f"SELECT {_COLUMNS} FROM job WHERE id = ? AND owner = ?", (job_id, owner))
        if not found:
            raise LibraryError("This job is not in your list; open the list again.")
        return found[0]

    def listed(self, owner: str, limit: int = 200) -> list[Job]:
        """The owner's jobs, newest first."""
        sql = f"SELECT {_COLUMNS} FROM job WHERE owner = ? ORDER BY created DESC, rowid DESC LIMIT ?"
        return self._rows(sql, (owner, limit))

    def ahead(self, job: Job) -> int:
        """How many jobs of anybody will start before this queued one."""
        sql = (
            "SELECT COUNT(*) FROM job, (SELECT created AS own, job.rowid AS place FROM job WHERE id = ?) "
            "WHERE state IN ('queued', 'running') AND (job.created, job.rowid) < (own, place)"
        )
        with self._open() as db:
            return int(db.execute(sql, (job.id,)).fetchone()[0])

    def cancel(self, owner: str, job_id: str) -> Job:
        """A queued job is cancelled at once (field report 5); a running one stops at its next step."""
        self._run(
            "UPDATE job SET cancel = 1, ended = CASE state WHEN 'queued' THEN ? ELSE ended END, "
            "state = CASE state WHEN 'queued' THEN 'cancelled' ELSE state END "
            "WHERE id = ? AND owner = ? AND state IN ('queued', 'running')",
            (time.time(), job_id, owner),
        )
        return self.get(owner, job_id)

    def retry(self, owner: str, job_id: str, worker: str | None = None) -> Job:
        """Queues a failed or cancelled job again, or hands it to `worker`; it goes on from what it had finished."""
        changed = self._run(
            "UPDATE job SET cancel = 0, attempts = 0, error = NULL, ended = NULL, result = NULL, "
            "state = ?, worker = ?, pid = ?, heartbeat = ? "
            "WHERE id = ? AND owner = ? AND state IN ('failed', 'cancelled')",
            (*_held(worker)[:4], job_id, owner),
        )
        job = self.get(owner, job_id)
        if not changed:
            raise LibraryError(f"This job is {job.state}; only a failed or cancelled one can be started again.")
        return job

    def events(self, owner: str, job_id: str, after: int = 0) -> list[JobEvent]:
        """The owner's job's events with a number above `after`, in order."""
        self.get(owner, job_id)
        with self._open() as db:
            rows = db.execute(
                "SELECT number, at, body FROM event WHERE job = ? AND number > ? ORDER BY number", (job_id, after)
            ).fetchall()
        return [JobEvent(number, at, from_json(json.loads(body))) for number, at, body in rows]

    # working

    def claim(self, worker: str, pid: int | None = None) -> Job | None:
        """Takes the oldest queued job for this worker, or None; two workers never get the same one."""
        now = time.time()
        sql = (
            "UPDATE job SET state = 'running', worker = ?, pid = ?, heartbeat = ?, started = COALESCE(started, ?) "
            "WHERE id = (SELECT id FROM job WHERE state = 'queued' ORDER BY created, rowid LIMIT 1) "
            f"RETURNING {_COLUMNS}"
        )
        found = self._rows(sql, (worker, pid if pid is not None else os.getpid(), now, now))
        return found[0] if found else None

    def beat(self, job_id: str, worker: str) -> bool:
        """Says that the worker lives. False: stop, because the artist cancelled or the job was given away."""
        sql = "UPDATE job SET heartbeat = ? WHERE id = ? AND worker = ? AND state = 'running' RETURNING cancel"
        with self._open() as db, db:
            row = db.execute(sql, (time.time(), job_id, worker)).fetchall()
        return bool(row) and not row[0][0]

    def record(self, job_id: str, event: Event) -> None:
        """Appends an event."""
        body = to_json(event)
        self._run(
            "INSERT INTO event (job, at, kind, body) VALUES (?, ?, ?, ?)",
            (job_id, time.time(), body["event"], json.dumps(body)),
        )

    def finish(
        self, job_id: str, worker: str, state: State, *, error: str | None = None, result: dict[str, Any] | None = None
    ) -> bool:
        """Ends a job that this worker still holds; False and no change when it was given away meanwhile."""
        text = json.dumps(result) if result is not None else None
        with self._open() as db, db:
            changed = db.execute(
                "UPDATE job SET state = ?, error = ?, result = ?, ended = ? "
                "WHERE id = ? AND worker = ? AND state = 'running'",
                (state, error, text, time.time(), job_id, worker),
            ).rowcount
            db.execute(
                "DELETE FROM event WHERE number IN (SELECT number FROM "
                "(SELECT number, ROW_NUMBER() OVER (ORDER BY number DESC) - 1 AS place, COUNT(*) OVER () AS steps "
                "FROM event WHERE job = ? AND kind = 'Step') WHERE place % ((steps + ? - 1) / ?) != 0)",
                (job_id, EVENTS_KEPT, EVENTS_KEPT),
            )
        return changed == 1

    def release(self, job_id: str, worker: str) -> bool:
        """Gives an unfinished job back because its worker is asked to stop; that is no failed attempt."""
        sql = (
            "UPDATE job SET state = CASE cancel WHEN 1 THEN 'cancelled' ELSE 'queued' END, worker = NULL, pid = NULL, "
            "ended = CASE cancel WHEN 1 THEN ? ELSE NULL END WHERE id = ? AND worker = ? AND state = 'running'"
        )
        return self._run(sql, (time.time(), job_id, worker)) == 1

    def reap(self, alive: Callable[[Job], bool], now: float | None = None) -> list[Job]:
        """Gives back the jobs whose worker is gone (field reports 2 and 4); returns them as they were.

        A job that was being cancelled ends cancelled; one interrupted for the third time fails; others queue again.
        """
        now = time.time() if now is None else now
        changed: list[Job] = []
        for job in self._rows(f"SELECT {_COLUMNS} FROM job WHERE state = 'running'", ()):
            silent = now - (job.heartbeat or 0.0) > STALE_SECONDS
            if not silent and alive(job):
                continue
            attempts = job.attempts + 1
            state: State = "cancelled" if job.cancel else "failed" if attempts >= MAX_ATTEMPTS else "queued"
            error = (
                f"The worker stopped {attempts} times in the middle of this job, most likely for lack of memory. "
                "Close other programs or choose a smaller size, then start it again."
                if state == "failed"
                else None
            )
            ended = None if state == "queued" else now
            # The old worker's name in the condition: whoever finished or reaped it in between wins.
            sql = (
                "UPDATE job SET state = ?, attempts = ?, error = ?, ended = ?, worker = NULL, pid = NULL "
                "WHERE id = ? AND worker = ? AND state = 'running' AND heartbeat IS ?"
            )
            if self._run(sql, (state, attempts, error, ended, job.id, job.worker, job.heartbeat)):
                changed.append(job)
        return changed

    # plumbing

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        try:
            with closing(sqlite3.connect(self.path, timeout=15.0)) as db:
                db.execute("PRAGMA synchronous = NORMAL")
                db.execute("PRAGMA foreign_keys = ON")
                yield db
        except sqlite3.OperationalError as error:
            if "full" in str(error):
                raise LibraryError(
                    "The disk is full, so the job list could not be written. Free some space and do it again."
                ) from error
            raise

    def _rows(self, sql: str, values: tuple[Any, ...]) -> list[Job]:
        with self._open() as db, db:
            return [_job(row) for row in db.execute(sql, values).fetchall()]

    def _run(self, sql: str, values: tuple[Any, ...]) -> int:
        with self._open() as db, db:
            return db.execute(sql, values).rowcount


def _held(worker: str | None) -> tuple[Any, ...]:
    """State, worker, pid, heartbeat and start of a job that is queued, or already in this process's hands."""
    now = time.time()
    return ("running", worker, os.getpid(), now, now) if worker else ("queued", None, None, None, None)


def _job(row: tuple[Any, ...]) -> Job:
    values = dict(zip(_COLUMNS.split(", "), row, strict=True))
    values["payload"] = json.loads(values["payload"])
    values["result"] = json.loads(values["result"]) if values["result"] else None
    values["cancel"] = bool(values["cancel"])
    return Job(**values)
