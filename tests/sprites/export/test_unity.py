"""Unity: ids that never move, sprites on one world point, clips with times, loops and events."""

import tempfile
from pathlib import Path

import numpy as np
import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from studio.sprites.export.keys import frame_keys
from studio.sprites.export.registry import EXPORTERS
from studio.sprites.export.unity_ids import local_id, quoted
from studio.sprites.frames import zero_hidden
from studio.sprites.marks import Marks
from studio.sprites.sheet import Action, SheetOptions, build_sheet
from studio.sprites.trim import Box

from ..figures import actions, orbit
from . import engine_readers as readers


def written(sheet, folder):
    return {path.name: path for path in EXPORTERS["unity"].write(sheet, Path(folder), "hero")}


@settings(max_examples=8, deadline=None)
@given(actions(), st.sampled_from([80, 4096]))
def test_sprites_stand_on_one_point_and_clips_play_them(clips, side):
    """Field reports 24, 27 and 42, from files alone: sprite pixels, pivots, order, times, loop."""
    sheet = build_sheet(clips, SheetOptions(max_size=side))
    sprites, guids = {}, {}
    with tempfile.TemporaryDirectory() as folder:
        files = written(sheet, folder)
        for name, path in files.items():
            if name.endswith(".png.meta"):
                meta, found = readers.unity(path)
                for key, value in found.items():
                    sprites[(meta["guid"], value[2]["internalID"])] = value
                    guids[key] = meta["guid"]
        assert len(
            {yaml.safe_load(p.read_text("utf-8"))["guid"] for n, p in files.items() if n[-5:] == ".meta"}
        ) == len([n for n in files if n.endswith(".meta")])
        played = [readers.unity_clip(path) for name, path in files.items() if name.endswith(".anim")]
    assert set(guids) == {f"hero_{key}" for key in frame_keys(sheet)}
    for clip, animation in zip(clips, played, strict=True):
        assert animation["m_AnimationClipSettings"]["m_LoopTime"] == int(clip.loop)
        (curve,) = animation["m_PPtrCurves"]
        keys = curve["curve"][: len(clip.frames)]
        times = [key["time"] for key in keys] + [animation["m_AnimationClipSettings"]["m_StopTime"]]
        assert np.array_equal(np.floor(1000 * np.array(times) + 0.5 + 1e-6), np.cumsum([0, *clip.durations_ms]))
        for key, frame in zip(keys, zero_hidden(clip.frames), strict=True):
            pixels, pivot, _ = sprites[(key["value"]["guid"], key["value"]["fileID"])]
            left, top = round(clip.pivot[0] - pivot[0], 6), round(clip.pivot[1] - pivot[1], 6)
            assert left == int(left) and top == int(top)
            height, width = pixels.shape[:2]
            canvas = np.zeros_like(frame)
            canvas[int(top) : int(top) + height, int(left) : int(left) + width] = pixels
            assert np.array_equal(canvas, frame)


def test_ids_survive_a_re_export_with_more_frames_and_actions(tmp_path):
    """unity-aseprite-importer issue 59: scenes and physics shapes are lost when ids move."""
    walk = Action("walk", orbit(4, 4), (80,) * 4, True, (24, 40))
    more = [
        Action("aim", orbit(2, 7), (90,) * 2, True, (24, 40)),
        Action("walk", orbit(6, 6), (70,) * 6, True, (24, 40)),
    ]
    first, second = written(build_sheet([walk]), tmp_path / "a"), written(build_sheet(more), tmp_path / "b")
    old, new = readers.unity(first["hero.png.meta"]), readers.unity(second["hero.png.meta"])
    assert old[0]["guid"] == new[0]["guid"]
    for key, (_, _, sprite) in old[1].items():
        assert [sprite[k] for k in ("spriteID", "internalID")] == [
            new[1][key][2][k] for k in ("spriteID", "internalID")
        ]
    assert first["hero_walk.anim.meta"].read_bytes() == second["hero_walk.anim.meta"].read_bytes()


def test_ids_are_these_for_ever():
    """A changed hash would break every project that imported an earlier export."""
    assert local_id("hero_walk_00") == -830362707704114449


def test_pixels_stay_crisp_and_pages_whole(tmp_path):
    clip = Action("spin", np.tile(orbit(1, 4), (1, 1, 50, 1)), (80,), True, (24, 40))
    meta, _ = readers.unity(written(build_sheet([clip], SheetOptions(trim=False)), tmp_path)["hero.png.meta"])
    settings = meta["TextureImporter"]
    (platform,) = settings["platformSettings"]
    assert settings["textureSettings"]["filterMode"] == 0 and settings["mipmaps"]["enableMipMap"] == 0
    assert settings["maxTextureSize"] == platform["maxTextureSize"] == 4096 and platform["textureCompression"] == 0
    assert (settings["spriteMode"], settings["textureType"], settings["alphaIsTransparency"]) == (2, 8, 1)
    assert settings["spritePixelsToUnits"] == 100


def test_a_held_last_frame_events_and_the_body_shape(tmp_path):
    marks = Marks({"body": (None, *(Box(4, 6, 10, 20),) * 2)}, events={"foot step": (1,), "2nd": (2,)})
    clip = Action("hit", orbit(3, 5), (50, 50, 200), False, (24, 40), marks)
    files = written(build_sheet([clip], SheetOptions(trim=False)), tmp_path)
    animation = readers.unity_clip(files["hero_hit.anim"])
    assert [k["time"] for k in animation["m_PPtrCurves"][0]["curve"]] == [0, 0.05, 0.1, 0.25]
    assert animation["m_SampleRate"] == 20 and animation["m_AnimationClipSettings"]["m_StopTime"] == 0.3
    assert [(e["time"], e["functionName"], e["data"]) for e in animation["m_Events"]] == [
        (0.05, "foot_step", "foot step"),
        (0.1, "_2nd", "2nd"),
    ]
    shapes = [sprite["physicsShape"] for _, _, sprite in readers.unity(files["hero.png.meta"])[1].values()]
    corners = [{"x": -20, "y": 18}, {"x": -10, "y": 18}, {"x": -10, "y": -2}, {"x": -20, "y": -2}]
    assert shapes == [[], [corners], [corners]]


@pytest.mark.parametrize(
    "text", ["yes", "null", "12_00", "1e5_0", "@x", "-", "名前", "🧙", 'a"b\\', "a: b", "hero_walk_00"]
)
def test_yaml_reads_every_name_as_text(text):
    assert yaml.safe_load(f"- {quoted(text)}") == [text] and yaml.safe_load(f"{quoted(text)}: 1") == {text: 1}


def test_unityparser_reads_both_files(tmp_path):
    """Runs where unityparser is installed; it pins an older PyYAML, so it cannot be a requirement."""
    parser = pytest.importorskip("unityparser").UnityDocument
    clip = Action("名 walk", orbit(4, 4), (80,) * 4, True, (24, 40))
    files = written(build_sheet([clip]), tmp_path)
    animation = parser.load_yaml(str(files["hero_名_walk.anim"])).entry
    assert animation.m_Name == "hero_名_walk" and len(animation.m_PPtrCurves[0]["curve"]) == 4
    settings = parser.load_yaml(str(files["hero.png.meta"])).entry["TextureImporter"]
    assert [s["name"] for s in settings["spriteSheet"]["sprites"]] == [f"hero_名_walk_0{n}" for n in range(4)]
