"""The job store never loses a job, never gives one to two workers, never shows one to somebody else."""

from __future__ import annotations

import itertools
import sqlite3
import threading
import time
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from pipelines.errors import LibraryError
from pipelines.events import Checkpoint, Done, Event, Preview, Step, Warning
from studio.jobs import Job, JobStore, Throttle
from studio.jobs.store import EVENTS_KEPT, MAX_ATTEMPTS, STALE_SECONDS

OWNERS = ("ana", "ben")
WORKERS = ("w1", "w2", "w3")


class Store(RuleBasedStateMachine):
    """Owners ask, cancel and retry; workers claim, finish, stop and die; in any order."""

    @initialize()
    def open(self) -> None:
        import tempfile

        self.folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self.store = JobStore(Path(self.folder.name) / "jobs.sqlite")
        self.jobs: dict[str, str] = {}
        self.held: dict[str, str] = {}
        self.attempts: dict[str, int] = {}

    def teardown(self) -> None:
        self.folder.cleanup()

    @rule(owner=st.sampled_from(OWNERS))
    def submit(self, owner: str) -> None:
        job = self.store.submit(owner, "animate", "t", {"n": len(self.jobs)})
        self.jobs[job.id], self.attempts[job.id] = owner, 0

    @rule(worker=st.sampled_from(WORKERS))
    def claim(self, worker: str) -> None:
        if worker in self.held.values():
            return
        queued = [job for job in self.all() if job.state == "queued"]
        job = self.store.claim(worker)
        if job is None:
            assert not queued
            return
        assert job.id not in self.held and job.state == "running" and job.worker == worker
        assert job.created == min(other.created for other in queued)
        self.held[job.id] = worker

    @rule(data=st.data(), state=st.sampled_from(["done", "failed", "cancelled"]), worker=st.sampled_from(WORKERS))
    def finish(self, data: st.DataObject, state: str, worker: str) -> None:
        if not self.jobs:
            return
        job_id = data.draw(st.sampled_from(sorted(self.jobs)))
        kept = self.store.finish(job_id, worker, state, result={"x": 1})  # type: ignore[arg-type]
        assert kept == (self.held.get(job_id) == worker)
        if kept:
            del self.held[job_id]

    @rule(data=st.data(), worker=st.sampled_from(WORKERS))
    def release(self, data: st.DataObject, worker: str) -> None:
        if not self.jobs:
            return
        job_id = data.draw(st.sampled_from(sorted(self.jobs)))
        assert self.store.release(job_id, worker) == (self.held.get(job_id) == worker)
        if self.held.get(job_id) == worker:
            del self.held[job_id]

    @rule(dead=st.sets(st.sampled_from(WORKERS)))
    def reap(self, dead: set[str]) -> None:
        lost = {job_id for job_id, worker in self.held.items() if worker in dead}
        assert {job.id for job in self.store.reap(lambda job: job.worker not in dead)} == lost
        for job_id in lost:
            del self.held[job_id]
            self.attempts[job_id] += 1
            job = self.store.get(self.jobs[job_id], job_id)
            assert job.attempts == self.attempts[job_id]
            wanted = "cancelled" if job.cancel else "failed" if job.attempts >= MAX_ATTEMPTS else "queued"
            assert job.state == wanted

    @rule(data=st.data())
    def cancel(self, data: st.DataObject) -> None:
        if not self.jobs:
            return
        job_id = data.draw(st.sampled_from(sorted(self.jobs)))
        before = self.store.get(self.jobs[job_id], job_id).state
        job = self.store.cancel(self.jobs[job_id], job_id)
        assert job.state == ("cancelled" if before == "queued" else before)
        if before == "running":
            assert job.cancel and not self.store.beat(job_id, self.held[job_id])

    @rule(data=st.data())
    def retry(self, data: st.DataObject) -> None:
        if not self.jobs:
            return
        job_id = data.draw(st.sampled_from(sorted(self.jobs)))
        before = self.store.get(self.jobs[job_id], job_id)
        if before.state in ("failed", "cancelled"):
            after = self.store.retry(self.jobs[job_id], job_id)
            assert (after.state, after.cancel, after.attempts, after.error) == ("queued", False, 0, None)
            self.attempts[job_id] = 0
        else:
            with pytest.raises(LibraryError):
                self.store.retry(self.jobs[job_id], job_id)

    def all(self) -> list[Job]:
        return [job for owner in OWNERS for job in self.store.listed(owner)]

    @invariant()
    def nothing_is_lost(self) -> None:
        if not hasattr(self, "store"):
            return
        found = {job.id: job for job in self.all()}
        assert {job_id: job.owner for job_id, job in found.items()} == self.jobs
        assert {job.id: job.worker for job in found.values() if job.state == "running"} == self.held
        assert all((job.ended is not None) == job.over for job in found.values())


TestStore = Store.TestCase
TestStore.settings = settings(max_examples=12, stateful_step_count=25, deadline=None)


@pytest.fixture
def store(tmp_path: Path) -> JobStore:
    return JobStore(tmp_path / "jobs.sqlite")


