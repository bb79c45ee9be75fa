"""Every picture that an artist, or an attacker, may drop on the page."""

from __future__ import annotations

import io
import struct
import tempfile
import zlib
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageCms

from pipelines.errors import PictureError
from studio.intake import Caps, read_frames, read_picture


def figure(width: int = 40, height: int = 30) -> np.ndarray:
    """uint8 (H, W, 4): a red block on nothing, one pixel of it green at the top left."""
    art = np.zeros((height, width, 4), np.uint8)
    art[5 : height - 5, 8 : width - 8] = (200, 30, 20, 255)
    art[5, 8] = (0, 255, 0, 255)
    return art


def saved(path: Path, image: Image.Image, **options: object) -> Path:
    image.save(path, **options)
    return path


def chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def header_only_png(width: int, height: int) -> bytes:
    """A PNG that announces a size and holds nearly nothing."""
    head = struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(b"\0" * 64)) + chunk(b"IEND", b"")


@pytest.fixture(autouse=True)
def clean_temp(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch):
    """Nothing may be left in the temporary folder, whatever came in."""
    folder = tmp_path_factory.mktemp("temp")
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    yield
    assert list(folder.iterdir()) == []


def refused(path: Path, *words: str) -> None:
    with pytest.raises(PictureError) as caught:
        read_picture(path)
    text = str(caught.value)
    assert path.name in text, text
    assert all(word in text for word in words), text


def test_a_plain_png_comes_through_exactly(tmp_path: Path) -> None:
    art = figure()
    read = read_picture(saved(tmp_path / "a.png", Image.fromarray(art)))
    assert (read.rgba == art).all()
    assert read.note == ""


def test_hidden_colour_under_transparency_is_dropped(tmp_path: Path) -> None:
    art = figure()
    art[0, 0] = (255, 255, 255, 0)
    assert (read_picture(saved(tmp_path / "a.png", Image.fromarray(art))).rgba[0, 0] == 0).all()


@pytest.mark.parametrize("extension", ["jpg", "webp", "bmp", "tiff", "gif", "avif"])
def test_every_still_format_is_read_by_content(tmp_path: Path, extension: str) -> None:
    image = Image.fromarray(figure()).convert("RGB")
    path = saved(tmp_path / f"a.{extension}", image, **({"quality": 95} if extension in ("jpg", "avif") else {}))
    misnamed = path.rename(tmp_path / "a.dat")
    read = read_picture(misnamed)
    assert read.rgba.shape == (30, 40, 4)
    assert np.abs(read.rgba[15, 20].astype(int) - (200, 30, 20, 255)).max() < 12


def test_cmyk_jpeg_keeps_its_colours(tmp_path: Path) -> None:
    read = read_picture(
        saved(tmp_path / "a.jpg", Image.new("RGB", (40, 30), (200, 30, 20)).convert("CMYK"), quality=95)
    )
    assert np.abs(read.rgba[15, 20, :3].astype(int) - (200, 30, 20)).max() < 12
    assert "CMYK" in read.note


def test_sixteen_bit_grey_is_scaled_not_clipped(tmp_path: Path) -> None:
    grey = np.full((30, 40), 1000, np.uint16)
    grey[10:20] = 40000
    read = read_picture(saved(tmp_path / "a.png", Image.fromarray(grey)))
    assert read.rgba[15, 5].tolist() == [156, 156, 156, 255]
    assert read.rgba[0, 0].tolist() == [4, 4, 4, 255]
    assert "16 bits" in read.note


def test_sixteen_bit_colour_png(tmp_path: Path) -> None:
    row = b"\0" + struct.pack(">HHH", 0xC8C8, 0x1E1E, 0x1414) * 16
    data = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 16, 16, 16, 2, 0, 0, 0))
    path = tmp_path / "a.png"
    path.write_bytes(data + chunk(b"IDAT", zlib.compress(row * 16)) + chunk(b"IEND", b""))
    assert read_picture(path).rgba[8, 8].tolist() == [200, 30, 20, 255]


def test_palette_with_transparency(tmp_path: Path) -> None:
    image = Image.new("P", (40, 30), 0)
    image.putpalette([255, 0, 255, 10, 20, 30] + [0] * 762)
    image.paste(1, (10, 10, 30, 20))
    read = read_picture(saved(tmp_path / "a.png", image, transparency=0))
    assert read.rgba[0, 0].tolist() == [0, 0, 0, 0]
    assert read.rgba[15, 15].tolist() == [10, 20, 30, 255]


