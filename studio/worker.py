"""The process that does the work, one per device, and the supervisor that keeps it alive.

`python -m studio.worker --home HOME --device cpu --parent PID`; started by the app, never by a fork, so it is the same
on Windows. The page only watches: a closed browser or a killed worker loses no job (field reports 1 to 4).
"""

from __future__ import annotations

import argparse
import contextlib
import logging
import os
import secrets
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from .jobs import Job, JobStore
from .jobs.awake import Awake
from .perform import perform, worker_lives
from .settings import Settings
from .studio import Studio

IDLE_SECONDS = 0.25
REAP_SECONDS = 2.0
WARM_SECONDS = 10.0
"""A worker that has waited this long loads its model; not sooner, because the page is starting on the same cores."""
log = logging.getLogger(__name__)


def work(studio: Studio, stopped: Callable[[], bool], name: str = "") -> None:
    """Takes and does jobs until `stopped`."""
    name = name or f"{os.getpid()}-{secrets.token_hex(4)}"
    reaped, started, warm = float("-inf"), time.monotonic(), False
    awake = Awake()
    while not stopped():
        if awake() and time.monotonic() - reaped > REAP_SECONDS:
            studio.jobs.reap(worker_lives)
            reaped = time.monotonic()
        job = studio.jobs.claim(name)
        if job is not None:
            perform(studio, job, name, stopped=stopped)
            warm, awake = True, Awake()
        elif not warm and time.monotonic() - started > WARM_SECONDS:
            warm = True
            _load_ahead(studio)
        else:
            time.sleep(IDLE_SECONDS)


def _load_ahead(studio: Studio) -> None:
    """The usual model, so that the first job does not wait for it; whatever is missing is said by the job itself."""
    from .tasks.models import backend

    try:
        with backend(studio, studio.settings.backend):
            pass
    except Exception as error:
        log.warning("The model could not be loaded ahead of time: %s", error)


def parent_gone(pid: int) -> Callable[[], bool]:
    """True once the process that started this one has ended, even if its number was given to another."""
    import psutil

    try:
        parent = psutil.Process(pid)
    except psutil.NoSuchProcess:
        return lambda: True
    return lambda: not parent.is_running() or parent.status() == psutil.STATUS_ZOMBIE


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m studio.worker", description=__doc__)
    parser.add_argument("--home", type=Path, required=True)
    parser.add_argument("--device", default="auto")
    parser.add_argument("--backend", default="embedded")
    parser.add_argument("--models-gb", type=float, default=Settings.models_gb)
    parser.add_argument("--parent", type=int, default=0, help="stop when this process is gone")
    parser.add_argument("--until-eof", action="store_true", help="stop when the standard input is closed")
    options = parser.parse_args(arguments)
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(name)s: %(message)s")
    os.environ.setdefault("OMP_NUM_THREADS", str(_cores()))
    asked = threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: asked.set())
    # Ctrl-C reaches the whole terminal; the parent decides when its worker stops.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if options.until_eof:
        threading.Thread(target=_wait_for_eof, args=(asked,), daemon=True).start()
    orphaned = parent_gone(options.parent) if options.parent else bool
    settings = Settings(home=options.home, device=options.device, backend=options.backend, models_gb=options.models_gb)
    work(Studio(settings), lambda: asked.is_set() or orphaned())
    return 0


def _wait_for_eof(asked: threading.Event) -> None:
    """Windows cannot ask a process to stop by a signal; a closed pipe asks on every system."""
    with contextlib.suppress(OSError):
        while os.read(0, 1024):
            pass
    asked.set()


def _cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class Supervisor:
    """Starts one worker per device, starts it again when it dies, and gives its job back."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._workers: dict[str, subprocess.Popen[bytes]] = {}
        self._deaths: dict[str, int] = {}
        self._again: dict[str, float] = {}
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Returns at once; the workers come up in the background."""
        self._stop.clear()
        for device in self.settings.devices:
            self._launch(device)
        self._thread = threading.Thread(target=self._watch, name="supervisor", daemon=True)
        self._thread.start()

    def stop(self, patience: float = 8.0) -> None:
        """Asks the workers to give their jobs back and waits; whoever does not listen is ended."""
        self._stop.set()
        if self._thread:
            self._thread.join()
        for process in self._workers.values():
            if process.stdin:
                process.stdin.close()
        for process in self._workers.values():
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(patience)
            process.kill()
            process.wait()
        self._workers.clear()

    def pids(self) -> list[int]:
        """Process numbers of the workers."""
        return [process.pid for process in self._workers.values()]

    def __enter__(self) -> Supervisor:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def _watch(self) -> None:
        store, awake = JobStore(self.settings.jobs_path), Awake()
        while not self._stop.wait(0.5):
            try:
                for device in self.settings.devices:
                    self._look_after(device)
                for job in store.reap(worker_lives) if awake() else ():
                    self._end_if_hung(job)
            except Exception:
                # A full disk must not end the watch over the workers.
                log.exception("The supervisor will look again")

    def _look_after(self, device: str) -> None:
        process, now = self._workers[device], time.monotonic()
        if process.poll() is None:
            return
        if device not in self._again:
            deaths = self._deaths[device] = self._deaths.get(device, 0) + 1
            log.warning("The worker on %s ended with %s", device, process.returncode)
            self._again[device] = now + min(0.2 * 2 ** (deaths - 1), 10.0)
        if now >= self._again[device]:
            del self._again[device]
            self._launch(device)

    def _end_if_hung(self, job: Job) -> None:
        """A job was taken from a worker that lives but has been silent: that worker is stuck."""
        for process in self._workers.values():
            if process.pid == job.pid and process.poll() is None:
                process.kill()

    def _launch(self, device: str) -> None:
        root = Path(__file__).resolve().parents[1]
        paths = [str(root), *filter(None, [os.environ.get("PYTHONPATH")])]
        command = [sys.executable, "-m", "studio.worker", "--home", str(self.settings.home), "--device", device]
        command += ["--backend", self.settings.backend, "--models-gb", str(self.settings.models_gb)]
        command += ["--parent", str(os.getpid()), "--until-eof"]
        logs = self.settings.home / "logs"
        logs.mkdir(parents=True, exist_ok=True)
        with (logs / f"worker-{device.replace(':', '-')}.log").open("ab") as out:
            self._workers[device] = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=out,
                stderr=subprocess.STDOUT,
                env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
            )


if __name__ == "__main__":
    sys.exit(main())