def test_two_workers_never_get_the_same_job(store: JobStore) -> None:
    jobs = [store.submit("ana", "export", "t", {}) for _ in range(24)]
    taken: list[str] = []

    def work(name: str) -> None:
        while job := JobStore(store.path).claim(name):
            taken.append(job.id)

    threads = [threading.Thread(target=work, args=(f"w{n}",)) for n in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(taken) == sorted(job.id for job in jobs)


def test_the_queue_is_fair_by_age(store: JobStore) -> None:
    first, second, third = (store.submit(owner, "export", "t", {}) for owner in ("ana", "ben", "ana"))
    assert [store.ahead(job) for job in (first, second, third)] == [0, 1, 2]
    assert [store.claim("w").id for _ in range(3)] == [first.id, second.id, third.id]  # type: ignore[union-attr]
    assert store.claim("w") is None


def test_an_interrupted_job_goes_first_again(store: JobStore) -> None:
    first, _ = store.submit("ana", "train", "t", {}), store.submit("ana", "train", "t", {})
    store.claim("w")
    store.reap(lambda job: False)
    again = store.claim("w2")
    assert again is not None and again.id == first.id and again.attempts == 1


def test_a_silent_worker_loses_its_job(store: JobStore) -> None:
    """Field report 4: no job is "running" for ever."""
    job = store.submit("ana", "train", "t", {})
    store.claim("w")
    assert store.reap(lambda _: True) == []
    assert store.reap(lambda _: True, now=time.time() + STALE_SECONDS - 1) == []
    assert [lost.id for lost in store.reap(lambda _: True, now=time.time() + STALE_SECONDS + 1)] == [job.id]
    assert not store.beat(job.id, "w") and not store.finish(job.id, "w", "done")
    assert store.get("ana", job.id).state == "queued"


def test_the_third_interruption_is_a_clear_failure(store: JobStore) -> None:
    job = store.submit("ana", "train", "t", {})
    for _ in range(MAX_ATTEMPTS):
        store.claim("w")
        store.reap(lambda _: False)
    failed = store.get("ana", job.id)
    assert failed.state == "failed" and "3 times" in str(failed.error) and failed.ended
    assert store.claim("w") is None


def test_stopping_while_cancelling_is_not_for_ever(store: JobStore) -> None:
    """Field report 4: "stopping" when the power goes."""
    job = store.submit("ana", "train", "t", {})
    store.claim("w")
    store.cancel("ana", job.id)
    store.reap(lambda _: False)
    assert store.get("ana", job.id).state == "cancelled"


def test_cancelling_a_queued_job_takes_it_out_of_the_queue(store: JobStore) -> None:
    """Field report 5."""
    running, waiting, last = (store.submit(owner, "train", "t", {}) for owner in ("ana", "ben", "ana"))
    store.claim("w")
    assert store.ahead(last) == 2
    assert store.cancel("ben", waiting.id).state == "cancelled"
    assert store.ahead(last) == 1 and running.id != last.id


def test_nobody_reaches_anybody_elses_jobs(store: JobStore) -> None:
    """Field report 7."""
    job = store.submit("ana", "train", "t", {})
    for ask in (store.get, store.cancel, store.retry, store.events):
        with pytest.raises(LibraryError):
            ask("ben", job.id)
    assert store.listed("ben") == [] and store.get("ana", job.id).state == "queued"


def test_events_come_back_in_order_and_go_on_from_a_number(store: JobStore) -> None:
    job = store.submit("ana", "train", "t", {})
    told: list[Event] = [
        Step(1, 2, "Training", 0.5, 3.0),
        Preview(1, Path("a.webp"), "walk"),
        Warning("w"),
        Checkpoint(2, Path("c")),
    ]
    for event in [*told, Done({"adapter": "x"})]:
        store.record(job.id, event)
    seen = store.events("ana", job.id)
    assert [item.event for item in seen] == [*told, Done({"adapter": "x"})]
    assert [item.event for item in store.events("ana", job.id, after=seen[2].number)] == [
        told[3],
        Done({"adapter": "x"}),
    ]


def test_a_finished_job_keeps_the_end_of_its_curve_and_everything_else(store: JobStore) -> None:
    job = store.submit("ana", "train", "t", {})
    store.claim("w")
    store.record(job.id, Warning("kept"))
    with sqlite3.connect(store.path) as db:
        row = db.execute(
            "SELECT job, at, 'Step', ? FROM event", ('{"event": "Step", "done": 1, "total": 9}',)
        ).fetchone()
        db.executemany("INSERT INTO event (job, at, kind, body) VALUES (?, ?, ?, ?)", [row] * (EVENTS_KEPT + 50))
    db.close()
    store.record(job.id, Step(9, 9))
    store.finish(job.id, "w", "done", result={"a": [1]})
    told = store.events("ana", job.id)
    events = [item.event for item in told]
    assert {after.number - before.number for before, after in itertools.pairwise(told[1:])} == {2}, "evenly"
    assert (
        EVENTS_KEPT / 2 < len(events) <= EVENTS_KEPT + 1 and events[0] == Warning("kept") and events[-1] == Step(9, 9)
    )
    assert store.get("ana", job.id).result == {"a": [1]}


def test_the_throttle_keeps_five_steps_a_second_and_all_that_matters() -> None:
    now = [0.0]
    throttle = Throttle(lambda: now[0])
    kept = []
    for number in range(1, 101):
        now[0] = number * 0.02
        if throttle.lets(Step(number, 100)):
            kept.append(number)
        assert throttle.lets(Warning("w"))
    assert kept[0] == 1 and kept[-1] == 100 and len(kept) in (10, 11)


def test_a_full_disk_is_told_in_words(store: JobStore, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    job = store.submit("ana", "train", "t", {})
    monkeypatch.setattr(sqlite3, "connect", full)
    with pytest.raises(LibraryError, match="disk is full"):
        store.record(job.id, Step(1, 2))
    monkeypatch.undo()
    assert store.get("ana", job.id).state == "queued"
