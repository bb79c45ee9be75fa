"""Marks as Aseprite knows them: hitboxes and points as slices, events as the user data of cels."""

from collections.abc import Iterator, Sequence
from typing import Any

from studio.sprites.export.numbers import number
from studio.sprites.sheet import Entry
from studio.sprites.trim import Box

GONE = {"bounds": {"x": 0, "y": 0, "w": 0, "h": 0}}
"""A slice key lasts until the next one; this ends it."""


def event_cels(entries: Sequence[Entry]) -> dict[str, Any]:
    """``{"cels": [{"frame": 2, "data": "footstep"}]}``, several events joined by commas; empty without events."""
    cels = [{"frame": n, "data": ",".join(entry.events)} for n, entry in enumerate(entries) if entry.events]
    return {"cels": cels} if cels else {}


def mark_slices(entries: Sequence[Entry]) -> Iterator[dict[str, Any]]:
    """One slice per name; ``data`` says hitbox or point. A point is the pivot of a slice of one pixel."""
    for name in dict.fromkeys(name for entry in entries for name in entry.boxes):
        yield _slice(name, "hitbox", "#ff0000ff", [_bounds(entry.boxes.get(name)) for entry in entries])
    for name in dict.fromkeys(name for entry in entries for name in entry.points):
        yield _slice(name, "point", "#00ff00ff", [_dot(entry.points.get(name)) for entry in entries])


def _bounds(box: Box | None) -> dict[str, Any] | None:
    return None if box is None else {"bounds": {"x": box.x, "y": box.y, "w": box.w, "h": box.h}}


def _dot(point: tuple[float, float] | None) -> dict[str, Any] | None:
    if point is None:
        return None
    x, y = int(point[0] // 1), int(point[1] // 1)
    pivot = {"x": number(point[0] - x), "y": number(point[1] - y)}
    return {"bounds": {"x": x, "y": y, "w": 1, "h": 1}, "pivot": pivot}


def _slice(name: str, kind: str, color: str, values: Sequence[dict[str, Any] | None]) -> dict[str, Any]:
    keys: list[dict[str, Any]] = []
    last: dict[str, Any] = GONE
    for frame, value in enumerate(values):
        if (value or GONE) != last:
            last = value or GONE
            keys.append({"frame": frame, **last})
    return {"name": name, "color": color, "data": kind, "keys": keys}
