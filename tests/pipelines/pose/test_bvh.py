"""BVH files: read as they say, refused when they lie."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipelines.pose import bvh as reader
from pipelines.pose.bvh import MotionFileError, is_bvh, parse_bvh, read_bvh
from tests.pipelines.pose.bvh_files import bvh

GOOD = bvh([{}, {}])


def at(text: str, name: str) -> np.ndarray:
    """(T, 3) of one joint of the file."""
    capture = parse_bvh(text)
    return capture.places[:, [bone.name for bone in capture.bones].index(name)]


def test_joints_are_where_the_offsets_add_up() -> None:
    capture = parse_bvh(GOOD)
    assert capture.places.shape == (2, 21, 3) and capture.fps == pytest.approx(10)
    np.testing.assert_allclose(at(GOOD, "LeftHand")[0], (76, 147, 0))
    np.testing.assert_allclose(at(GOOD, "Head/end")[1], (0, 184, 0))
    np.testing.assert_allclose(at(GOOD, "RightToeBase")[0], (-9, 0, 15))


def test_turns_go_down_the_chain_in_the_order_of_the_channels() -> None:
    down = bvh([{"LeftArm": (-90, 0, 0)}])
    np.testing.assert_allclose(at(down, "LeftHand")[0], (19, 90, 0), atol=1e-9)
    # z, then x in the turned frame: the forearm that hung down is lifted forwards by a turn about its own x
    both = bvh([{"LeftArm": (-90, 0, 0), "LeftForeArm": (0, 0, -90)}])
    np.testing.assert_allclose(at(both, "LeftHand")[0], (19, 117, 27), atol=1e-9)
    mixed = bvh([{"Hips": (30, 40, 0)}])
    z, x = np.radians(30), np.radians(40)
    arm = np.array([76 - 0, 147 - 95, 0.0])
    turned = np.array([arm[0], arm[1] * np.cos(x), arm[1] * np.sin(x)])
    turned = np.array(
        [turned[0] * np.cos(z) - turned[1] * np.sin(z), turned[0] * np.sin(z) + turned[1] * np.cos(z), turned[2]]
    )
    np.testing.assert_allclose(at(mixed, "LeftHand")[0], turned + np.array((0, 95, 0)), atol=1e-3)


def test_the_root_goes_where_its_channels_say() -> None:
    np.testing.assert_allclose(at(bvh([{"root": (5, 100, -7)}]), "Hips")[0], (5, 100, -7))


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ("", "not a BVH"),
        ("HIERARCHY", "not a BVH"),
        (GOOD.replace("HIERARCHY", "HIERARCHIES"), "not a BVH"),
        (GOOD.replace("Frames: 2", "Frames: 3"), "should hold 3 frames"),
        (GOOD.replace("Frames: 2", "Frames: 99999"), "1 to 20000"),
        (GOOD.replace("Frames: 2", "Frames: -1"), "1 to 20000"),
        (GOOD.replace("Frames: 2", "Frames: 20000"), "should hold 20000"),
        (GOOD.replace("Frame Time: 0.1", "Frame Time: 0"), "seconds each"),
        (GOOD.replace("Frame Time: 0.1", "Frame Tame: 0.1"), "frame time"),
        (GOOD.replace("OFFSET 0 12 0", "OFFSET 0 nan 0"), "'nan'"),
        (GOOD.replace("OFFSET 0 12 0", "OFFSET 0 1e99 0"), "'1e99'"),
        (GOOD.replace("95.0000", "inf"), "endless"),
        (GOOD.replace("95.0000", "many"), "something else than numbers"),
        (GOOD.replace("Zrotation", "Wrotation"), "unknown channels"),
        (GOOD.replace("CHANNELS 6", "CHANNELS 600"), "unknown channels"),
        (GOOD.replace("JOINT Spine", "ROOT Spine"), "one ROOT"),
        (GOOD.replace("ROOT Hips", "JOINT Hips"), "one ROOT"),
        (GOOD.replace("}\nMOTION", "MOTION"), "middle of its hierarchy"),
        (GOOD.replace("OFFSET 0 12 0", "SURPRISE"), "'SURPRISE'"),
    ],
)
def test_a_broken_file_is_refused_and_says_why(wrong: str, says: str) -> None:
    with pytest.raises(MotionFileError, match=says):
        parse_bvh(wrong)


def test_bombs_are_refused_before_they_go_off(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    deep = "JOINT a { OFFSET 0 0 0 CHANNELS 1 Zrotation " * 500
    with pytest.raises(MotionFileError, match="longer than 64"):
        parse_bvh("HIERARCHY ROOT r { OFFSET 0 0 0 " + deep + "MOTION Frames: 1 Frame Time: 1 0")
    wide = "JOINT a { OFFSET 0 0 0 } " * 500
    with pytest.raises(MotionFileError, match="more than 256"):
        parse_bvh("HIERARCHY ROOT r { OFFSET 0 0 0 " + wide + "} MOTION Frames: 1 Frame Time: 1 0")
    monkeypatch.setattr(reader, "NUMBERS", 60)
    with pytest.raises(MotionFileError, match="too long"):
        parse_bvh(GOOD)
    file = tmp_path / "a.bvh"
    file.write_text(GOOD)
    monkeypatch.setattr(reader, "BYTES", 1 << 10)
    with pytest.raises(MotionFileError, match="larger than"):
        read_bvh(file)


@settings(max_examples=150, deadline=None)
@given(data=st.data())
def test_no_damage_makes_anything_but_a_clear_refusal(data: st.DataObject) -> None:
    cut = sorted(data.draw(st.tuples(*[st.integers(0, len(GOOD))] * 2)))
    junk = data.draw(st.text(max_size=12))
    text = GOOD[: cut[0]] + junk + GOOD[cut[1] :]
    try:
        capture = parse_bvh(text)
    except MotionFileError as error:
        assert len(str(error)) < 300
    else:
        assert np.isfinite(capture.places).all()


def test_files_are_known_by_their_content(tmp_path: Path) -> None:
    for content, answer in ((b"\xef\xbb\xbf\r\nHIERARCHY\n", True), (b"GIF89a HIERARCHY", False), (b"", False)):
        (tmp_path / "x.gif").write_bytes(content)
        assert is_bvh(tmp_path / "x.gif") is answer
    (tmp_path / "y.bvh").write_bytes(b"\xef\xbb\xbf" + GOOD.replace("\n", "\r\n").encode())
    assert read_bvh(tmp_path / "y.bvh").places.shape == (2, 21, 3)