@pytest.mark.parametrize(("mode", "colour"), [("L", 90), ("LA", (90, 255)), ("1", 1)])
def test_grey_modes(tmp_path: Path, mode: str, colour: object) -> None:
    value = 255 if mode == "1" else 90
    assert read_picture(saved(tmp_path / "a.png", Image.new(mode, (40, 30), colour))).rgba[3, 3].tolist() == [
        value,
        value,
        value,
        255,
    ]


def test_exif_rotation_is_applied(tmp_path: Path) -> None:
    image = Image.new("RGB", (40, 30), (250, 250, 250))
    image.paste((200, 30, 20), (0, 0, 10, 30))
    exif = Image.Exif()
    exif[0x0112] = 6
    read = read_picture(saved(tmp_path / "a.jpg", image, exif=exif, quality=95))
    assert read.rgba.shape == (40, 30, 4)
    assert read.rgba[3, 15, 1] < 80 < 200 < read.rgba[35, 15, 1]
    assert "upright" in read.note


def test_an_icc_profile_is_converted_and_alpha_kept(tmp_path: Path) -> None:
    lab = ImageCms.ImageCmsProfile(ImageCms.createProfile("XYZ"))
    art = figure()
    image = Image.fromarray(art)
    plain = read_picture(saved(tmp_path / "s.png", image, icc_profile=srgb_bytes()))
    assert (plain.rgba == art).all() and plain.note == ""
    odd = read_picture(saved(tmp_path / "x.png", image, icc_profile=lab.tobytes()))
    assert (odd.rgba == art).all()
    broken = read_picture(saved(tmp_path / "b.png", image, icc_profile=b"not a profile"))
    assert (broken.rgba == art).all()
    wide = read_picture(saved(tmp_path / "w.png", image, icc_profile=swapped_profile()))
    assert wide.note == "Colours converted to sRGB."
    assert wide.rgba[15, 20, 1] > 150 > wide.rgba[15, 20, 0]
    assert (wide.rgba[..., 3] == art[..., 3]).all()


def srgb_bytes() -> bytes:
    return ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()


def swapped_profile() -> bytes:
    """sRGB with its red and green primaries exchanged and another name: a conversion that cannot be missed."""
    raw = srgb_bytes()
    swapped = raw.replace(b"rXYZ", b"qXYZ").replace(b"gXYZ", b"rXYZ").replace(b"qXYZ", b"gXYZ")
    return swapped.replace("sRGB".encode("utf-16-be"), "test".encode("utf-16-be"))


def test_large_pictures_are_reduced_without_a_dark_rim(tmp_path: Path) -> None:
    art = np.zeros((375, 750, 4), np.uint8)
    art[75:300, 125:625] = 250
    art[75:300, 125:625, 3] = 255
    path = saved(tmp_path / "a.png", Image.fromarray(art))
    assert Caps().keep_side == 2048
    read = read_picture(path, caps=Caps(keep_side=512))
    assert read.rgba.shape == (256, 512, 4)
    assert "750 x 375" in read.note and "512 x 256" in read.note
    soft = (read.rgba[..., 3] > 20) & (read.rgba[..., 3] < 235)
    assert soft.any() and read.rgba[soft][:, :3].min() > 225


