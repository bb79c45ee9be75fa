"""Undo and redo of the joints of one character."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from . import disk

DEPTH = 100
"""States kept in either direction."""


def record(path: Path, before: dict[str, Any]) -> None:
    """Remembers the state before a change; what could be redone is gone."""
    past, _ = _read(path)
    _write(path, [*past, before], [])


def undo(path: Path, now: dict[str, Any]) -> dict[str, Any] | None:
    """The state before the last change, or None when there is none."""
    past, future = _read(path)
    if not past:
        return None
    _write(path, past[:-1], [*future, now])
    return past[-1]


def redo(path: Path, now: dict[str, Any]) -> dict[str, Any] | None:
    """The state that the last undo left, or None when there is none."""
    past, future = _read(path)
    if not future:
        return None
    _write(path, [*past, now], future[:-1])
    return future[-1]


def _read(path: Path) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    if not path.is_file():
        return [], []
    body = disk.read_json(path)
    return body["past"], body["future"]


def _write(path: Path, past: list[dict[str, Any]], future: list[dict[str, Any]]) -> None:
    disk.write_json(path, {"past": past[-DEPTH:], "future": future[-DEPTH:]})
