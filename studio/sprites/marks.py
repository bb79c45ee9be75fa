"""What a game asks of an action besides pixels: hitboxes, attach points and events, per frame and editable."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from studio.sprites.errors import SheetError
from studio.sprites.frames import Frames, body
from studio.sprites.trim import Box

Point = tuple[float, float]
"""x and y in px from the top left corner of the canvas; y points down."""

BODY = "body"
"""The hitbox that is found by itself."""

MOST = 64
"""Names of each kind that one action may carry."""


@dataclass(frozen=True)
class Marks:
    """Names to one value per frame; None where a frame has none. All lengths in px of the canvas."""

    boxes: Mapping[str, tuple[Box | None, ...]] = field(default_factory=dict)
    """Hitboxes and hurtboxes: ``{"body": (Box(4, 2, 20, 40), ...), "blade": (None, Box(...), ...)}``."""
    points: Mapping[str, tuple[Point | None, ...]] = field(default_factory=dict)
    """Attach points: ``{"weapon_tip": ((31.0, 12.5), ...)}``."""
    events: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    """Frames, counted from 0, at whose start something happens: ``{"footstep": (2, 6), "impact": (4,)}``."""

    def moved(self, offsets: Sequence[tuple[int, int]]) -> Marks:
        """Every frame's marks moved by its (x, y) in px."""
        boxes = {
            name: tuple(b and Box(b.x + x, b.y + y, b.w, b.h) for b, (x, y) in zip(row, offsets, strict=True))
            for name, row in self.boxes.items()
        }
        points = {
            name: tuple(p and (p[0] + x, p[1] + y) for p, (x, y) in zip(row, offsets, strict=True))
            for name, row in self.points.items()
        }
        return Marks(boxes, points, self.events)

    def halved(self) -> Marks:
        """The marks of frames at half the size; boxes grow to whole px."""
        boxes = {name: tuple(b and _half(b) for b in row) for name, row in self.boxes.items()}
        points = {name: tuple(p and (p[0] / 2, p[1] / 2) for p in row) for name, row in self.points.items()}
        return Marks(boxes, points, self.events)

    def to_json(self) -> dict[str, Any]:
        """``{"boxes": {name: [[x, y, w, h] | null, ...]}, "points": {name: [[x, y] | null, ...]}, "events": ...}``"""
        return {
            "boxes": {k: [b and [b.x, b.y, b.w, b.h] for b in row] for k, row in self.boxes.items()},
            "points": {k: [p and [p[0], p[1]] for p in row] for k, row in self.points.items()},
            "events": {k: list(frames) for k, frames in self.events.items()},
        }

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Marks:
        """Inverse of `to_json`; missing kinds are empty. Raises SheetError for what no game could read."""
        try:
            return cls(
                {str(k): tuple(map(_box, row)) for k, row in value.get("boxes", {}).items()},
                {str(k): tuple(map(_point, row)) for k, row in value.get("points", {}).items()},
                {str(k): tuple(map(_whole, frames)) for k, frames in value.get("events", {}).items()},
            )
        except (TypeError, ValueError, AttributeError, OverflowError) as error:
            raise SheetError(
                f"The marks cannot be read ({error}); boxes are [x, y, w, h], points [x, y], events frame numbers."
            ) from error


def automatic(frames: Frames) -> Marks:
    """Marks of ``(T, H, W, 4)`` that the pixels tell: the box around the body of each frame, without specks."""
    return Marks(boxes={BODY: tuple(_around(frame) for frame in frames)})


def checked_marks(marks: Marks, count: int, action: str) -> Marks:
    """Return `marks` unchanged if they fit `count` frames, else SheetError."""
    for rows in (marks.boxes, marks.points, marks.events):
        if len(rows) > MOST:
            raise SheetError(f"'{action}' has {len(rows)} marks of one kind; an action may have {MOST}.")
    for name, row in [*marks.boxes.items(), *marks.points.items()]:
        if len(row) != count:
            raise SheetError(f"'{name}' of '{action}' has {len(row)} values for {count} frames; give one per frame.")
    for name, boxes in marks.boxes.items():
        if any(box and (box.w < 1 or box.h < 1) for box in boxes):
            raise SheetError(f"A box of '{name}' in '{action}' is empty; make it 1x1 px at least, or leave it out.")
    for name, points in marks.points.items():
        if any(point and not all(map(math.isfinite, point)) for point in points):
            raise SheetError(f"A point of '{name}' in '{action}' is not a place; use two numbers.")
    for name, at in marks.events.items():
        if any(not 0 <= frame < count for frame in at):
            raise SheetError(f"The event '{name}' of '{action}' is not within frames 0 to {count - 1}.")
    return marks


def _around(frame: Frames) -> Box | None:
    solid = body(frame)
    rows, columns = np.flatnonzero(solid.any(axis=1)), np.flatnonzero(solid.any(axis=0))
    if not len(rows):
        return None
    left, top = int(columns[0]), int(rows[0])
    return Box(left, top, int(columns[-1]) - left + 1, int(rows[-1]) - top + 1)


def _half(box: Box) -> Box:
    left, top = box.x // 2, box.y // 2
    return Box(left, top, -(-(box.x + box.w) // 2) - left, -(-(box.y + box.h) // 2) - top)


def _box(value: Any) -> Box | None:
    return None if value is None else Box(*map(_whole, value))


def _point(value: Any) -> Point | None:
    if value is None:
        return None
    x, y = value
    return float(x), float(y)


def _whole(value: Any) -> int:
    if isinstance(value, bool) or int(value) != value:
        raise ValueError(f"{value!r} is not a whole number")
    return int(value)
