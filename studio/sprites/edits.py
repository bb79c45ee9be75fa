"""What an artist does by hand to a clip, as a list of small operations; `editing.apply` carries them out.

The drawings are never changed: undo is a shorter list. Frames are counted from 0 in the clip as the operations
before left it. Every field is checked when an operation is made, for it may come from a browser.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any, Literal

from studio.sprites.errors import SpriteError

MOST_EDITS = 500
"""Operations that one clip may carry."""
MOST_FRAMES = 512
"""Frames that an edited clip may grow to; a clip that came longer may keep its length."""
MOST_POINTS = 4000
"""Points of one brush stroke."""
FAR = 16384
"""Greatest distance in px, either way: more than any canvas has."""


class EditError(SpriteError):
    """An operation that cannot be read, or that the clip has no frame for."""


def _whole(name: str, value: Any, low: int, high: int) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise EditError(f"The edit's {name} is {str(value)[:40]!r}; use a whole number from {low} to {high}.")


def _colour(value: Any, channels: int) -> tuple[int, ...]:
    if not isinstance(value, (list, tuple)) or len(value) != channels:
        raise EditError(f"The edit's colour is not usable; give {channels} whole numbers from 0 to 255.")
    for part in value:
        _whole("colour", part, 0, 255)
    return tuple(value)


@dataclass(frozen=True)
class Delete:
    """Takes a frame and its time away; the last frame of a clip stays."""

    frame: int

    def __post_init__(self) -> None:
        _whole("frame", self.frame, 0, FAR)


@dataclass(frozen=True)
class Duplicate:
    """Puts a copy of a frame, with the same time, behind it."""

    frame: int

    def __post_init__(self) -> None:
        _whole("frame", self.frame, 0, FAR)


@dataclass(frozen=True)
class Move:
    """Takes a frame out and puts it back as number `to`."""

    frame: int
    to: int

    def __post_init__(self) -> None:
        _whole("frame", self.frame, 0, FAR)
        _whole("target", self.to, 0, FAR)


@dataclass(frozen=True)
class Hold:
    """Shows a frame `ms` longer, or shorter below 0; no frame gets shorter than 1 ms or longer than 65535."""

    frame: int
    ms: int

    def __post_init__(self) -> None:
        _whole("frame", self.frame, 0, FAR)
        _whole("hold", self.ms, -65535, 65535)


@dataclass(frozen=True)
class Nudge:
    """Shifts a drawing by whole px, right and down; what leaves the canvas is not in the picture."""

    frame: int
    x: int
    y: int

    def __post_init__(self) -> None:
        _whole("frame", self.frame, 0, FAR)
        _whole("shift", self.x, -FAR, FAR)
        _whole("shift", self.y, -FAR, FAR)


@dataclass(frozen=True)
class Mirror:
    """Flips a drawing left to right about the middle of the canvas, where the pivot is."""

    frame: int

    def __post_init__(self) -> None:
        _whole("frame", self.frame, 0, FAR)


@dataclass(frozen=True)
class Brush:
    """One stroke of a round, hard brush: paints a colour, or erases with None."""

    frame: int
    points: tuple[tuple[int, int], ...]
    """(x, y) in px of the canvas, joined by straight lines; may lie outside."""
    size: int = 1
    """Diameter in px, 1 to 256."""
    colour: tuple[int, ...] | None = None
    """(r, g, b), 0 to 255, opaque; None erases."""

    def __post_init__(self) -> None:
        _whole("frame", self.frame, 0, FAR)
        _whole("brush size", self.size, 1, 256)
        if not isinstance(self.points, (list, tuple)) or not 1 <= len(self.points) <= MOST_POINTS:
            raise EditError(f"A brush stroke has 1 to {MOST_POINTS} points; paint it in shorter strokes.")
        for point in self.points:
            if not isinstance(point, (list, tuple)) or len(point) != 2:
                raise EditError("A point of the brush stroke is not a place; give x and y.")
            for value in point:
                _whole("point", value, -FAR, FAR)
        object.__setattr__(self, "points", tuple((x, y) for x, y in self.points))
        if self.colour is not None:
            object.__setattr__(self, "colour", _colour(self.colour, 3))


@dataclass(frozen=True)
class Retime:
    """On ones, twos, threes: every `step`-th drawing, held through those it replaces."""

    step: int

    def __post_init__(self) -> None:
        _whole("step", self.step, 1, 12)


@dataclass(frozen=True)
class KeyFrames:
    """Keeps the `count` drawings that tell the motion best; the length of the action stays."""

    count: int
    loop: bool = True
    """Whether the action repeats; if not, its last drawing is kept too."""

    def __post_init__(self) -> None:
        _whole("count", self.count, 1, MOST_FRAMES)
        if not isinstance(self.loop, bool):
            raise EditError("The edit's loop is yes or no (true or false).")


@dataclass(frozen=True)
class PingPong:
    """There and back, baked: 0, 1, 2 becomes 0, 1, 2, 1 (field report 28)."""


@dataclass(frozen=True)
class PaletteLock:
    """Every visible pixel takes the nearest of these colours."""

    colours: tuple[tuple[int, ...], ...]
    """1 to 256 of (r, g, b), 0 to 255."""
    dither: Literal["none", "ordered", "error"] = "none"

    def __post_init__(self) -> None:
        if not isinstance(self.colours, (list, tuple)) or not 1 <= len(self.colours) <= 256:
            raise EditError("A palette has 1 to 256 colours.")
        object.__setattr__(self, "colours", tuple(_colour(value, 3) for value in self.colours))
        if self.dither not in ("none", "ordered", "error"):
            raise EditError("The palette's dither is none, ordered or error.")


Edit = Delete | Duplicate | Move | Hold | Nudge | Mirror | Brush | Retime | KeyFrames | PingPong | PaletteLock

KINDS: dict[str, Callable[..., Edit]] = {
    "delete": Delete,
    "duplicate": Duplicate,
    "move": Move,
    "hold": Hold,
    "nudge": Nudge,
    "mirror": Mirror,
    "brush": Brush,
    "retime": Retime,
    "key_frames": KeyFrames,
    "ping_pong": PingPong,
    "palette_lock": PaletteLock,
}
_NAMES = {kind: name for name, kind in KINDS.items()}


def to_json(edits: Sequence[Edit]) -> list[dict[str, Any]]:
    """``[{"do": "hold", "frame": 3, "ms": 100}, ...]``"""
    return [{"do": _NAMES[type(edit)], **asdict(edit)} for edit in edits]


def from_json(value: Any) -> tuple[Edit, ...]:
    """Inverse of `to_json`, for what anybody may have sent. Raises EditError, never anything else."""
    if not isinstance(value, list) or len(value) > MOST_EDITS:
        raise EditError(f"A clip has a list of at most {MOST_EDITS} edits; undo some, or draw the action again.")
    return tuple(_read(row) for row in value)


def _read(row: Any) -> Edit:
    name = row.get("do") if isinstance(row, dict) else None
    if not isinstance(name, str) or name not in KINDS:
        raise EditError(f"There is no edit {str(name)[:40]!r}; use {', '.join(KINDS)}.")
    make = KINDS[name]
    known = {item.name for item in fields(make)}  # type: ignore[arg-type]
    try:
        return make(**{key: part for key, part in row.items() if key in known})
    except TypeError as error:
        raise EditError(f"The edit '{name}' needs {', '.join(sorted(known))}.") from error
