"""The measure of what a look is worth: its truth lies where the rig draws, and its table says what it means."""

from __future__ import annotations

import numpy as np
import pytest

from lora_trainer.base import looks
from lora_trainer.config import TrainConfig
from lora_trainer.measures import psnr
from pipelines.figure import place
from pipelines.pose.retarget import rest_track
from pipelines.registry import create
from pipelines.rig import build_puppet, draw


def test_the_truth_lies_in_the_cell_where_the_rig_draws_the_art() -> None:
    figure, _ = looks.character(1, ())
    placement = place(figure)
    still = looks._in_cell(figure.art[None], placement)
    drawn = draw(build_puppet(figure), rest_track(figure, placement), looks.CELL).frames
    aside = np.roll(still, 1, axis=2)
    assert psnr(still, drawn) > psnr(aside, drawn) + 3


def test_a_clips_joints_lie_on_its_figure() -> None:
    _, clips = looks.character(2, ("run",))
    track = clips["run"].track
    assert track is not None
    for frame, joints, known in zip(clips["run"].frames, track.joints, track.confidence, strict=True):
        x, y = (joints[known > 0][:, :2] * looks.CELL).astype(int).T
        assert (frame[y.clip(0, looks.CELL - 1), x.clip(0, looks.CELL - 1), 3] > 0).mean() > 0.7


def test_characters_differ_and_return() -> None:
    assert np.array_equal(looks.character(3, ())[0].art, looks.character(3, ())[0].art)
    assert not np.array_equal(looks.character(3, ())[0].art, looks.character(4, ())[0].art)


def test_a_character_is_judged_on_actions_that_its_looks_never_saw(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(looks, "ASKED", ("jump",))
    config = TrainConfig(steps=2, rank=2, batch=2, priors=1, learning_rate=0.05)
    (row,) = looks.worth(create("embedded"), 1, config)
    assert looks.SHOWN not in looks.ASKED
    assert row.base != row.still != row.animated
    assert 5 < row.base < 40


def test_the_table_gives_means_gains_and_losers() -> None:
    text = looks.table([looks.Worth(20, 21, 22, 30), looks.Worth(22, 21.9, 23, 40)])
    assert "| no look | 21.00 | | |" in text
    assert "| one still | 21.45 | +0.45 | 1 |" in text
    assert "| one still and one slash | 22.50 | +1.50 | 0 |" in text
    assert "at most 40 s" in text
