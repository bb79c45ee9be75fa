"""Previews: one animated file per action, at scale 1, with the same frames and times as the sheet."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from studio.sprites.export.apng import encode_apng
from studio.sprites.export.gif import encode_gif
from studio.sprites.export.keys import keyed
from studio.sprites.export.names import made, safe_name
from studio.sprites.export.webm import encode_webm
from studio.sprites.export.webp import encode_webp
from studio.sprites.frames import Frames
from studio.sprites.palette import shared_palette
from studio.sprites.sheet import Sheet, restore

Encode = Callable[[Frames, tuple[int, ...], bool], bytes]
"""``encode(frames, durations_ms, loop)``"""


def write_webp(sheet: Sheet, folder: Path, name: str) -> list[Path]:
    """``name_walk.webp`` ...: lossless, times exact to 1 ms."""
    return _write(sheet, folder, name, ".webp", encode_webp)


def write_apng(sheet: Sheet, folder: Path, name: str) -> list[Path]:
    """``name_walk.apng`` ...: lossless, times exact to 1 ms."""
    return _write(sheet, folder, name, ".apng", encode_apng)


def write_gif(sheet: Sheet, folder: Path, name: str) -> list[Path]:
    """``name_walk.gif`` ...: one palette for all actions, hard edges, times rounded to 10 ms as the format demands."""
    palette = shared_palette([restore(sheet, tag.name) for tag in sheet.tags], 255)
    return _write(sheet, folder, name, ".gif", partial(encode_gif, palette=palette))


def write_webm(sheet: Sheet, folder: Path, name: str) -> list[Path]:
    """``name_walk.webm`` ...: smallest, soft alpha, colours near; times exact to 1 ms."""
    return _write(sheet, folder, name, ".webm", encode_webm)


def _write(sheet: Sheet, folder: Path, name: str, suffix: str, encode: Encode) -> list[Path]:
    stem, paths = safe_name(name), []
    for action, tag, entries in keyed(sheet):
        path = made(folder) / f"{stem}_{action}{suffix}"
        path.write_bytes(encode(restore(sheet, tag.name), tuple(entry.duration_ms for entry in entries), tag.loop))
        paths.append(path)
    return paths
