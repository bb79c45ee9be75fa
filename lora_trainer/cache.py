"""Encoded items on disk under the hash of what they were made from.

An edited picture or caption gets another name, so it alone is encoded again and nothing stale is ever read
(field report 15). One folder may serve all characters: the names never collide.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import os
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save_file

from pipelines.backend import Batch

VERSION = "1"
"""Part of every name; raised when the meaning of stored items changes."""


def fingerprint(*parts: Any) -> str:
    """64 hex digits of arrays, dataclasses, numbers, text, None, and lists or dicts of these.

    Type and shape count: `1`, `1.0`, `"1"` and `[1]` all differ. Raises TypeError for anything else.
    """
    digest = hashlib.sha256()
    for piece in _pieces(list(parts)):
        digest.update(len(piece).to_bytes(8, "little"))
        digest.update(piece)
    return digest.hexdigest()


def _pieces(value: Any) -> Iterator[bytes]:
    yield type(value).__name__.encode()
    if isinstance(value, np.ndarray):
        yield f"{value.dtype.str}{value.shape}".encode()
        yield np.ascontiguousarray(value).tobytes()
    elif dataclasses.is_dataclass(value) and not isinstance(value, type):
        yield from _pieces({item.name: getattr(value, item.name) for item in dataclasses.fields(value)})
    elif isinstance(value, dict):
        yield str(len(value)).encode()
        for key in sorted(value):
            yield from _pieces(key)
            yield from _pieces(value[key])
    elif isinstance(value, list | tuple):
        yield str(len(value)).encode()
        for item in value:
            yield from _pieces(item)
    elif value is None or isinstance(value, bool | int | float | str):
        yield repr(value).encode()
    else:
        raise TypeError(f"cannot take the fingerprint of {type(value).__name__}")


@dataclass(frozen=True)
class ItemCache:
    """Lists of batch items by key. Tensors lie in safetensors files, numbers and text in their metadata; no pickle."""

    folder: Path

    def count(self, key: str, make: Callable[[], Sequence[Batch]]) -> int:
        """How many items are stored under `key`, after making and storing them if they are missing or damaged."""
        name = fingerprint(VERSION, key)
        index = self.folder / f"{name}.json"
        try:
            number = int(json.loads(index.read_text(encoding="utf-8"))["items"])
            for place in range(number):
                self.read(key, place)
            return number
        except (OSError, ValueError, KeyError, SafetensorError):
            items = list(make())
        self.folder.mkdir(parents=True, exist_ok=True)
        for place, item in enumerate(items):
            _write_item(self._path(key, place), item)
        _replace(index, lambda path: path.write_text(json.dumps({"items": len(items)}), encoding="utf-8"))
        return len(items)

    def read(self, key: str, number: int) -> Batch:
        """Item `number` of `key`. Raises FileNotFoundError where `count` has not put it."""
        return _read_item(self._path(key, number))

    def _path(self, key: str, number: int) -> Path:
        return self.folder / f"{fingerprint(VERSION, key)}-{number:03d}.safetensors"


def _write_item(path: Path, item: Batch) -> None:
    tensors = {name: value.detach().cpu().contiguous() for name, value in item.items() if torch.is_tensor(value)}
    plain = {name: value for name, value in item.items() if not torch.is_tensor(value)}
    metadata = {"plain": json.dumps(plain)}
    _replace(path, lambda temporary: save_file({k: v.clone() for k, v in tensors.items()}, temporary, metadata))


def _read_item(path: Path) -> Batch:
    if not path.is_file():
        raise FileNotFoundError(path)
    with safe_open(path, framework="pt") as file:
        tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118  not a dict
        return {**tensors, **json.loads((file.metadata() or {}).get("plain", "{}"))}


def _replace(path: Path, write: Callable[[Path], Any]) -> None:
    """Writes beside `path` and renames: two runs that share the folder never read half a file."""
    handle, name = tempfile.mkstemp(suffix=".part", dir=path.parent)
    os.close(handle)
    temporary = Path(name)
    try:
        write(temporary)
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)
