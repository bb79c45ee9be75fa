"""Real worker processes: killed, orphaned, asked to stop, cancelled. No job and no finished work is lost."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import psutil
import pytest
import torch
from safetensors.torch import load_file

from lora_trainer.config import TrainConfig
from pipelines.adapter import WEIGHTS
from pipelines.cancel import CancelToken
from pipelines.events import Checkpoint, Step
from studio import flow
from studio.jobs import Job
from studio.library import Character
from studio.perform import perform, worker_lives
from studio.studio import Desk, Studio
from studio.tasks.stepping import stepping
from studio.worker import Supervisor, parent_gone

QUICK = flow.ActionOrder("walk", frames=2, steps=1)
TINY = TrainConfig(steps=8, batch=1, rank=2, priors=1, prior_share=0.25, checkpoint_every=2, preview_every=0)


@pytest.fixture
def supervisor(studio: Studio, monkeypatch: pytest.MonkeyPatch, environment: dict[str, str]) -> Iterator[Supervisor]:
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    with Supervisor(studio.settings) as running:
        yield running


@pytest.mark.slow
def test_a_killed_training_resumes_and_gives_what_an_undisturbed_one_gives(
    studio: Studio, desk: Desk, hero: Character, supervisor: Supervisor
) -> None:
    """Field reports 2 and 17: kill -9 in the middle of a LoRA; the queue behind it is done, too, with no page open."""
    training = flow.train(desk, hero.id, TINY)
    behind = flow.animate(desk, hero.id, [QUICK])
    wait(lambda: any(isinstance(told.event, Checkpoint) for told in flow.events(desk, training.id)), 90)
    (victim,) = supervisor.pids()
    psutil.Process(victim).kill()
    done = over(desk, training, 120)
    assert (done.state, done.attempts, done.error) == ("done", 1, None)
    assert supervisor.pids() != [victim]
    assert over(desk, behind, 60).state == "done" and len(flow.clips(desk, hero.id)) == 1

    steps = [told.event for told in flow.events(desk, training.id) if isinstance(told.event, Step)]
    assert [step.done for step in steps if step.what == "Training"].count(1) == 1, "a resumed run does not begin again"
    (adapter,) = flow.adapters(desk, hero.id)
    assert flow.character(desk, hero.id).adapter == adapter.folder.name == done.result["adapter_id"]  # type: ignore[index]
    assert weights(adapter.folder) == undisturbed(studio, desk, hero)


def undisturbed(studio: Studio, desk: Desk, hero: Character) -> dict[str, bytes]:
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    own = replace(desk, jobs=replace(desk.jobs, worker="here"))
    outcome = perform(studio, flow.train(own, hero.id, TINY), "here")
    torch.set_num_threads(threads)
    assert outcome.result is not None
    return weights(Path(outcome.result["adapter"]))


@pytest.mark.slow
def test_cancelling_stops_a_running_job_and_the_next_one_starts(
    desk: Desk, hero: Character, supervisor: Supervisor
) -> None:
    """Field report 3: cancel inside a step leaves a queue that lives. What was finished stays."""
    long = flow.animate(desk, hero.id, [QUICK, *[flow.ActionOrder("run", frames=60, steps=100)] * 2])
    after = flow.animate(desk, hero.id, [QUICK])
    wait(lambda: len(flow.clips(desk, hero.id)) == 1, 60)
    flow.cancel(desk, long.id)
    assert over(desk, long, 60).state == "cancelled"
    assert over(desk, after, 60).state == "done"
    assert {record.action for record in flow.clips(desk, hero.id)} == {"walk"} and len(flow.clips(desk, hero.id)) == 2


def test_a_worker_asked_to_stop_gives_its_job_back(
    studio: Studio, desk: Desk, hero: Character, environment: dict[str, str]
) -> None:
    """Closing the app is no failed attempt. The worker also ends by itself when its parent is gone."""
    job = flow.animate(desk, hero.id, [flow.ActionOrder("run", frames=60, steps=100)])
    parent = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    worker = subprocess.Popen(
        [sys.executable, "-m", "studio.worker", f"--home={studio.settings.home}", f"--parent={parent.pid}"],
        env=environment,
    )
    wait(lambda: flow.job(desk, job.id).state == "running", 60)
    parent.kill()
    parent.wait()
    assert worker.wait(60) == 0
    left = flow.job(desk, job.id)
    assert (left.state, left.attempts, left.pid) == ("queued", 0, None)


@pytest.mark.skipif(os.name == "nt", reason="Windows ends a process without asking it")
def test_sigterm_is_a_request(studio: Studio, environment: dict[str, str]) -> None:
    command = [sys.executable, "-m", "studio.worker", "--home", str(studio.settings.home)]
    worker = subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL)
    wait(lambda: psutil.Process(worker.pid).num_threads() >= 1 and ignores_interrupt(worker.pid), 30)
    worker.send_signal(signal.SIGINT)
    time.sleep(0.5)
    assert worker.poll() is None, "Ctrl-C in the terminal is the parent's to handle"
    worker.terminate()
    assert worker.wait(30) == 0


def ignores_interrupt(pid: int) -> bool:
    """Whether the process has come as far as ignoring SIGINT (Linux: SigIgn); elsewhere a moment is enough."""
    status = Path(f"/proc/{pid}/status")
    if not status.is_file():
        time.sleep(3)
        return True
    mask = next(line for line in status.read_text().splitlines() if line.startswith("SigIgn"))
    return bool(int(mask.split()[1], 16) >> (signal.SIGINT - 1) & 1)


def test_a_worker_is_known_by_more_than_its_number(desk: Desk, hero: Character) -> None:
    """A later process that got the dead worker's number does not keep its job alive."""
    flow.animate(desk, hero.id, [QUICK])
    job = desk.jobs.store.claim("w")
    assert job is not None and worker_lives(job)
    born = psutil.Process().create_time()
    assert not worker_lives(replace(job, heartbeat=born - 60))
    ended = subprocess.Popen([sys.executable, "-c", ""])
    assert ended.wait() == 0
    assert not worker_lives(replace(job, pid=ended.pid))
    assert not worker_lives(replace(job, pid=None))
    assert parent_gone(ended.pid)() and not parent_gone(os.getpid())()


