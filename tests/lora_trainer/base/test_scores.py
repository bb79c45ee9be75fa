"""The measures of the model card, on clips whose marks are known."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from lora_trainer.base.__main__ import main
from lora_trainer.base.clips import make_clip
from lora_trainer.base.scores import contact_sheet, flicker, judge, scores, table
from pipelines.embedded.denoiser import EmbeddedDenoiser
from pipelines.pose.motion import ACTIONS


@pytest.fixture
def clip() -> np.ndarray:
    """A square of noise that walks over an empty cell."""
    frames = np.zeros((3, 32, 32, 4), np.uint8)
    square = np.random.default_rng(0).integers(0, 255, (12, 12, 4), np.uint8)
    square[..., 3] = 255
    for index in range(3):
        frames[index, 10:22, 4 + 4 * index : 16 + 4 * index] = square
    return frames


def test_the_truth_is_perfect(clip: np.ndarray) -> None:
    perfect = scores(clip, clip)
    assert (perfect.psnr, perfect.iou, perfect.palette) == (100, 1, 0)
    assert perfect.ssim == perfect.sharpness == perfect.motion == pytest.approx(1)


def test_blur_is_not_sharp_and_a_still_does_not_move(clip: np.ndarray) -> None:
    blurred = clip.astype(float)
    for axis in (1, 2):
        blurred = (np.roll(blurred, 1, axis) + blurred + np.roll(blurred, -1, axis)) / 3
    assert scores(blurred.astype(np.uint8), clip).sharpness < 0.8
    still = scores(np.repeat(clip[:1], 3, axis=0), clip)
    assert still.motion == 0 and still.iou < 0.7


def test_flicker_counts_only_what_should_stand(clip: np.ndarray) -> None:
    truth = np.repeat(clip[:1], 3, axis=0)
    shaken = truth.copy()
    shaken[1, ..., :3] = np.where(truth[1, ..., 3:] > 0, 255 - truth[1, ..., :3], 0)
    assert flicker(truth, truth) == 0 < flicker(shaken, truth)
    assert flicker(shaken, shaken) < flicker(shaken, truth) / 10


def test_an_untrained_network_is_the_rig() -> None:
    network = EmbeddedDenoiser(widths=(16, 16), condition=16, actions=tuple(sorted(ACTIONS)))
    judged = judge(network, [make_clip(np.random.default_rng(5), network)])
    copy, rig, made = judged[0].ways
    assert made.psnr == pytest.approx(rig.psnr, abs=0.05) and copy.motion == 0 < rig.motion
    assert "| rig and network |" in table(judged) and "0% of clips" in table(judged)
    assert contact_sheet(judged[0]).shape == (4 * 64 * 2, 8 * 64 * 2, 3)


def test_a_missing_held_out_shard_is_named_with_its_cure(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--data", str(tmp_path), "evaluate"]) == 1
    assert "lora_trainer.base data --shards 1" in capsys.readouterr().err
