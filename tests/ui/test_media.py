"""Pictures for the page: exact frames, exact times, addresses that nobody can guess."""

from __future__ import annotations

import io
import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from pipelines.clip import Clip
from studio.library import clips
from studio.library.disk import new_id
from studio.ui import media


def _clip(count: int, side: int, durations: tuple[int, ...] | None = None) -> Clip:
    frames = np.random.default_rng(count).integers(0, 256, (count, side, side, 4), np.uint8)
    return Clip(frames * (frames[..., 3:] > 0), 12.0, "walk", durations_ms=durations)


@settings(max_examples=25, deadline=None)
@given(count=st.integers(1, 9), columns=st.integers(1, 9))
def test_a_folded_strip_holds_every_frame(count: int, columns: int) -> None:
    frames = _clip(count, 4).frames
    page = media._folded(frames, columns)
    for number, frame in enumerate(frames):
        row, column = divmod(number, columns)
        assert (page[row * 4 : row * 4 + 4, column * 4 : column * 4 + 4] == frame).all()


def test_a_strip_keeps_times_and_pixels(tmp_path: Path, gradio_cache: Path) -> None:
    clip = _clip(3, 16, (40, 120, 333))
    record = clips.add(tmp_path / "clips", new_id(), clip, {}, 1.0)
    shown = media.strip(record, pixel=True)
    assert shown["durations"] == [40, 120, 333] and shown["pixel"] and not shown["loop"]
    served = Path(shown["url"].removeprefix("gradio_api/file="))
    assert served.is_relative_to(gradio_cache)
    pixels = np.asarray(Image.open(served))
    assert (pixels == np.hstack(list(clip.frames))).all()


def test_a_long_clip_folds_into_rows(tmp_path: Path) -> None:
    record = clips.add(tmp_path / "clips", new_id(), _clip(20, 256), {}, 1.0)
    shown = media.strip(record)
    assert shown["columns"] == 16 and shown["count"] == 20


def test_addresses_follow_content_and_cannot_be_guessed(tmp_path: Path) -> None:
    path = tmp_path / "art.png"
    Image.new("RGBA", (8, 8), "red").save(path)
    first = media.url(path)
    assert re.fullmatch(r"gradio_api/file=.*/[0-9a-f]{64}/art\.png", first)
    assert media.url(path) == first
    Image.new("RGBA", (9, 9), "blue").save(path)
    assert media.url(path) != first
    assert media.url(tmp_path / "missing.png") == ""


def test_half_a_picture_is_never_kept(gradio_cache: Path) -> None:
    def fails() -> bytes:
        raise OSError("disk full")

    with pytest.raises(OSError, match="disk full"):
        media.cached("key", "a.png", fails)
    assert media.cached("key", "a.png", lambda: b"whole").read_bytes() == b"whole"
    assert not list(gradio_cache.rglob("*.part"))


def test_a_thumbnail_shows_the_figure_and_not_the_margin(tmp_path: Path) -> None:
    art = np.zeros((400, 400, 4), np.uint8)
    art[150:250, 180:220] = (200, 30, 30, 255)
    Image.fromarray(art).save(tmp_path / "art.png")
    thumb = Image.open(media.thumbnail(tmp_path / "art.png", 50).removeprefix("gradio_api/file="))
    assert thumb.size == (20, 50) and thumb.getpixel((10, 25)) == (200, 30, 30, 255)


def test_an_animated_preview_keeps_its_times(tmp_path: Path) -> None:
    pictures = [Image.new("RGBA", (8, 8), colour) for colour in ("red", "lime", "blue")]
    buffer = io.BytesIO()
    pictures[0].save(buffer, "WEBP", save_all=True, append_images=pictures[1:], duration=[50, 90, 200], lossless=True)
    (tmp_path / "on.webp").write_bytes(buffer.getvalue())
    shown = media.animation(tmp_path / "on.webp", pixel=False)
    assert shown is not None and shown["count"] == 3 and shown["durations"] == [50, 90, 200]
    assert media.animation(tmp_path / "off.webp", pixel=False) is None
