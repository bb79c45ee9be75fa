"""Animations, sheets and videos as artists send them."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
import pytest
from PIL import Image

from pipelines.errors import PictureError
from studio.intake import Caps, read_frames

COLOURS = [(200, 30, 20), (20, 180, 40), (30, 60, 220), (230, 210, 30)]


def walk(count: int = 4, size: int = 32) -> np.ndarray:
    """uint8 (T, S, S, 4): a block that changes colour and moves; frames 2 and 3 are equal."""
    frames = np.zeros((count, size, size, 4), np.uint8)
    for i in range(count):
        j = 2 if i == 3 else i
        frames[i, 4 + j : 24 + j, 8:24] = (*COLOURS[j % 4], 255)
    return frames


def animated(path: Path, frames: np.ndarray, durations: list[int], **options: object) -> Path:
    images = [Image.fromarray(frame) for frame in frames]
    images[0].save(path, save_all=True, append_images=images[1:], duration=durations, loop=0, **options)
    return path


def refused(path: Path, *words: str, **settings: object) -> None:
    with pytest.raises(PictureError) as caught:
        read_frames(path, **settings)
    assert all(word in str(caught.value) for word in words), str(caught.value)


def test_gif_frames_and_durations(tmp_path: Path) -> None:
    """Field report 32: count, durations and pixels; no ghost of the frame before."""
    frames = walk(3)
    read = read_frames(animated(tmp_path / "a.gif", frames, [40, 120, 250], disposal=2))
    assert read.durations_ms == (40, 120, 250)
    assert (read.frames[..., 3] == frames[..., 3]).all()
    assert np.abs(read.frames.astype(int) - frames).max() < 8


def test_apng_frames_and_durations(tmp_path: Path) -> None:
    """Field report 32."""
    frames = walk(3)
    read = read_frames(animated(tmp_path / "a.png", frames, [40, 125, 250], disposal=1, blend=0))
    assert read.durations_ms == (40, 125, 250)
    assert (read.frames == frames).all()


def test_apng_default_image_is_not_a_frame(tmp_path: Path) -> None:
    frames = walk(3)
    path = animated(tmp_path / "a.png", frames, [100, 100], disposal=1, blend=0, default_image=True)
    read = read_frames(path)
    assert (read.frames == frames[1:]).all()


def test_webp_frames_and_durations(tmp_path: Path) -> None:
    """Field report 32."""
    frames = walk(3)
    read = read_frames(animated(tmp_path / "a.webp", frames, [40, 125, 250], lossless=True, exact=True))
    assert read.durations_ms == (40, 125, 250)
    assert (read.frames == frames).all()


def test_a_gif_without_durations_gets_the_browser_default(tmp_path: Path) -> None:
    read = read_frames(animated(tmp_path / "a.gif", walk(3), [0, 0, 0], disposal=2))
    assert read.durations_ms == (100, 100, 100)
    assert "100 ms: 3" in read.note


def test_too_many_frames(tmp_path: Path) -> None:
    path = animated(tmp_path / "long.gif", walk(3, 16), [40] * 3, disposal=2)
    refused(path, "3 frames", "2 are the most", "Cut it", caps=Caps(frames=2))


def test_frames_are_reduced_to_the_byte_cap(tmp_path: Path) -> None:
    path = animated(tmp_path / "a.webp", np.repeat(np.repeat(walk(3), 4, 1), 4, 2), [40] * 3, lossless=True)
    read = read_frames(path, caps=Caps(frame_bytes=3 * 64 * 64 * 4))
    assert read.frames.shape == (3, 64, 64, 4)
    assert "128 x 128 to 64 x 64" in read.note


@pytest.mark.parametrize("kind", ["gif", "webp", "png"])
def test_cut_off_animation(tmp_path: Path, kind: str) -> None:
    noise = np.random.default_rng(0).integers(0, 256, (4, 48, 48, 4)).astype(np.uint8)
    path = animated(tmp_path / f"a.{kind}", noise, [40] * 4)
    path.write_bytes(path.read_bytes()[: int(path.stat().st_size * 0.6)])
    refused(path, "a." + kind)


def test_invisible_animation(tmp_path: Path) -> None:
    frames = np.zeros((2, 32, 32, 4), np.uint8)
    frames[1, 0, 0, 0] = 255
    refused(animated(tmp_path / "a.png", frames, [40, 40], disposal=1, blend=0), "transparent")


def video(path: Path, frames: np.ndarray, codec: str, pixels: str, rate: int = 12, **metadata: str) -> Path:
    with av.open(str(path), "w") as container:
        stream = container.add_stream(codec, rate=rate)
        stream.width, stream.height, stream.pix_fmt = frames.shape[2], frames.shape[1], pixels
        stream.metadata.update(metadata)
        stream.time_base = Fraction(1, rate)
        for number, frame in enumerate(frames):
            picture = av.VideoFrame.from_ndarray(frame, format="rgba")
            picture.pts = number
            container.mux(stream.encode(picture))
        container.mux(stream.encode())
    return path


@pytest.mark.parametrize("kind", ["mp4", "mov", "webm"])
def test_video(tmp_path: Path, kind: str) -> None:
    frames = walk(6, 64)
    frames[..., 3] = 255
    codec = "libvpx-vp9" if kind == "webm" else "libx264"
    read = read_frames(video(tmp_path / f"a.{kind}", frames, codec, "yuv420p"))
    assert read.frames.shape == (6, 64, 64, 4)
    assert abs(sum(read.durations_ms) - 500) <= 2
    assert (read.frames[..., 3] == 255).all()
    assert np.abs(read.frames[1, 14, 16, :3].astype(int) - COLOURS[1]).max() < 40


def test_webm_keeps_its_alpha(tmp_path: Path) -> None:
    frames = walk(4, 64)
    read = read_frames(video(tmp_path / "a.webm", frames, "libvpx-vp9", "yuva420p", alpha_mode="1"))
    assert len(read.frames) == 4
    assert (read.frames[:, 60, 60] == 0).all()
    assert read.frames[0, 14, 16, 3] > 240
    assert abs(sum(read.durations_ms) - 333) <= 2


def test_video_too_long_and_damaged(tmp_path: Path) -> None:
    path = video(tmp_path / "a.mp4", walk(6, 64), "libx264", "yuv420p")
    refused(path, "6 frames", "frame rate", caps=Caps(frames=4))
    path.write_bytes(path.read_bytes()[:400])
    refused(path, "cannot be decoded", "H.264")


def test_video_too_large(tmp_path: Path) -> None:
    path = video(tmp_path / "a.mp4", walk(2, 64), "libx264", "yuv420p")
    refused(path, "64 x 64", "too large", caps=Caps(pixels=4000))


def test_video_that_changes_its_size(tmp_path: Path) -> None:
    first = video(tmp_path / "a.webm", walk(3, 64), "libvpx-vp9", "yuv420p")
    second = video(tmp_path / "b.webm", walk(3, 96), "libvpx-vp9", "yuv420p")
    both = tmp_path / "c.webm"
    with av.open(str(first)) as one, av.open(str(second)) as two, av.open(str(both), "w") as out:
        stream = out.add_stream_from_template(one.streams.video[0])
        for start, source in enumerate((one, two)):
            for packet in source.demux(video=0):
                if packet.size:
                    packet.pts = packet.dts = packet.pts + 250 * start
                    packet.stream = stream
                    out.mux(packet)
    refused(both, "changes its size")


def test_a_strip_of_square_cells(tmp_path: Path) -> None:
    frames = np.full((5, 32, 32, 4), 255, np.uint8)
    frames[..., 0] = np.arange(5)[:, None, None] * 50
    Image.fromarray(np.concatenate(list(frames), axis=1)).save(tmp_path / "strip.png")
    read = read_frames(tmp_path / "strip.png")
    assert (read.frames == frames).all()
    assert "5 x 1" in read.note


def test_a_grid_is_found_by_its_gutters_and_empty_cells_go(tmp_path: Path) -> None:
    frames = walk(4)
    cells = [*frames, frames[0], np.zeros_like(frames[0])]
    sheet = np.concatenate([np.concatenate(cells[:3], axis=1), np.concatenate(cells[3:], axis=1)])
    Image.fromarray(sheet).save(tmp_path / "grid.png")
    read = read_frames(tmp_path / "grid.png")
    assert (read.frames == np.stack(cells[:5])).all()
    assert "3 x 2" in read.note


def test_a_grid_can_be_given(tmp_path: Path) -> None:
    Image.fromarray(np.full((40, 60, 4), 255, np.uint8)).save(tmp_path / "grid.png")
    assert read_frames(tmp_path / "grid.png", columns=3, rows=2).frames.shape == (6, 20, 20, 4)
    refused(tmp_path / "grid.png", "60 x 40", "7 x 1", columns=7)


def test_one_figure_is_never_cut_in_pieces(tmp_path: Path) -> None:
    art = np.zeros((96, 64, 4), np.uint8)
    art[4:20, 20:44] = art[30:92, 16:48] = (90, 80, 70, 255)
    Image.fromarray(art).save(tmp_path / "still.png")
    assert read_frames(tmp_path / "still.png").frames.shape == (1, 96, 64, 4)


def sheet_with_json(folder: Path, **changes: object) -> Path:
    """Two trimmed frames of a 32 px canvas, in Aseprite's hash form."""
    frames = walk(2)
    sheet = np.concatenate([frames[0, 4:24, 8:24], frames[1, 5:25, 8:24]], axis=1)
    Image.fromarray(sheet).save(folder / "walk.png")
    about = {
        f"walk {i}.aseprite": {
            "frame": {"x": 16 * i, "y": 0, "w": 16, "h": 20},
            "rotated": False,
            "trimmed": True,
            "spriteSourceSize": {"x": 8, "y": 4 + i, "w": 16, "h": 20},
            "sourceSize": {"w": 32, "h": 32},
            "duration": 80 + 40 * i,
        }
        for i in range(2)
    }
    about["walk 1.aseprite"].update(changes)
    (folder / "walk.json").write_text(json.dumps({"frames": about, "meta": {}}))
    return folder / "walk.png"


