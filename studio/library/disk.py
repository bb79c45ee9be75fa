"""Writing files so that a crash, a kill or a full disk never leaves half of one."""

from __future__ import annotations

import contextlib
import errno
import io
import json
import os
import re
import secrets
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from pipelines.errors import LibraryError

_ID = re.compile(r"[0-9a-f]{12}")


def new_id() -> str:
    """Twelve hex digits: safe in paths and addresses, the same on file systems that ignore case."""
    return secrets.token_hex(6)


def checked(name: str) -> str:
    """The id itself. Raises `LibraryError` for anything that `new_id` cannot have made: no user text in a path."""
    if not isinstance(name, str) or not _ID.fullmatch(name):
        raise LibraryError("That is not in this library; open the list again and choose from it.")
    return name


def is_name(name: str) -> bool:
    """Whether it is an id of ours, with a plain ending or none."""
    return re.fullmatch(r"[0-9a-f]{12}(\.[a-z0-9]{1,5})?", name) is not None


def suffix(path: Path) -> str:
    """The upload's ending where it is a plain one, else nothing."""
    ending = path.suffix.lower()
    return ending if re.fullmatch(r"\.[a-z0-9]{1,5}", ending) else ""


@contextmanager
def saving(what: str) -> Iterator[None]:
    """Turns a full or closed disk into a `LibraryError` that says what was not saved."""
    try:
        yield
    except OSError as error:
        if error.errno in (errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC)):
            raise LibraryError(
                f"The disk is full, so {what} was not saved. Free some space and do it again; "
                "everything saved before is intact."
            ) from error
        if error.errno in (errno.EACCES, errno.EROFS, errno.EPERM):
            raise LibraryError(
                f"{what[:1].upper()}{what[1:]} was not saved: this computer does not let Sprightly write to "
                f"{error.filename or 'its library'}. Allow it, or start with another --home."
            ) from error
        raise


def write_bytes(path: Path, data: bytes) -> None:
    """Replaces the file in one step: whoever reads sees the old bytes or the new ones."""
    temporary = path.with_name(f".{path.name}.{secrets.token_hex(4)}.tmp")
    try:
        with temporary.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        _patient(lambda: os.replace(temporary, path))  # noqa: PTH105
    except BaseException:
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)
        raise


def write_json(path: Path, body: Any) -> None:
    """Atomic, and readable by a person."""
    write_bytes(path, json.dumps(body, indent=1, ensure_ascii=False).encode("utf-8", "replace"))


def write_picture(path: Path, rgba: np.ndarray) -> None:
    """Atomic PNG of uint8 (H, W, 4)."""
    from PIL import Image

    buffer = io.BytesIO()
    Image.fromarray(rgba).save(buffer, "PNG", compress_level=4)
    write_bytes(path, buffer.getvalue())


def read_picture(path: Path) -> np.ndarray:
    """uint8 (H, W, 4) of a PNG that `write_picture` wrote."""
    from PIL import Image

    with Image.open(path) as picture:
        return np.asarray(picture.convert("RGBA"))


def read_json(path: Path) -> dict[str, Any]:
    """Raises `LibraryError` when the file is missing or was damaged from outside."""
    try:
        body = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise LibraryError("That is no longer in this library; open the list again.") from error
    except ValueError as error:
        raise LibraryError(
            f"{path.name} of {path.parent.name} is damaged; restore that folder from a backup."
        ) from error
    if not isinstance(body, dict):
        raise LibraryError(f"{path.name} of {path.parent.name} is damaged; restore that folder from a backup.")
    return body


def move(source: Path, target: Path) -> None:
    """Renames a folder or file within the library."""
    target.parent.mkdir(parents=True, exist_ok=True)
    _patient(lambda: os.replace(source, target))  # noqa: PTH105


@contextmanager
def unfinished(folder: Path) -> Iterator[Path]:
    """A folder to fill that takes its real name only once the block has ended well."""
    part = folder.with_name(f"{folder.name}.part")
    shutil.rmtree(part, ignore_errors=True)
    part.mkdir(parents=True)
    try:
        yield part
        move(part, folder)
    except BaseException:
        shutil.rmtree(part, ignore_errors=True)
        raise


def _patient(act: Callable[[], None]) -> None:
    """Windows refuses to replace a file while somebody reads it; a reader is done within milliseconds."""
    for pause in (0.01, 0.05, 0.2):
        try:
            return act()
        except PermissionError:
            time.sleep(pause)
    return act()
