"""Engine packs give back frames, times, loops and pivots, read by parsers that share no code with the writers."""

import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from studio.sprites.errors import ExportError
from studio.sprites.export.keys import action_keys
from studio.sprites.export.registry import EXPORTERS
from studio.sprites.export.ticks import ticks, whole_ticks
from studio.sprites.frames import zero_hidden
from studio.sprites.sheet import Action, SheetOptions, build_sheet

from ..figures import actions, blank, orbit, swinger
from . import engine_readers as readers

OPTIONS = st.builds(SheetOptions, extrude=st.integers(0, 1), max_size=st.sampled_from([80, 4096]))
MANY = settings(max_examples=12, deadline=None)


def written(key, sheet, folder, name="hero"):
    return EXPORTERS[key].write(sheet, Path(folder) / name, name)


@MANY
@given(actions(), OPTIONS)
def test_libgdx(clips, options):
    sheet = build_sheet(clips, options)
    with tempfile.TemporaryDirectory() as folder:
        found = readers.gdx(written("libgdx", sheet, folder)[-1])
    assert list(found) == list(dict.fromkeys(action_keys(sheet)))
    for clip, key in zip(clips, action_keys(sheet), strict=True):
        frames, values = zip(*found[key], strict=True)
        assert np.array_equal(np.stack(frames), zero_hidden(clip.frames))
        assert tuple(v["delay"][0] for v in values) == clip.durations_ms
        assert {v["loop"][0] for v in values} == {int(clip.loop)}
        (pivot,) = {v["pivot"] for v in values}  # one world point; the format knows whole numbers only
        assert abs(pivot[0] - clip.pivot[0]) <= 0.5 and abs(clip.frames.shape[1] - pivot[1] - clip.pivot[1]) <= 0.5


@MANY
@given(actions(), OPTIONS)
def test_love(clips, options):
    sheet = build_sheet(clips, options)
    with tempfile.TemporaryDirectory() as folder:
        path = written("love", sheet, folder)[-1]
        table = readers.lua(path)
        pages = [readers.picture(path.parent / image) for image in table["images"]]
    cell = (table["cell"]["w"], table["cell"]["h"])
    assert list(map(str, table["animations"])) and set(table["animations"]) == {clip.name for clip in clips}
    for clip in clips:
        action = table["animations"][clip.name]
        drawn = [
            readers.cel(pages[f["page"] - 1], [f[k] for k in "xywh"], (f["left"], f["top"]), cell)
            for f in action["frames"]
        ]
        assert np.array_equal(np.stack(drawn), zero_hidden(clip.frames)) and action["loop"] == clip.loop
        assert tuple(round(1000 * f["duration"], 6) for f in action["frames"]) == clip.durations_ms
        assert (table["pivot"]["x"], table["pivot"]["y"]) == clip.pivot


@MANY
@given(actions(), OPTIONS)
def test_defold_with_the_extension(clips, options):
    sheet = build_sheet(clips, options)
    with tempfile.TemporaryDirectory() as folder:
        written("defold", sheet, folder)
        found = readers.defold(Path(folder) / "hero", "hero")
    for clip, key in zip(clips, action_keys(sheet), strict=True):
        frames, rate, loops = found[key]
        expected, counts = whole_ticks(clip.durations_ms)
        assert (rate, loops) == (expected, clip.loop)
        assert np.array_equal(frames, np.repeat(zero_hidden(clip.frames), counts, axis=0))


@settings(max_examples=6, deadline=None)
@given(actions(most=2))
def test_defold_without_it(clips):
    with tempfile.TemporaryDirectory() as folder:
        sheet = build_sheet(clips)
        path = written("defold_atlas", sheet, folder)[-1]
        atlas = readers.proto("Atlas", path)
        for clip, animation in zip(clips, atlas.animations, strict=True):
            rate, counts = whole_ticks(clip.durations_ms)
            assert animation.fps == rate and (animation.playback == 2) == clip.loop
            drawn = [readers.picture(Path(folder) / image.image.lstrip("/")) for image in animation.images]
            assert np.array_equal(np.stack(drawn), np.repeat(zero_hidden(clip.frames), counts, axis=0))
            height, width = clip.frames.shape[1:3]
            for image in animation.images:
                assert np.allclose((image.pivot_x * width, (1 - image.pivot_y) * height), clip.pivot, atol=1e-4)


@MANY
@given(actions(), st.integers(1, 2))
def test_gamemaker(clips, scale):
    sheet = build_sheet(clips, SheetOptions(scale=scale))
    with tempfile.TemporaryDirectory() as folder:
        found = readers.gamemaker(written("gamemaker", sheet, folder)[-1])
    for clip, key in zip(clips, action_keys(sheet), strict=True):
        frames, about = found[key]
        assert np.array_equal(frames, zero_hidden(clip.frames)) and about["loop"] == clip.loop
        assert tuple(about["durations_ms"]) == clip.durations_ms
        assert (about["origin"]["x"], about["origin"]["y"]) == clip.pivot
        rate, counts = ticks(clip.durations_ms)
        assert np.allclose(about["lengths"], [float(c) for c in counts]) and about["speed"] == float(rate)


@settings(max_examples=3, deadline=None)
@given(actions(most=1))
def test_webm_keeps_every_frame_and_every_millisecond(clips):
    with tempfile.TemporaryDirectory() as folder:
        (path,) = written("webm", build_sheet(clips), folder)
        frames, times = readers.webm(path)
        again = written("webm", build_sheet(clips), folder)[0].read_bytes()
        assert again == path.read_bytes()
    assert times == clips[0].durations_ms and len(frames) == len(clips[0].frames)


def test_webm_shows_the_same_figure(tmp_path):
    """Lossy on purpose: shapes to a few levels of alpha, colours inside the figure to a few levels."""
    clip = Action("swing", swinger(6)[:, :111, 3:120], (80, 120, 80, 40, 200, 90), True, (57, 110))
    frames, times = readers.webm(written("webm", build_sheet([clip]), tmp_path)[0])
    assert times == clip.durations_ms and frames.shape == (6, 112, 118, 4)
    error = np.abs(frames[:, :111, :117].astype(int) - clip.frames)
    assert error[..., 3].mean() < 0.5 and error[..., 3].max() < 60
    assert error[..., :3][clip.frames[..., 3] == 255].mean() < 8
    assert max(frames[:, 111:, :, 3].max(), frames[:, :, 117:, 3].max()) < 16  # the px that make the sides even


@pytest.mark.parametrize("key", ["gamemaker", "webm"])
def test_pictures_without_end_are_refused(key, tmp_path):
    size = (1, 40000) if key == "gamemaker" else (1, 16385)
    sheet = build_sheet(
        [Action("wide", blank(2, size[1], size[0]), (80, 80), True, (0, 0))], SheetOptions(max_size=16384)
    )
    with pytest.raises(ExportError, match=r"stop at 65535|at most 16384"):
        written(key, sheet, tmp_path)


def test_several_targets_share_one_folder(tmp_path):
    """An export may be for many engines at once: files of one target never replace another's with other bytes."""
    sheet = build_sheet([Action("spin", orbit(4, 4), (80,) * 4, True, (24, 40))])
    seen: dict[str, bytes] = {}
    for key in EXPORTERS:
        for path in EXPORTERS[key].write(sheet, tmp_path, "hero"):
            assert seen.setdefault(path.name, path.read_bytes()) == path.read_bytes()
