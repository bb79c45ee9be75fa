"""Zips of frames, and zips that are none."""

from __future__ import annotations

import io
import stat
import tempfile
import zipfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from pipelines.errors import PictureError
from studio.intake import Caps, read_frames, safe_name


def png(level: int = 100, size: int = 16) -> bytes:
    buffer = io.BytesIO()
    Image.new("RGBA", (size, size), (level, level, level, 255)).save(buffer, "PNG")
    return buffer.getvalue()


def packed(path: Path, members: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> Path:
    with zipfile.ZipFile(path, "w", method) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return path


@pytest.fixture(autouse=True)
def clean_temp(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Nothing is unpacked to disk: not to the temporary folder, not beside the zip, not above it."""
    folder = tmp_path / "temp"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    yield
    assert list(folder.iterdir()) == []
    assert {entry.suffix for entry in tmp_path.iterdir() if entry != folder} <= {".zip"}


def refused(path: Path, *words: str, caps: Caps = Caps()) -> None:
    with pytest.raises(PictureError) as caught:
        read_frames(path, caps=caps)
    assert all(word in str(caught.value) for word in words), str(caught.value)


def test_frames_come_in_natural_order(tmp_path: Path) -> None:
    members = {f"run/run_{i}.png": png(10 * i + 10) for i in (10, 2, 1, 9)}
    litter = {"__MACOSX/run/._run_1.png": b"x", "run/.DS_Store": b"x", "run/credits.txt": b"me", "run/": b""}
    read = read_frames(packed(tmp_path / "run.zip", members | litter))
    assert read.frames[:, 0, 0, 0].tolist() == [20, 30, 100, 110]
    assert read.durations_ms == (100,) * 4


@pytest.mark.parametrize("name", ["../out.png", "a/../../out.png", "/etc/out.png", "C:/out.png", "..\\out.png"])
def test_paths_out_of_the_folder(tmp_path: Path, name: str) -> None:
    """Field report 9."""
    refused(packed(tmp_path / "evil.zip", {"a.png": png(), name: png()}), "path out of its folder")
    assert not (tmp_path.parent / "out.png").exists()


def test_links(tmp_path: Path) -> None:
    link = zipfile.ZipInfo("a.png")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    with zipfile.ZipFile(tmp_path / "link.zip", "w") as archive:
        archive.writestr(link, "/etc/passwd")
    refused(tmp_path / "link.zip", "link", "a.png")


def test_a_bomb_is_known_by_its_ratio(tmp_path: Path) -> None:
    refused(packed(tmp_path / "bomb.zip", {"a.png": bytes(3 << 20)}), "times its size")


def test_a_bomb_is_known_by_its_total(tmp_path: Path) -> None:
    members = {f"{i}.png": bytes(200_000) for i in range(10)}
    refused(packed(tmp_path / "bomb.zip", members), "unpacks to", "Split it", caps=Caps(file_bytes=1 << 20))


def test_too_many_members(tmp_path: Path) -> None:
    refused(packed(tmp_path / "a.zip", {f"{i}.png": b"" for i in range(9)}), "9 files", caps=Caps(members=8))


def test_too_many_frames(tmp_path: Path) -> None:
    members = {f"{i}.png": png() for i in range(5)}
    refused(packed(tmp_path / "a.zip", members), "5 frames", caps=Caps(frames=4))


def test_nested_zip(tmp_path: Path) -> None:
    inner = packed(tmp_path / "inner.zip", {"a.png": png()}).read_bytes()
    refused(packed(tmp_path / "outer.zip", {"a.png": png(), "b.png": inner}), "another zip", "b.png")


def test_no_pictures_or_something_else(tmp_path: Path) -> None:
    refused(packed(tmp_path / "empty.zip", {}), "no frames")
    refused(packed(tmp_path / "text.zip", {"a.txt": b"hello"}), "no frames")
    refused(packed(tmp_path / "exe.zip", {"a.exe": b"MZ\x90\0"}), "a.exe", "not a picture")


def test_frames_of_two_sizes(tmp_path: Path) -> None:
    members = {"a.png": png(), "b.png": png(size=24)}
    refused(packed(tmp_path / "a.zip", members), "24 x 24", "16 x 16", "untrimmed")


def test_a_password(tmp_path: Path) -> None:
    path = packed(tmp_path / "a.zip", {"a.png": png()})
    raw = bytearray(path.read_bytes())
    for magic, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        raw[raw.index(magic) + offset] |= 1
    path.write_bytes(raw)
    refused(path, "password")


def test_damaged(tmp_path: Path) -> None:
    path = packed(tmp_path / "a.zip", {"a.png": png()}, zipfile.ZIP_STORED)
    raw = path.read_bytes()
    path.write_bytes(raw[:-30])
    refused(path, "damaged zip")
    path.write_bytes(raw.replace(b"IDAT", b"IDAX"))
    refused(path, "damaged")


def test_a_size_that_lies(tmp_path: Path) -> None:
    path = packed(tmp_path / "a.zip", {"a.png": png(size=64)})
    raw = bytearray(path.read_bytes())
    for magic, offset in ((b"PK\x03\x04", 22), (b"PK\x01\x02", 24)):
        start = raw.index(magic) + offset
        raw[start : start + 4] = (40).to_bytes(4, "little")
    path.write_bytes(raw)
    refused(path, "damaged")


def test_a_damaged_member_is_named(tmp_path: Path) -> None:
    noise = io.BytesIO()
    Image.fromarray(np.random.default_rng(0).integers(0, 256, (16, 16, 3)).astype(np.uint8)).save(noise, "PNG")
    members = {"a.png": png(), "b.png": noise.getvalue()[:200]}
    refused(packed(tmp_path / "a.zip", members), "b.png", "damaged")


ODD = ["", ".", "...", "end. ", "a\0b", "x" * 300, "é" * 300, "🗡️🛡️"]
HOSTILE = [*ODD, "../x", "..\\x", "/etc/passwd", "C:\\a", "CON", "nul.txt"]


@pytest.mark.parametrize("text", HOSTILE)
def test_library_names_stay_in_their_folder(tmp_path: Path, text: str) -> None:
    """Field report 9."""
    name = safe_name(text)
    assert (tmp_path / name).resolve().parent == tmp_path.resolve()
    assert 0 < len(name) <= 64 and len(name.encode()) <= 255
    assert name == name.strip(" .") and not set(name) & set('/\\:*?"<>|\0')
    assert name.split(".")[0].upper() not in ("CON", "NUL", "AUX", "PRN", "COM1", "LPT1")


@given(st.text(max_size=400))
def test_any_text_makes_a_name(text: str) -> None:
    """Field report 9."""
    name = safe_name(text)
    assert name and name not in (".", "..") and not set(name) & set('/\\:*?"<>|\0\n')
