"""Every format gives back the frames, times, tags and pivot, read by readers that share no code with the writers."""

import json
import tempfile
from pathlib import Path

import jsonschema
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from studio.sprites.errors import ExportError
from studio.sprites.export import godot as godot_export
from studio.sprites.export.registry import EXPORTERS, exporter
from studio.sprites.frames import zero_hidden
from studio.sprites.loop import ping_pong
from studio.sprites.sheet import Action, SheetOptions, build_sheet, restore

from ..figures import actions, blank, orbit
from . import readers

OPTIONS = st.builds(
    SheetOptions,
    layout=st.sampled_from(["packed", "grid", "rows"]),
    extrude=st.integers(0, 1),
    max_size=st.sampled_from([80, 4096]),
    power_of_two=st.booleans(),
)


def written(key, sheet, folder, name="hero"):
    paths = exporter(key).write(sheet, Path(folder) / key, name)
    assert paths and all(path.is_file() for path in paths) and len(set(paths)) == len(paths)
    return paths


@settings(max_examples=15, deadline=None)
@given(actions(), OPTIONS)
def test_aseprite_hash_and_array(clips, options):
    """Field reports 24, 25, 27: tags, trimmed frames and the pivot after trim, dedupe and pages."""
    sheet = build_sheet(clips, options)
    with tempfile.TemporaryDirectory() as folder:
        for key, suffix in (("aseprite", ".json"), ("aseprite_array", ".array.json")):
            found = {}
            for path in written(key, sheet, folder):
                if path.suffix != ".json":
                    continue
                assert path.name.endswith(suffix)
                jsonschema.validate(json.loads(path.read_text(encoding="utf-8")), readers.ASEPRITE)
                page = readers.aseprite(path)
                assert not page.keys() & found.keys()
                found |= page
            assert list(found) == [clip.name for clip in clips]
            for clip in clips:
                frames, durations, loops, pivot = found[clip.name]
                assert np.array_equal(frames, zero_hidden(clip.frames))
                assert (durations, loops, pivot) == (clip.durations_ms, clip.loop, clip.pivot)


@settings(max_examples=25, deadline=None)
@given(actions(), OPTIONS)
def test_texturepacker(clips, options):
    """Field reports 26 and 27: equal rectangles, pivot as a share of the untrimmed size."""
    sheet = build_sheet(clips, options)
    with tempfile.TemporaryDirectory() as folder:
        found = readers.phaser(written("texturepacker", sheet, folder)[-1])
    for clip in clips:
        frames, durations, pivots = found[clip.name]
        assert np.array_equal(np.stack(frames), zero_hidden(clip.frames))
        assert durations == clip.durations_ms
        height, width = clip.frames.shape[1:3]
        assert np.allclose(np.array(pivots) * (width, height), clip.pivot)


@settings(max_examples=25, deadline=None)
@given(actions(), OPTIONS, st.sampled_from(["bool", "enum"]))
def test_godot(clips, options, style):
    """Field reports 28 and 42: pixels, durations and loop, read by godot-parser."""
    sheet = build_sheet(clips, options)
    with tempfile.TemporaryDirectory() as folder:
        found = readers.godot(godot_export.write(sheet, Path(folder), "hero", style)[-1])
    assert list(found) == [clip.name for clip in clips]
    for clip in clips:
        frames, times, loop = found[clip.name]
        assert np.array_equal(frames, zero_hidden(clip.frames))
        # seconds at an exact rate; as whole ms they are those of the preview
        assert np.array_equal(np.floor(np.cumsum(times) + 0.5 + 1e-6), np.cumsum(clip.durations_ms))
        assert loop == clip.loop and type(loop) is (bool if style == "bool" else int)


