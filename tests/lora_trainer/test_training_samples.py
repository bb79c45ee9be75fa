"""Stored pictures and clips become samples: uniform in time, in the cell, without a background."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from lora_trainer.samples import build_sample, fit_to_cell, placement_of, read_frames, resample
from pipelines.errors import PictureError
from pipelines.figure import ANCHOR, Figure, Placement, place
from pipelines.pose.skeleton import INDEX
from tests.lora_trainer.tiny_backbone import tiny_figure


@given(st.lists(st.integers(10, 600), min_size=1, max_size=40), st.sampled_from([8, 12, 16, 24]))
def test_every_change_keeps_its_time_within_half_a_frame(durations: list[int], fps: int) -> None:
    """Field report 11: 24 to 16 frames a second neither speeds up nor slows down."""
    chosen = resample(durations, fps)
    half = 500 / fps + 1e-6
    assert abs(len(chosen) * 1000 / fps - sum(durations)) <= max(half, 1000 / fps - sum(durations))
    assert (np.diff(chosen) >= 0).all()
    starts = np.cumsum([0, *durations])
    for frame in range(1, len(chosen)):
        for change in range(chosen[frame - 1] + 1, chosen[frame] + 1):
            assert abs(frame * 1000 / fps - starts[change]) <= half


def test_24_to_16_frames_a_second() -> None:
    chosen = resample([1000 / 24] * 24, 16)
    assert len(chosen) == 16 and chosen[0] == 0 and chosen[-1] == 23
    assert list(resample([1000 / 12] * 8, 12)) == list(range(8))
    assert list(resample([500, 100, 100], 10)) == [0, 0, 0, 0, 0, 1, 2]  # a hold stays a hold


@pytest.mark.parametrize("durations", [[], [0, 100], [100, -5], [float("nan")]])
def test_frames_without_a_duration_are_refused(durations) -> None:
    with pytest.raises(PictureError, match="lasts no time"):
        resample(durations, 12)


def _big(scale: int = 4, hidden: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """The tiny figure `scale` times as large, on a wide canvas; joints in its pixels."""
    figure = tiny_figure()
    art = figure.art.repeat(scale, axis=0).repeat(scale, axis=1)
    canvas = np.full((art.shape[0] + 10, art.shape[1] + 60, 4), hidden, np.uint8)
    canvas[..., 3] = 0
    there = art[..., 3] > 0
    canvas[3 : 3 + art.shape[0], 40 : 40 + art.shape[1]][there] = art[there]
    joints = figure.joints.copy()
    joints[:, :2] = joints[:, :2] * scale + (40, 3)
    return canvas, joints


def test_a_sample_at_another_scale_lands_on_the_character_own_pixels() -> None:
    figure = tiny_figure()
    canvas, joints = _big()
    fine, at = figure.art.repeat(4, axis=0).repeat(4, axis=1), place(figure)
    own = fit_to_cell(fine, Placement(at.scale / 4, (at.ground[0] * 4, at.ground[1] * 4)), 128)
    for known in (joints[None], None):
        cell = fit_to_cell(canvas, placement_of(canvas[None], known, figure), 128)
        assert np.abs(cell.astype(int) - own).mean() < 0.1, known is None
    track = build_sample(canvas[None], [0], figure, joints=joints[None]).track
    assert track is not None
    expected = place(figure).to_cell(figure.joints[:, :2])
    there = figure.joints[:, 2] > 0
    assert np.abs(track.joints[0, there, :2] - expected[there]).max() < 0.01
    assert (track.confidence[0] == figure.joints[:, 2]).all()


def test_a_crouch_is_not_blown_up_to_standing_height() -> None:
    """With joints the bones decide the scale, not the height of the silhouette."""
    figure = tiny_figure()
    canvas, joints = _big()
    crouched = joints.copy()
    for name in ("pelvis", "chest", "neck", "head", "crown"):
        crouched[INDEX[name], 1] += 20
    assert placement_of(canvas[None], crouched[None], figure).scale == pytest.approx(place(figure).scale / 4, rel=0.02)


def test_one_placement_for_all_frames_keeps_a_jump() -> None:
    figure = tiny_figure()
    canvas, joints = _big()
    up, raised = np.roll(canvas, -12, axis=0), joints - np.array([0, 12, 0], np.float32)
    for known in (np.stack([raised, joints]), None):
        frames = build_sample(np.stack([up, canvas]), [100, 100], figure, joints=known, fps=10).frames
        soles = [np.nonzero((frame[..., 3] > 127).any(axis=1))[0][-1] for frame in frames]
        assert abs(soles[1] + 1 - ANCHOR[1] * 128) <= 1
        assert soles[1] - soles[0] == pytest.approx(12 * place(figure).scale / 4 * 128, abs=1.5)


@pytest.mark.parametrize("hidden", [0, 128, 255])
def test_the_background_is_never_learned(hidden) -> None:
    """Field report 14: whatever colour hides under alpha 0, the sample is the same and has none."""
    canvas, joints = _big(hidden=hidden)
    plain, _ = _big(hidden=0)
    figure = tiny_figure()
    sample = build_sample(canvas[None], [0], figure, joints=joints[None])
    assert (sample.frames[sample.frames[..., 3] == 0] == 0).all()
    assert (sample.frames == build_sample(plain[None], [0], figure, joints=joints[None]).frames).all()
    edge = sample.frames[(sample.frames[..., 3] > 0) & (sample.frames[..., 3] < 255)]
    assert len(edge) == 0 or edge[:, 2].max() <= 165  # no halo brighter than any colour of the figure's own


def test_pixel_art_keeps_its_colours_and_hard_edges() -> None:
    figure = dataclasses.replace(tiny_figure(), pixel_art=True)
    canvas, joints = _big(scale=3)
    frames = build_sample(canvas[None], [0], figure, joints=joints[None], size=64).frames
    assert set(np.unique(frames[..., 3])) == {0, 255}
    own = {tuple(colour) for colour in figure.art.reshape(-1, 4)}
    assert {tuple(colour) for colour in frames.reshape(-1, 4)} <= own


def test_a_clip_is_brought_to_the_frame_rate_with_its_joints() -> None:
    figure = tiny_figure()
    canvas, joints = _big()
    frames = np.stack([np.roll(canvas, n, axis=1) for n in range(24)])
    moving = np.stack([joints + np.array([n, 0, 0], np.float32) for n in range(24)])
    sample = build_sample(
        frames, [1000 / 24] * 24, figure, joints=moving, action="walk", caption="c", fps=12, loop=True
    )
    assert len(sample.frames) == len(sample.track) == 12 and (sample.action, sample.caption) == ("walk", "c")
    assert sample.track.fps == 12 and sample.track.loop
    steps = np.diff(sample.track.joints[:, INDEX["pelvis"], 0])
    assert np.allclose(steps, 2 * place(figure).scale / 4, atol=1e-5)


def test_a_clip_shorter_than_two_frames_is_refused() -> None:
    canvas, _ = _big()
    with pytest.raises(PictureError, match="lasts 80 ms, less than two frames at 12 a second"):
        build_sample(np.stack([canvas] * 2), [40, 40], tiny_figure())


def test_an_empty_sample_does_not_crash() -> None:
    blank = np.zeros((2, 20, 20, 4), np.uint8)
    sample = build_sample(blank, [100, 100], Figure(blank[0], tiny_figure().joints), fps=10)
    assert sample.frames.shape == (2, 128, 128, 4) and not sample.frames.any()


def test_reading_files(tmp_path) -> None:
    canvas, _ = _big()
    frames = [Image.fromarray(np.roll(canvas, 3 * n, axis=1)) for n in range(5)]
    frames[0].save(
        tmp_path / "walk.webp", save_all=True, append_images=frames[1:], duration=[50, 60, 70, 80, 90], lossless=True
    )
    read, durations = read_frames(tmp_path / "walk.webp")
    assert read.shape[0] == 5 and (read[2] == np.asarray(frames[2])).all() and durations == [50, 60, 70, 80, 90]
    frames[0].save(tmp_path / "still.png")
    read, durations = read_frames(tmp_path / "still.png")
    assert read.shape[0] == len(durations) == 1
    folder = tmp_path / "frames"
    folder.mkdir()
    with pytest.raises(PictureError, match="holds no PNG frames"):
        read_frames(folder)
    for number, frame in enumerate(frames):
        frame.save(folder / f"{number:04d}.png")
    assert read_frames(folder)[0].shape[0] == 5
    frames[0].crop((0, 0, 9, 9)).save(folder / "9999.png")
    with pytest.raises(PictureError, match="differ in size"):
        read_frames(folder)
    (tmp_path / "no.png").write_bytes(b"not a picture")
    for missing in ("no.png", "nowhere.gif"):
        with pytest.raises(PictureError, match="not a picture that can be read"):
            read_frames(tmp_path / missing)
