"""Pictures for the page: each gets a URL in Gradio's cache that nobody can guess, so no library folder is served."""

from __future__ import annotations

import hashlib
import io
import math
import secrets
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from gradio.utils import get_upload_folder
from PIL import Image

from ..library import ClipRecord
from ..sprites.edits import to_json

WIDEST = 4096
"""Strips fold into rows at this width: what every browser and phone decodes."""


def cached(key: str, name: str, make: Any) -> Path:
    """The cache file of `key`; `make() -> bytes` runs when it is not there yet. Two makers never leave half a file."""
    folder = Path(get_upload_folder()) / hashlib.sha256(f"sprightly\0{key}".encode()).hexdigest()
    path = folder / name
    if not path.is_file():
        folder.mkdir(parents=True, exist_ok=True)
        part = folder / f"{secrets.token_hex(6)}-{name}.part"  # two threads may make it at once
        part.write_bytes(make())
        part.replace(path)
    return path


def stamp(path: Path) -> str:
    """Name and state of a file: another stamp means other content. "" where there is no file."""
    try:
        about = path.stat()
    except OSError:
        return ""
    return f"{path.resolve()}|{about.st_mtime_ns}|{about.st_size}"


def address(path: Path) -> str:
    """URL of a file in the cache, relative to the page, so that it works under any root path."""
    return f"gradio_api/file={path.as_posix()}"


def url(path: Path) -> str:
    """URL of a copy of `path`; "" where there is no file."""
    mark = stamp(path)
    return address(cached(mark, path.name, path.read_bytes)) if mark else ""


def thumbnail(path: Path, side: int = 96) -> str:
    """URL of a small PNG of a picture."""
    mark = stamp(path)
    return address(cached(f"{mark}|{side}", "thumb.png", lambda: _thumb(path, side))) if mark else ""


def _thumb(path: Path, side: int) -> bytes:
    with Image.open(path) as opened:
        picture = opened.convert("RGBA")
    box = picture.getchannel("A").point(lambda a: 255 * (a > 16)).getbbox()
    picture = picture.crop(box) if box else picture
    small = max(picture.size) <= side
    picture.thumbnail((side, side), Image.Resampling.NEAREST if small else Image.Resampling.LANCZOS)
    return png(np.asarray(picture))


def png(pixels: np.ndarray) -> bytes:
    """uint8 (H, W, 3 or 4) as PNG."""
    buffer = io.BytesIO()
    Image.fromarray(pixels).save(buffer, "PNG", compress_level=4)
    return buffer.getvalue()


def still(path: Path, pixel: bool = False) -> dict[str, Any]:
    """A picture file as a player's clip of one frame."""
    return {"url": url(path), "count": 1, "columns": 1, "durations": [1000], "loop": True, "pixel": pixel}


def strip(record: ClipRecord, pixel: bool = False) -> dict[str, Any]:
    """A clip as the artist left it, as a player takes it: all frames in one PNG, with their exact times."""
    clip = record.edited()
    key = f"{stamp(record.folder / 'clip.json')}|{to_json(record.edits[: record.position])}"
    return frames(key, clip.frames, clip.milliseconds(), clip.loop, pixel)


def frames(key: str, pixels: np.ndarray, durations: Sequence[int], loop: bool, pixel: bool) -> dict[str, Any]:
    """uint8 (T, H, W, 4) as a player takes them; `key` names the content."""
    count, _, width = pixels.shape[:3]
    columns = max(1, min(count, WIDEST // width))
    path = cached(f"{key}|{columns}", "strip.png", lambda: png(_folded(pixels, columns)))
    return {
        "url": address(path),
        "count": count,
        "columns": columns,
        "durations": [int(ms) for ms in durations],
        "loop": loop,
        "pixel": pixel,
    }


def _folded(pixels: np.ndarray, columns: int) -> np.ndarray:
    count, height, width, depth = pixels.shape
    rows = math.ceil(count / columns)
    page = np.zeros((rows * columns, height, width, depth), np.uint8)
    page[:count] = pixels
    return page.reshape(rows, columns, height, width, depth).swapaxes(1, 2).reshape(rows * height, -1, depth)


def animation(path: Path, pixel: bool) -> dict[str, Any] | None:
    """An animated WebP, APNG or GIF of ours as a player takes it; None where there is no file."""
    if not path.is_file():
        return None
    pixels, times = [], []
    with Image.open(path) as opened:
        for number in range(getattr(opened, "n_frames", 1)):
            opened.seek(number)
            pixels.append(np.asarray(opened.convert("RGBA")))
            times.append(int(opened.info.get("duration") or 100))
    return frames(stamp(path), np.stack(pixels), times, True, pixel)