def test_blown_up_pixel_art_goes_back_to_its_own_pixels(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    palette = rng.integers(0, 256, (6, 4)).astype(np.uint8)
    palette[:, 3] = 255
    small = palette[rng.integers(0, 6, (64, 64))]
    small[:4] = 0
    big = np.kron(small, np.ones((10, 10, 1), np.uint8))
    read = read_picture(saved(tmp_path / "a.png", Image.fromarray(big)), caps=Caps(keep_side=500))
    assert (read.rgba == small).all()
    assert "10 times" in read.note


def test_empty_file(tmp_path: Path) -> None:
    path = tmp_path / "nothing.png"
    path.touch()
    refused(path, "empty", "0 bytes")


def test_missing_file_and_folder(tmp_path: Path) -> None:
    refused(tmp_path / "gone.png", "Upload it again")
    refused(tmp_path, "folder")


def test_text_renamed(tmp_path: Path) -> None:
    path = tmp_path / "knight.png"
    path.write_text("I am not a picture at all, only some words in a file.")
    refused(path, "text", "PNG")


@pytest.mark.parametrize("head", ['<?xml version="1.0"?><svg xmlns="x"/>', "<svg width='4'></svg>"])
def test_svg_renamed(tmp_path: Path, head: str) -> None:
    path = tmp_path / "knight.png"
    path.write_text(head)
    refused(path, "SVG", "Export it as PNG")


@pytest.mark.parametrize(
    ("data", "word"),
    [
        (b"8BPS" + bytes(60), "Photoshop"),
        (b"%PDF-1.7" + bytes(60), "PDF"),
        (b"\0\0\0\x18ftypheic" + bytes(60), "HEIC"),
        (b"%!PS-Adobe-3.0 EPSF", "text"),
        (bytes(range(200, 256)), "not a picture"),
    ],
)
def test_foreign_kinds_name_the_cure(tmp_path: Path, data: bytes, word: str) -> None:
    path = tmp_path / "a.png"
    path.write_bytes(data)
    refused(path, word)


@pytest.mark.parametrize(("width", "height"), [(20000, 10), (10, 20000), (16000, 16000), (30000, 30000), (9000, 9000)])
def test_a_header_that_announces_too_much_is_refused_before_decoding(tmp_path: Path, width: int, height: int) -> None:
    path = tmp_path / "bomb.png"
    path.write_bytes(header_only_png(width, height))
    refused(path, "80 million", "2048")


@pytest.mark.parametrize("share", [0.3, 0.6, 0.95])
@pytest.mark.parametrize("kind", ["png", "jpg", "webp"])
def test_truncated(tmp_path: Path, kind: str, share: float) -> None:
    noise = np.random.default_rng(0).integers(0, 256, (64, 64, 3)).astype(np.uint8)
    path = saved(tmp_path / f"a.{kind}", Image.fromarray(noise))
    path.write_bytes(path.read_bytes()[: int(share * path.stat().st_size)])
    refused(path, "damaged")


def test_zero_size_header(tmp_path: Path) -> None:
    path = tmp_path / "zero.png"
    path.write_bytes(header_only_png(0, 10))
    refused(path)


def test_tiny(tmp_path: Path) -> None:
    refused(saved(tmp_path / "dot.png", Image.new("RGB", (1, 1))), "1 x 1", "8 px")


def test_fully_transparent(tmp_path: Path) -> None:
    refused(saved(tmp_path / "ghost.png", Image.new("RGBA", (40, 30))), "fully transparent", "layer")


@pytest.mark.parametrize("kind", ["gif", "png", "webp"])
def test_an_animation_given_as_a_still_names_the_samples_tab(tmp_path: Path, kind: str) -> None:
    frames = [Image.new("RGB", (40, 30), colour) for colour in ("red", "green", "blue")]
    refused(
        saved(tmp_path / f"walk.{kind}", frames[0], save_all=True, append_images=frames[1:]), "3 frames", "Samples tab"
    )


def test_file_size_cap(tmp_path: Path) -> None:
    path = saved(tmp_path / "a.png", Image.fromarray(figure()))
    with pytest.raises(PictureError, match="0 MB is the most"):
        read_picture(path, caps=Caps(file_bytes=20))


@pytest.fixture(scope="module")
def seeds() -> list[bytes]:
    """Real files for the fuzzer to damage."""
    image, out = Image.fromarray(figure()), []
    for kind in ("PNG", "JPEG", "WEBP", "GIF", "BMP", "TIFF", "AVIF"):
        buffer = io.BytesIO()
        (image if kind not in ("JPEG", "BMP") else image.convert("RGB")).save(buffer, kind)
        out.append(buffer.getvalue())
    return out


HEADS = [b"", b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"GIF89a", b"BM", b"II*\0", b"RIFF....WEBP", b"PK\x03\x04"]


@settings(max_examples=120, deadline=None)
@given(head=st.sampled_from([*HEADS, b"\0\0\0\x18ftypisom", b"\x1a\x45\xdf\xa3"]), body=st.binary(max_size=300))
def test_random_bytes_are_always_a_picture_error(
    tmp_path_factory: pytest.TempPathFactory, head: bytes, body: bytes
) -> None:
    path = tmp_path_factory.getbasetemp() / "fuzz.png"
    path.write_bytes(head + body)
    with pytest.raises(PictureError):
        read_picture(path)
    with pytest.raises(PictureError):
        read_frames(path)


@settings(max_examples=150, deadline=None)
@given(data=st.data())
def test_damaged_files_are_a_picture_or_a_picture_error(
    tmp_path_factory: pytest.TempPathFactory, seeds: list[bytes], data: st.DataObject
) -> None:
    raw = bytearray(data.draw(st.sampled_from(seeds)))
    for _ in range(data.draw(st.integers(1, 6))):
        raw[data.draw(st.integers(0, len(raw) - 1))] = data.draw(st.integers(0, 255))
    path = tmp_path_factory.getbasetemp() / "fuzz.png"
    path.write_bytes(raw)
    for read in (read_picture, read_frames):
        try:
            got = read(path, caps=Caps(pixels=1_000_000))
        except PictureError:
            continue
        pixels = got.rgba if read is read_picture else got.frames
        assert pixels.dtype == np.uint8 and pixels.shape[-1] == 4