@pytest.mark.parametrize("key", ["webp", "apng"])
@settings(max_examples=25, deadline=None)
@given(clips=actions())
def test_lossless_previews_keep_every_frame_and_every_millisecond(key, clips):
    """Field reports 32 and 42: equal neighbours stay, times are those of the sheet, colours exact."""
    sheet = build_sheet(clips)
    with tempfile.TemporaryDirectory() as folder:
        for path, clip in zip(written(key, sheet, folder), clips, strict=True):
            frames, times, loops = readers.animated(path)
            assert np.array_equal(frames, zero_hidden(clip.frames))
            if len(frames) > 1:  # Pillow reports neither time nor loop of a single frame
                assert (times, loops) == (clip.durations_ms, clip.loop)


@settings(max_examples=25, deadline=None)
@given(actions())
def test_gif_keeps_every_frame_with_hard_edges_and_ten_milliseconds(clips):
    """Field reports 32 and 33. The format has 1-bit alpha and counts time in hundredths; nothing else changes."""
    sheet = build_sheet(clips)
    with tempfile.TemporaryDirectory() as folder:
        for path, clip in zip(written("gif", sheet, folder), clips, strict=True):
            frames, times, loops = readers.animated(path)
            hard = clip.frames.copy()
            hard[..., 3] = np.where(hard[..., 3] >= 128, 255, 0)
            assert np.array_equal(frames, zero_hidden(hard))
            if len(frames) > 1:
                assert loops == clip.loop
                assert all(time % 10 == 0 and time >= 20 for time in times)
                if min(clip.durations_ms) >= 30:
                    assert abs(sum(times) - sum(clip.durations_ms)) <= 5
                    assert all(abs(a - b) <= 10 for a, b in zip(times, clip.durations_ms, strict=True))


@settings(max_examples=15, deadline=None)
@given(actions(), st.integers(1, 3))
def test_png_sequence(clips, scale):
    sheet = build_sheet(clips, SheetOptions(scale=scale))
    with tempfile.TemporaryDirectory() as folder:
        paths = iter(written("frames", sheet, folder))
        for clip in clips:
            for frame in clip.frames:
                assert np.array_equal(readers.picture(next(paths)), zero_hidden(frame))


@settings(max_examples=3, deadline=None)
@given(actions())
def test_same_sheet_same_bytes(clips):
    """Field report 30, down to the files."""
    with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as two:
        for key in EXPORTERS:
            first = written(key, build_sheet(clips), one)
            second = written(key, build_sheet(clips), two)
            assert [p.name for p in first] == [p.name for p in second]
            assert [p.read_bytes() for p in first] == [p.read_bytes() for p in second]


def test_godot_texts_survive_quotes_and_control_characters(tmp_path):
    name = 'a"b\\c\nd\re\tf\fg'
    sheet = build_sheet([Action(name, orbit(1, 4), (80,), True, (24, 24))])
    assert list(readers.godot(written("godot", sheet, tmp_path)[-1])) == [name]


def test_ping_pong_is_baked_everywhere(tmp_path):
    """Field report 28: 0, 1, 2, 1 in every file, nowhere a doubled end, nowhere a direction to misread."""
    frames, durations = ping_pong(orbit(3, 9), (50, 60, 70))
    sheet = build_sheet([Action("sway", frames, durations, True, (24, 40))])
    (tag,) = json.loads(written("aseprite", sheet, tmp_path)[-1].read_text())["meta"]["frameTags"]
    assert (tag["from"], tag["to"], tag["direction"]) == (0, 3, "forward")
    assert readers.godot(written("godot", sheet, tmp_path)[-1])["sway"][1] == (50, 60, 70, 60)
    assert readers.animated(written("webp", sheet, tmp_path)[0])[1] == (50, 60, 70, 60)


def test_phaser_finds_frames_by_number(tmp_path):
    """``createFromAseprite`` looks frames up as "0", "1", ... in the hash."""
    clips = [Action(n, orbit(3, 5 + i), (80,) * 3, True, (24, 24)) for i, n in enumerate(("idle", "walk"))]
    data = json.loads(written("aseprite", build_sheet(clips), tmp_path)[-1].read_text())
    assert list(data["frames"]) == [str(n) for n in range(6)]
    assert [(t["from"], t["to"]) for t in data["meta"]["frameTags"]] == [(0, 2), (3, 5)]


