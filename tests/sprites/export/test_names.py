"""File names from anything an artist can type (field report 9)."""

from pathlib import Path, PurePosixPath, PureWindowsPath

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from studio.sprites.export.keys import frame_keys
from studio.sprites.export.names import distinct_names, safe_name
from studio.sprites.export.registry import EXPORTERS
from studio.sprites.sheet import Action, build_sheet

from ..figures import orbit

NASTY = [
    "../../etc/passwd", "/absolute", "C:\\Windows\\x", "..", ".", "", "   ", "CON", "con.png", "NUL.tar.gz", "LPT1",
    "COM¹", "a\0b", "line\nbreak", "x" * 300, "🧙" * 300, "é" * 300, "a/b", "a\\b", "a:b", "trailing. ", "-rf", "~",
    "\u202egnp.exe", "名前" * 60, "CONIN$", "*?<>|\"", "\ud800",
]  # fmt: skip


@pytest.mark.parametrize("text", NASTY, ids=ascii)
def test_nasty_names_become_one_harmless_part(text, tmp_path):
    name = safe_name(text)
    for flavour in (PurePosixPath, PureWindowsPath):
        assert flavour(f"{name}.png").name == f"{name}.png" and not flavour(name).is_absolute()
    assert not PureWindowsPath(f"{name}.png").is_reserved()
    assert name == name.strip(" .") and len(f"{name}_{name}_9999.array.json".encode()) <= 255
    (tmp_path / f"{name}.png").write_bytes(b"x")
    assert [p.name for p in tmp_path.iterdir()] == [f"{name}.png"]


@given(st.text(max_size=400))
def test_safe_names_are_stable_short_and_plain(text):
    name = safe_name(text)
    assert safe_name(name) == name
    assert 1 <= len(name) <= 64 and len(name.encode()) <= 100
    assert not set(name) & set('/\\:*?"<>|\0\n\r\t ') and name[0] != "." and name[-1] != "."


def test_ordinary_names_stay_as_they_are():
    assert [safe_name(n) for n in ("hero", "Rüstung-2", "騎士", "walk.v2")] == ["hero", "Rüstung-2", "騎士", "walk.v2"]
    assert safe_name("big slash") == "big_slash"
    assert safe_name("///", fallback="action") == "action"


def test_markup_and_runs_of_signs_leave_no_rubble():
    """A name pasted from a page was written as ``b_Wanda__b``."""
    assert safe_name("<b>Wanda</b>") == "Wanda"
    assert safe_name("walk  /  run") == "walk_run" and safe_name("a _ b") == "a_b"
    assert safe_name("half__done") == "half__done"
    assert safe_name("hero@2x") == "hero@2x" and safe_name("1 < 2 > 0") == "1_2_0"


def test_frame_names_stay_when_frames_are_added():
    """References in a game survive a re-export with more frames, even past a hundred."""
    few, many = (
        build_sheet([Action("walk", np.repeat(orbit(1, 5), n, 0), (80,) * n, True, (6, 12))]) for n in (3, 120)
    )
    assert frame_keys(few) == ["walk_00", "walk_01", "walk_02"]
    assert frame_keys(many)[:3] == frame_keys(few) and frame_keys(many)[-1] == "walk_119"


def test_names_that_would_be_one_file_are_numbered():
    assert distinct_names(["walk", "Walk", "wa/lk", "wa:lk", "walk_2"]) == [
        "walk",
        "Walk_2",
        "wa_lk",
        "wa_lk_2",
        "walk_2_2",
    ]


@pytest.mark.parametrize("key", EXPORTERS)
def test_no_export_leaves_its_folder(key, tmp_path):
    """Field report 9: action and sheet names from outside, in every writer."""
    names = ["../up", "..\\up", "/root", "CON", "x" * 300, "a\0b", "🧙"]
    frames = orbit(2, 5)[:, ::4, ::4]
    sheet = build_sheet([Action(n, np.roll(frames, i, 1), (80, 80), True, (6, 12)) for i, n in enumerate(names)])
    folder = tmp_path / "deep" / "out"
    for name in ("../../evil", "NUL", "y" * 300):
        for path in EXPORTERS[key].write(sheet, folder, name):
            assert path.parent == folder and path.is_file()
    assert {p for p in tmp_path.rglob("*") if p.is_file()} == set(folder.iterdir())
    assert list(Path(tmp_path).iterdir()) == [tmp_path / "deep"]
