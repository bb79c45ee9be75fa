"""A zip of pictures as one animation. Nothing is ever unpacked to disk."""

from __future__ import annotations

import io
import re
import stat
import zipfile
from pathlib import PurePosixPath

import numpy as np

from pipelines.errors import PictureError

from .caps import MEGABYTE, Caps
from .frames import DEFAULT_MS, Animation, animation, check_count
from .picture import decoded, fitted, frame_count, opened
from .sniff import HEAD, PICTURES, kind

LITTER = ("__macosx", ".ds_store", "thumbs.db", "desktop.ini")
"""Names that operating systems put into zips."""

SIDE_FILES = (".json", ".txt", ".md", ".xml", ".license")
"""Companions that are no frames and no danger."""


def zip_frames(data: bytes, name: str, caps: Caps) -> Animation:
    """Pictures in natural order of their names, all of one size. Raises `PictureError`."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = _members(archive, name, caps)
            return _frames(archive, members, name, caps)
    except PictureError:
        raise
    except Exception as error:
        # zipfile and zlib fail in many ways on crafted files.
        raise PictureError(f"{name!r} is a damaged zip. Pack the pictures again.") from error


def natural(name: str) -> list[tuple[int, str]]:
    """Sort key that puts run_2 before run_10."""
    return [(int(part), "") if part.isdigit() else (-1, part) for part in re.split(r"([0-9]{1,18})", name.casefold())]


def _members(archive: zipfile.ZipFile, name: str, caps: Caps) -> list[zipfile.ZipInfo]:
    infos = archive.infolist()
    if len(infos) > caps.members:
        raise PictureError(f"{name!r} holds {len(infos)} files; {caps.members} are the most. Pack one action per zip.")
    total = sum(info.file_size for info in infos)
    if total > caps.file_bytes:
        raise PictureError(
            f"{name!r} unpacks to {total / MEGABYTE:.0f} MB; {caps.file_bytes // MEGABYTE} MB are the most. Split it."
        )
    kept = []
    for info in infos:
        _safe(info, name, caps)
        parts = [part.casefold() for part in PurePosixPath(info.filename).parts]
        if not (info.is_dir() or any(part in LITTER or part.startswith("._") for part in parts)):
            kept.append(info)
    return sorted(kept, key=lambda info: natural(info.filename))


def _safe(info: zipfile.ZipInfo, name: str, caps: Caps) -> None:
    """Refuses members that no paint program writes: paths out of the folder, links, encryption, bombs."""
    path = info.filename.replace("\\", "/")
    if path.startswith("/") or ".." in path.split("/") or re.match(r"^[A-Za-z]:", path) or "\0" in path:
        raise PictureError(f"{name!r} holds {info.filename!r}, a path out of its folder. Pack the pictures again.")
    if stat.S_ISLNK(info.external_attr >> 16):
        raise PictureError(f"{name!r} holds a link, {info.filename!r}. Pack the pictures themselves.")
    if info.flag_bits & 0x1:
        raise PictureError(f"{name!r} is locked with a password. Pack it without one.")
    if info.file_size > MEGABYTE and info.file_size > caps.ratio * max(1, info.compress_size):
        raise PictureError(
            f"{info.filename!r} in {name!r} unpacks to {info.file_size // max(1, info.compress_size)} times its size, "
            "which no picture does. Pack the pictures again."
        )


def _frames(archive: zipfile.ZipFile, members: list[zipfile.ZipInfo], name: str, caps: Caps) -> Animation:
    pictures = [info for info in members if not info.filename.casefold().endswith(SIDE_FILES)]
    check_count(len(pictures), name, caps)
    side = caps.frame_side(len(pictures))
    frames: list[np.ndarray] = []
    notes: list[str] = []
    size: tuple[int, int] | None = None
    for info in pictures:
        label = f"{info.filename} in {name}"
        with archive.open(info) as file:
            data = file.read(info.file_size + 1)
        found = kind(data[:HEAD])
        if found not in PICTURES:
            what = "another zip" if found == "zip" else "not a picture"
            raise PictureError(f"{label!r} is {what}. Put only PNG, JPEG or WebP pictures of one action into the zip.")
        image = opened(data, label, caps)
        if frame_count(image) > 1:
            raise PictureError(f"{label!r} is an animation itself. Upload it on its own.")
        if size is not None and image.size != size:
            raise PictureError(
                f"{label!r} is {image.size[0]} x {image.size[1]} px, the first picture {size[0]} x {size[1]} px. "
                "Export all frames with one canvas size, untrimmed."
            )
        size = image.size
        rgba, seen = decoded(image, label)
        small, about = fitted(rgba, side)
        frames.append(small)
        notes = [*seen, *about]
    return animation(frames, [DEFAULT_MS] * len(frames), name, caps, notes)