def test_scaled_sheets_scale_everything(tmp_path):
    clip = Action("spin", orbit(4, 4), (80,) * 4, True, (24, 40))
    path = written("aseprite", build_sheet([clip], SheetOptions(scale=3)), tmp_path)[-1]
    frames, _, _, pivot = readers.aseprite(path)["spin"]
    assert np.array_equal(frames[:, ::3, ::3], clip.frames) and frames.shape[1] == 3 * 48
    assert pivot == (72, 120)
    assert json.loads(path.read_text())["meta"]["scale"] == "3"


def test_one_action_over_several_pages(tmp_path):
    """Aseprite JSON knows one picture and refuses with a cure; Godot and TexturePacker hold it."""
    frames = blank(5, 60, 60)
    frames[:] = np.arange(1, 6, dtype=np.uint8)[:, None, None, None] * 50
    sheet = build_sheet([Action("huge", frames, (80,) * 5, True, (30, 60))], SheetOptions(max_size=128))
    assert len(sheet.pages) == 2
    with pytest.raises(ExportError, match="'huge' fills 2 pages"):
        exporter("aseprite").write(sheet, tmp_path / "refused", "hero")
    assert not (tmp_path / "refused").exists()
    assert np.array_equal(readers.godot(written("godot", sheet, tmp_path)[-1])["huge"][0], frames)
    assert np.array_equal(np.stack(readers.phaser(written("texturepacker", sheet, tmp_path)[-1])["huge"][0]), frames)


def test_pixi_gets_one_document_per_page(tmp_path):
    """Pixi reads frames by name from one picture a file, and follows ``related_multi_packs`` to the others."""
    frames = blank(6, 60, 60)
    frames[:] = np.arange(1, 7, dtype=np.uint8)[:, None, None, None] * 40
    clips = [Action(n, f, (80,) * 3, True, (30, 60)) for n, f in (("a", frames[:3]), ("b", frames[3:]))]
    paths = written("texturepacker", build_sheet(clips, SheetOptions(max_size=128)), tmp_path)
    assert [p.name for p in paths] == ["hero-0.png", "hero-1.png", "hero-0.tp.json", "hero-1.tp.json", "hero.tp.json"]
    assert list(readers.phaser(paths[2])) == ["a"] and list(readers.phaser(paths[3])) == ["b"]
    assert json.loads(paths[2].read_text())["meta"]["related_multi_packs"] == ["hero-1.tp.json"]
    assert readers.phaser(paths[4]).keys() == {"a", "b"}


@pytest.mark.parametrize(("name", "scale", "resolution"), [("hero", 2, 1), ("hero@2x", 2, 2), ("hero@2x", 3, 1)])
def test_only_a_variant_is_a_resolution(name, scale, resolution, tmp_path):
    """An enlarged sheet is shown large; ``hero@2x`` is shown as large as ``hero``."""
    clip = Action("spin", orbit(2, 4), (80, 80), True, (24, 40))
    path = EXPORTERS["texturepacker"].write(build_sheet([clip], SheetOptions(scale=scale)), tmp_path, name)[-1]
    assert json.loads(path.read_text())["meta"]["scale"] == resolution


def test_the_sheet_on_disk_is_bled_and_the_frames_are_not(tmp_path):
    clip = Action("spin", orbit(4, 4), (80,) * 4, True, (24, 40))
    sheet = build_sheet([clip])
    with Image.open(written("aseprite", sheet, tmp_path)[0]) as page:
        pixels = np.array(page)
    assert pixels[pixels[..., 3] == 0][:, :3].any()
    with Image.open(written("frames", sheet, tmp_path)[0]) as frame:
        pixels = np.array(frame)
    assert not pixels[pixels[..., 3] == 0].any()
    assert np.array_equal(restore(sheet, "spin"), clip.frames)


def test_unknown_exports_list_the_known_ones():
    with pytest.raises(ExportError, match="aseprite, aseprite_array"):
        exporter("flash")
    assert all(row.key == key and row.label and row.extension[0] == "." for key, row in EXPORTERS.items())
