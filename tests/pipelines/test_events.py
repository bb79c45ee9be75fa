"""Events survive the job store."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pipelines.cancel import NEVER, CancelToken
from pipelines.errors import Cancelled
from pipelines.events import Checkpoint, Done, Preview, Step, Warning, from_json, to_json


@pytest.mark.parametrize(
    "event",
    [
        Step(3, 10, "Training", 0.5, 12.0),
        Preview(3, Path("a/b.webp"), "walk"),
        Checkpoint(5, Path("c")),
        Warning("Too dark"),
        Done({"adapter": "x", "proof": {"distance": 1.5}}),
    ],
)
def test_round_trip_through_json(event):
    assert from_json(json.loads(json.dumps(to_json(event)))) == event


def test_a_key_from_a_newer_version_is_ignored():
    assert from_json({"event": "Step", "done": 1, "total": 2, "colour": "red"}) == Step(1, 2)


def test_the_token_reads_its_source_every_time():
    stopped: list[int] = []
    token = CancelToken(lambda: bool(stopped))
    token.check()
    stopped.append(1)
    with pytest.raises(Cancelled):
        token.check()
    NEVER.check()
