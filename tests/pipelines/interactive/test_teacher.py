"""The shipped model draws one frame at a time, and as it does in a clip."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from pipelines.adapter import Adapter
from pipelines.errors import RequestError
from pipelines.interactive.history import History
from pipelines.interactive.session import Cast
from pipelines.interactive.source import Moment
from pipelines.interactive.teacher import TeacherSource


def test_one_frame_after_another(ready: Cast) -> None:
    teacher = TeacherSource(ready.figure, ready.puppet, 48, None, seed=3, steps=2)
    pose = ready.known.pose(ready.known.joints("walk", 0.25))
    moment = Moment(pose, "walk", 0.25, np.zeros(6, np.float32))
    one, two = (teacher.frame(moment, History()) for _ in range(2))
    assert np.array_equal(one.frame, two.frame) and one.frame.shape == (48, 48, 4) and one.hidden.shape == (4, 16, 16)
    shown, reference = (frame[..., 3] > 127 for frame in (one.frame, ready.reference))
    assert 0.7 < shown.sum() / reference.sum() < 1.3


def test_a_look_of_other_weights_is_refused(ready: Cast, tmp_path: Path) -> None:
    look = Adapter.__new__(Adapter)
    object.__setattr__(look, "base", "other")
    object.__setattr__(look, "folder", tmp_path)
    with pytest.raises(RequestError, match="other base weights"):
        TeacherSource(ready.figure, ready.puppet, 48, look)
