"""A request that a model cannot do is refused with the values that it can."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from pipelines import registry
from pipelines.adapter import Adapter
from pipelines.backend import Spec
from pipelines.errors import LibraryError, RequestError
from pipelines.figure import Figure
from pipelines.pose.skeleton import N_JOINTS, PoseTrack
from pipelines.request import GenerateRequest

FIGURE = Figure(np.zeros((8, 8, 4), np.uint8), np.zeros((N_JOINTS, 3), np.float32))
WAN = Spec("wan", "Wan", (512,), frame_rule=(4, 1), max_frames=81, pose=False)


def track(frames: int) -> PoseTrack:
    return PoseTrack(np.zeros((frames, N_JOINTS, 3), np.float32), np.ones((frames, N_JOINTS), np.float32))


@pytest.mark.parametrize(
    ("field", "value", "words"),
    [
        ("frames", 0, "1 to 240 frames; got 0"),
        ("size", 8, "16 to 2048 pixels"),
        ("fps", 0, "1 to 60"),
        ("steps", 0, "1 to 100"),
        ("adapter_scale", 2.5, "0 to 2"),
    ],
)
def test_values_out_of_range_are_named(field, value, words):
    with pytest.raises(RequestError, match=words):
        GenerateRequest(FIGURE, "walk", **{field: value})


def test_every_frame_has_its_pose():
    with pytest.raises(RequestError, match="5 poses for 8 frames"):
        GenerateRequest(FIGURE, "walk", frames=8, pose=track(5))


def test_frame_rule_names_the_nearest_counts():
    with pytest.raises(RequestError, match=r"needs 4N\+1 frames; got 16. Use 13 or 17"):
        WAN.check(GenerateRequest(FIGURE, "walk", frames=16))
    WAN.check(GenerateRequest(FIGURE, "walk", frames=17))


def test_too_many_frames():
    with pytest.raises(RequestError, match="up to 81 frames; got 85"):
        WAN.check(GenerateRequest(FIGURE, "walk", frames=85))


def test_pose_for_a_model_without_pose():
    with pytest.raises(RequestError, match="takes no pose"):
        WAN.check(GenerateRequest(FIGURE, "walk", frames=5, pose=track(5)))


def test_a_look_of_another_model_is_refused():
    look = Adapter(Path("x"), "embedded", "abc", 8)
    with pytest.raises(RequestError, match="trained for embedded, not for Wan"):
        WAN.check(replace(GenerateRequest(FIGURE, "walk", frames=5), adapter=look))


def test_an_unknown_model_is_named_with_the_known_ones():
    with pytest.raises(RequestError, match="no model called 'nope'; choose one of embedded"):
        registry.create("nope")


def test_an_adapter_round_trip_and_an_unfinished_one(tmp_path):
    look = Adapter(tmp_path, "embedded", "abc", 8, "a knight", {"distance": 3.5})
    look.save()
    with pytest.raises(LibraryError, match="no finished adapter"):
        Adapter.load(tmp_path)
    look.weights.write_bytes(b"x")
    assert Adapter.load(tmp_path) == look