def test_a_character_in_the_trash_has_no_failed_jobs(studio: Studio, desk: Desk, hero: Character) -> None:
    """Its jobs are cancelled; one that a worker has begun already ends cancelled, too, and not as our fault."""
    begun = flow.animate(desk, hero.id, [QUICK])
    waiting = flow.animate(desk, hero.id, [QUICK])
    held = desk.jobs.store.claim("w")
    assert held is not None and held.id == begun.id
    flow.delete(desk, hero.id)
    assert flow.job(desk, waiting.id).state == "cancelled" and flow.job(desk, begun.id).cancel
    assert perform(studio, held, "w").state == "cancelled"
    assert flow.job(desk, begun.id).state == "cancelled" and flow.job(desk, begun.id).error is None


def test_a_drawing_that_nobody_waits_for_is_stopped() -> None:
    """Closing the generator cancels the thread and waits for it."""
    reached: list[int] = []

    def draw(on_step: Callable[[int, int], None], cancel: CancelToken) -> str:
        for number in range(1000):
            reached.append(number)
            on_step(number + 1, 1000)
            time.sleep(0.005)
            cancel.check()
        return "whole"

    steps = stepping("Drawing", CancelToken(), draw)
    first = next(steps)
    assert (first.done, first.total, first.what) == (1, 1000, "Drawing")
    steps.close()
    count = len(reached)
    time.sleep(0.05)
    assert len(reached) == count < 1000


def test_a_drawing_returns_or_raises_what_it_did() -> None:
    def fails(on_step: Callable[[int, int], None], cancel: CancelToken) -> str:
        on_step(1, 2)
        raise ZeroDivisionError

    def collect(work: Callable[..., str]) -> Iterator[Step | str]:
        result = yield from stepping("x", CancelToken(), work)
        yield result

    assert list(collect(lambda on_step, cancel: "whole")) == ["whole"]
    with pytest.raises(ZeroDivisionError):
        list(collect(fails))


def over(desk: Desk, job: Job, seconds: float) -> Job:
    wait(lambda: flow.job(desk, job.id).over, seconds)
    return flow.job(desk, job.id)


def wait(happened: Callable[[], bool], seconds: float) -> None:
    """Generous, because a test machine may be busy; a quiet one needs a tenth."""
    until = time.monotonic() + 3 * seconds
    while not happened():
        assert time.monotonic() < until, "it did not happen in time"
        time.sleep(0.1)


def weights(folder: Path) -> dict[str, bytes]:
    """Every tensor's bytes. The file as a whole also holds peft's settings, whose order changes between processes."""
    return {name: tensor.numpy().tobytes() for name, tensor in load_file(folder / WEIGHTS).items()}
