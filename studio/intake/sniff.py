"""What a file really is, by its first bytes; the name proves nothing."""

from __future__ import annotations

from pathlib import Path

from pipelines.errors import PictureError

from .caps import MEGABYTE, Caps

HEAD = 64
"""Bytes that are looked at."""

PICTURES = {"png": "PNG", "jpeg": "JPEG", "webp": "WEBP", "gif": "GIF", "bmp": "BMP", "tiff": "TIFF", "avif": "AVIF"}
"""Kinds that Pillow decodes for us, and its name for each; nothing else is ever handed to it."""

VIDEOS = {"mp4": "mp4", "webm": "matroska"}
"""Kinds that PyAV decodes for us, and its demuxer; no other demuxer is ever tried on an upload."""

FOREIGN = {
    "svg": "an SVG drawing. Export it as PNG",
    "psd": "a Photoshop file. Save it as PNG with transparency",
    "heic": "a HEIC photo. Save it as PNG or JPEG",
    "pdf": "a PDF. Export the page as PNG",
    "rar": "a RAR archive. Pack the pictures as zip",
    "7z": "a 7z archive. Pack the pictures as zip",
    "gzip": "a gzip archive. Pack the pictures as zip",
    "krita": "a paint program's document. Export it as PNG",
    "text": "text, not a picture. Choose the PNG, JPEG or WebP itself",
}


def kind(head: bytes) -> str:
    """One of PICTURES, VIDEOS, "zip", FOREIGN, or "unknown"."""
    for magic, name in (
        (b"\x89PNG\r\n\x1a\n", "png"),
        (b"\xff\xd8\xff", "jpeg"),
        (b"GIF87a", "gif"),
        (b"GIF89a", "gif"),
        (b"BM", "bmp"),
        (b"II*\0", "tiff"),
        (b"MM\0*", "tiff"),
        (b"8BPS", "psd"),
        (b"%PDF", "pdf"),
        (b"Rar!", "rar"),
        (b"7z\xbc\xaf", "7z"),
        (b"\x1f\x8b", "gzip"),
        (b"\x1a\x45\xdf\xa3", "webm"),
        (b"PK\x03\x04", "zip"),
        (b"PK\x05\x06", "zip"),
    ):
        if head.startswith(magic):
            return "krita" if name == "zip" and b"mimetypeapplication/x-krita" in head else name
    if head[:4] == b"RIFF" and head[8:12] == b"WEBP":
        return "webp"
    if head[4:8] == b"ftyp":
        brand = head[8:12]
        return {b"avif": "avif", b"avis": "avif"}.get(brand, "heic" if brand in (b"heic", b"heix", b"mif1") else "mp4")
    if head[4:8] in (b"moov", b"mdat", b"wide", b"free"):
        return "mp4"
    return _text(head)


def _text(head: bytes) -> str:
    start = head.lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    if start.startswith((b"<svg", b"<?xml", b"<!doctype svg")):
        return "svg"
    printable = sum(32 <= byte < 127 or byte in b"\t\r\n" for byte in head)
    return "text" if head and printable == len(head) else "unknown"


def read_bytes(path: Path, caps: Caps) -> bytes:
    """The whole file, after its size was checked. Raises `PictureError`."""
    try:
        size = path.stat().st_size
        if not path.is_file():
            raise PictureError(f"{path.name!r} is a folder. Choose the picture in it.")
        if size == 0:
            raise PictureError(f"{path.name!r} is empty (0 bytes). Save it again in your paint program.")
        if size > caps.file_bytes:
            raise PictureError(
                f"{path.name!r} has {size / MEGABYTE:.0f} MB; {caps.file_bytes // MEGABYTE} MB is the most. "
                "Save it smaller, or split it."
            )
        return path.read_bytes()
    except (OSError, ValueError) as error:
        raise PictureError(f"{path.name!r} cannot be opened. Upload it again.") from error


def refuse(name: str, found: str) -> PictureError:
    """The error for a kind that is not read here."""
    what = FOREIGN.get(found, "not a picture that can be read. Save it as PNG, JPEG or WebP")
    return PictureError(f"{name!r} is {what}.")
