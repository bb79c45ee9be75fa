"""A clip survives the disk bit by bit, and its timing adds up."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipelines.clip import Clip, clean
from pipelines.errors import RequestError


def frames(count: int = 3, size: int = 5, seed: int = 0) -> np.ndarray:
    return clean(np.random.default_rng(seed).integers(0, 256, (count, size, size, 4), dtype=np.uint8))


def test_a_saved_clip_comes_back_bit_by_bit(tmp_path):
    clip = Clip(frames(), 7.5, "walk", "left", True, (0.4, 0.8), (40, 80, 120), {"seed": 3})
    clip.save(tmp_path / "c")
    back = Clip.load(tmp_path / "c")
    assert np.array_equal(back.frames, clip.frames)
    assert (back.fps, back.action, back.facing, back.loop, back.anchor, back.durations_ms, back.origin) == (
        (7.5, "walk", "left", True, (0.4, 0.8), (40, 80, 120), {"seed": 3})
    )


def test_a_folder_without_its_last_file_is_no_clip(tmp_path):
    Clip(frames(), 12, "walk").save(tmp_path / "c")
    (tmp_path / "c" / "clip.json").unlink()
    with pytest.raises(RequestError, match="generate the action again"):
        Clip.load(tmp_path / "c")


@given(st.integers(1, 60), st.floats(1, 60))
@settings(max_examples=60, deadline=None)
def test_rounded_durations_never_drift(count, fps):
    clip = Clip(np.zeros((count, 1, 1, 4), np.uint8), fps, "walk")
    assert len(clip.milliseconds()) == count
    assert abs(sum(clip.milliseconds()) - 1000 * count / fps) <= 0.5


@pytest.mark.parametrize(
    "bad", [np.zeros((0, 4, 4, 4), np.uint8), np.zeros((2, 4, 4, 3), np.uint8), np.zeros((2, 4, 4, 4), np.float32)]
)
def test_frames_of_the_wrong_kind_are_refused(bad):
    with pytest.raises(RequestError, match="RGBA"):
        Clip(bad, 12, "walk")


def test_one_duration_for_each_frame():
    with pytest.raises(RequestError, match="2 durations for 3 frames"):
        Clip(frames(3), 12, "walk", durations_ms=(10, 20))


def test_clean_leaves_no_colour_under_nothing():
    dirty = np.full((1, 2, 2, 4), 9, np.uint8)
    dirty[0, 0, 0, 3] = 0
    assert clean(dirty)[0, 0, 0].tolist() == [0, 0, 0, 0]
    assert clean(dirty)[0, 1, 1].tolist() == [9, 9, 9, 9]
