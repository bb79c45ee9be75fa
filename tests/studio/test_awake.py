"""A laptop that slept: field reports 2 and 4 must not cost a sleeper its job."""

from __future__ import annotations

import subprocess
import sys
import time

import pytest

from studio.jobs import awake
from studio.jobs.awake import Awake
from studio.jobs.store import STALE_SECONDS
from studio.studio import Studio


def test_after_a_sleep_workers_get_time_to_beat(monkeypatch: pytest.MonkeyPatch) -> None:
    start = time.time()
    asked = Awake()
    assert asked(start + 1) and asked(start + 3)
    woke = start + 3600
    assert not asked(woke)
    beats = [asked(woke + second) for second in range(1, round(STALE_SECONDS) + 5)]
    assert beats == [False] * round(STALE_SECONDS) + [True] * 4
    assert awake.GAP_SECONDS < STALE_SECONDS


def test_a_worker_stops_when_its_pipe_is_closed(studio: Studio, environment: dict[str, str]) -> None:
    """The way that Windows knows, too; `terminate` there would leave the job to be found dead."""
    command = [sys.executable, "-m", "studio.worker", "--home", str(studio.settings.home), "--until-eof"]
    worker = subprocess.Popen(command, env=environment, stdin=subprocess.PIPE, stderr=subprocess.DEVNULL)
    assert worker.stdin is not None
    with pytest.raises(subprocess.TimeoutExpired):
        worker.wait(3)
    worker.stdin.close()
    assert worker.wait(60) == 0
