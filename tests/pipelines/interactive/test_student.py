"""The student draws one frame at a time, starts as the rig, and cannot touch what the rig is sure of."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch

from pipelines.errors import MissingWeightsError
from pipelines.interactive import student
from pipelines.interactive.history import History
from pipelines.interactive.session import Cast
from pipelines.interactive.source import Moment
from pipelines.interactive.student import StudentSource
from pipelines.interactive.student_net import SIZE, StudentNet, attend
from pipelines.rig import draw


@pytest.fixture
def untrained(tmp_path: Path) -> Path:
    StudentNet(widths=(16, 16), depths=(1, 1), memory=4, condition=16).save_pretrained(tmp_path)
    return tmp_path


def moment(ready: Cast) -> Moment:
    return Moment(ready.known.pose(ready.known.joints("walk", 0.25)), "walk", 0.25, np.zeros(6, np.float32))


def test_untrained_is_the_rig(ready: Cast, untrained: Path) -> None:
    source, seen = StudentSource(ready.figure, ready.puppet, SIZE, untrained), moment(ready)
    rig = draw(ready.puppet, seen.pose, SIZE).frames[0]
    drawn = source.frame(seen, History())
    assert np.abs(drawn.frame.astype(int) - rig).max() <= 2
    assert drawn.hidden.shape == (4, 16, 16) and np.abs(drawn.hidden).max() <= 1


def test_same_play_same_pictures_and_memory_matters(ready: Cast, untrained: Path) -> None:
    source, seen, history = StudentSource(ready.figure, ready.puppet, 48, untrained), moment(ready), History()
    one, two = source.frame(seen, history), source.frame(seen, history)
    assert np.array_equal(one.frame, two.frame) and np.array_equal(one.hidden, two.hidden)
    assert one.frame.shape == (48, 48, 4) and len(history) == 0
    history.push(one.hidden)
    assert not np.array_equal(source.frame(seen, history).hidden, one.hidden)


def test_sure_pixels_stay_whatever_the_network_learnt() -> None:
    net = StudentNet(widths=(16, 16), depths=(1, 1), memory=4, condition=16)
    torch.nn.init.normal_(net.head.weight, std=1.0)
    rig, sure = torch.zeros(1, 4, SIZE, SIZE), torch.ones(1, 1, SIZE, SIZE)
    rig[:, :, 30:90, 30:90] = 0.8
    sure[:, :, 50:60, 50:60] = 0
    made = net.finish(torch.randn(1, 16, SIZE // 4, SIZE // 4), rig, sure).apply(rig[:, None])[0, 0]
    change = (made - rig[0]).abs().amax(0)
    assert change[50:60, 50:60].max() > 0.05
    change[46:64, 46:64] = 0  # where it may act
    assert change[36:84, 36:84].max() < 1e-4 and change[:24].max() < 1e-4


def test_training_reads_history_as_play_does() -> None:
    rng, history = np.random.default_rng(0), History()
    states = rng.standard_normal((5, 4, 6, 6)).astype(np.float32)
    query = rng.standard_normal((4, 6, 6)).astype(np.float32)
    for state in states:
        history.push(state)
    mixed = attend(torch.from_numpy(query)[None], torch.from_numpy(states)[None])[0]
    assert np.allclose(mixed.numpy(), history.read(query), atol=1e-5)


def test_missing_weights_are_said(ready: Cast, tmp_path: Path) -> None:
    with pytest.raises(MissingWeightsError, match="puppet can be played"):
        StudentSource(ready.figure, ready.puppet, 48, tmp_path)


def test_shipped_student_keeps_the_figure(ready: Cast) -> None:
    assert student.installed(), "the weights ship with the repository"
    source, seen = student.open_student(ready.figure, ready.puppet, SIZE, None), moment(ready)
    rig, drawn = draw(ready.puppet, seen.pose, SIZE), source.frame(seen, History())
    shown, was = (frame[..., 3] > 127 for frame in (drawn.frame, rig.frames[0]))
    assert 0.9 < shown.sum() / was.sum() < 1.1
    assert (drawn.frame[drawn.frame[..., 3] == 0] == 0).all()