def test_aseprite_json_beside_the_sheet(tmp_path: Path) -> None:
    read = read_frames(sheet_with_json(tmp_path))
    assert (read.frames == walk(2)).all()
    assert read.durations_ms == (80, 120)


def test_aseprite_array_form(tmp_path: Path) -> None:
    path = sheet_with_json(tmp_path)
    about = json.loads((tmp_path / "walk.json").read_text())
    array = tmp_path / "array.json"
    array.write_text(json.dumps({"frames": list(about["frames"].values())}))
    (tmp_path / "walk.json").unlink()
    assert (read_frames(path, sheet=array).frames == walk(2)).all()


@pytest.mark.parametrize(
    ("changes", "word"),
    [
        ({"rotated": True}, "without rotation"),
        ({"frame": {"x": 30, "y": 0, "w": 16, "h": 20}}, "outside the sheet"),
        ({"frame": {"x": -16, "y": 0, "w": 16, "h": 20}}, "outside the sheet"),
        ({"frame": "big"}, "no number"),
        ({"frame": {"x": 0, "y": 0, "w": True, "h": 20}}, "no number"),
        ({"frame": {"x": float("nan"), "y": 0, "w": 1, "h": 20}}, "no number"),
        ({"sourceSize": {"w": 10, "h": 10}}, "does not fit"),
        ({"sourceSize": {"w": 100000, "h": 100000}}, "does not fit"),
        ({"sourceSize": {"w": 64, "h": 64}}, "another canvas"),
    ],
)
def test_hostile_sheet_json(tmp_path: Path, changes: dict[str, object], word: str) -> None:
    refused(sheet_with_json(tmp_path, **changes), word)


@pytest.mark.parametrize("text", ["", "{", "[" * 100_000, "{}", '{"frames": [1]}', '{"frames": []}', "[]"])
def test_sheet_json_that_is_none(tmp_path: Path, text: str) -> None:
    path = sheet_with_json(tmp_path)
    (tmp_path / "walk.json").write_text(text)
    with pytest.raises(PictureError, match="walk"):
        read_frames(path, sheet=tmp_path / "walk.json")


def test_a_json_that_lists_no_frames_is_not_taken_for_a_sheet(tmp_path: Path) -> None:
    """Joints saved beside a drawing must not stand in the way of the drawing."""
    picture = np.zeros((12, 12, 4), np.uint8)
    picture[2:10, 3:9] = (200, 30, 30, 255)
    Image.fromarray(picture).save(tmp_path / "hero.png")
    for content in ('{"joints": {"pelvis": [6, 6]}}', "not json", "[1, 2]"):
        (tmp_path / "hero.json").write_text(content, encoding="utf-8")
        assert len(read_frames(tmp_path / "hero.png").frames) == 1
