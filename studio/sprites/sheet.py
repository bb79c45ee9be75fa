"""The sheet: actions packed onto pages, with everything an engine needs to play them."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import numpy as np

from studio.sprites import compose, grid, pack
from studio.sprites.errors import SheetError
from studio.sprites.frames import Frames, checked, zero_hidden
from studio.sprites.layout import Layout, Limits
from studio.sprites.marks import Marks, Point, automatic, checked_marks
from studio.sprites.timing import checked_durations
from studio.sprites.trim import Box, crop, visible_box

LayoutKind = Literal["packed", "grid", "rows"]


@dataclass(frozen=True)
class Action:
    """One animation of a character, ready for a sheet. All actions of a sheet share canvas size and pivot."""

    name: str
    frames: Frames
    """``(T, H, W, 4)``"""
    durations_ms: tuple[int, ...]
    """One whole number per frame, 1 to 65535."""
    loop: bool
    """Plays for ever, or once. A there-and-back loop is baked first: `loop.ping_pong`."""
    pivot: tuple[float, float]
    """The point that stands still in the world, in px from the top left corner of the canvas; y points down."""
    marks: Marks | None = None
    """Hitboxes, attach points and events; None finds the body box of every frame."""


@dataclass(frozen=True)
class SheetOptions:
    """How pages are laid out. The defaults suit engines; set padding, border and bleed to 0 for a bare grid."""

    layout: LayoutKind = "packed"
    """packed: smallest area. grid: equal cells in reading order. rows: equal cells, one row per action."""
    trim: bool = True
    """Cut empty borders. Packed layout only: a grid is counted by cell, so its cells stay whole."""
    dedupe: bool = True
    """Store equal pictures once; every frame keeps its own entry. Packed layout only, for the same reason."""
    padding: int = 2
    """Empty px between neighbours, 0 to 64."""
    border: int = 1
    """Empty px along the page edges, 0 to 64."""
    extrude: int = 0
    """Px that each picture's outermost pixels are repeated outwards (inside no frame rectangle), 0 to 16."""
    bleed: int = 2
    """Px that edge colours reach under transparent pixels, 0 to 16; alpha stays 0."""
    power_of_two: bool = False
    max_size: int = 4096
    """Greatest page side in px, 16 to 16384. Phones and browsers stop at 4096; more frames make more pages."""
    scale: int = 1
    """Whole-number nearest-neighbour enlargement, 1 to 16."""
    columns: int | None = None
    """Columns of the grid layout; None chooses the smallest page."""

    def __post_init__(self) -> None:
        ranges = {"padding": (0, 64), "border": (0, 64), "extrude": (0, 16), "bleed": (0, 16), "scale": (1, 16)}
        for option, (low, high) in {**ranges, "max_size": (16, 16384)}.items():
            value = getattr(self, option)
            if not low <= value <= high:
                raise SheetError(f"Sheet option {option} is {value}; use {low} to {high}.")
        if self.layout not in ("packed", "grid", "rows"):
            raise SheetError(f"Sheet layout '{self.layout}' is unknown; use packed, grid or rows.")


@dataclass(frozen=True)
class Entry:
    """One frame of one action on the sheet. All lengths in page pixels, that is after scaling."""

    action: str
    index: int
    """Number of the frame within its action, from 0."""
    page: int
    box: Box
    """Where its pixels lie on the page; padding and extrusion are outside."""
    offset: tuple[int, int]
    """Where `box` belongs in the untrimmed cell."""
    duration_ms: int
    boxes: dict[str, Box] = field(default_factory=dict)
    """Hitboxes of this frame by name, in the untrimmed cell."""
    points: dict[str, Point] = field(default_factory=dict)
    """Attach points of this frame by name, in the untrimmed cell."""
    events: tuple[str, ...] = ()
    """What happens when this frame is shown."""


@dataclass(frozen=True)
class Tag:
    """A run of entries that plays as one action, always forward."""

    name: str
    first: int
    last: int
    """Inclusive."""
    loop: bool


@dataclass(frozen=True)
class Sheet:
    """Pages of pixels, one entry per frame in play order, and one tag per action."""

    pages: tuple[Frames, ...]
    """Each ``(H, W, 4)``; RGB under alpha 0 holds bled edge colour if the options asked for it."""
    entries: tuple[Entry, ...]
    tags: tuple[Tag, ...]
    cell: tuple[int, int]
    """Width and height of every untrimmed frame, in page pixels."""
    pivot: tuple[float, float]
    """In page pixels from the top left corner of the cell."""
    scale: int

    def tag(self, action: str) -> Tag:
        """The tag of that name, else SheetError."""
        for tag in self.tags:
            if tag.name == action:
                return tag
        names = ", ".join(tag.name for tag in self.tags)
        raise SheetError(f"The sheet has no action '{action}'; it has {names}.")

    def frames_of(self, action: str) -> tuple[Entry, ...]:
        """The entries of one action, in play order."""
        tag = self.tag(action)
        return self.entries[tag.first : tag.last + 1]


def build_sheet(actions: Sequence[Action], options: SheetOptions | None = None) -> Sheet:
    """Pack `actions` in their order. Same input, same bytes. Raises SheetError, FramesError or TimingError."""
    options = options or SheetOptions()
    cell, pivot = _shared(actions)
    pictures = [zero_hidden(frame) for action in actions for frame in action.frames]
    cropped = options.trim and options.layout == "packed"
    whole = Box(0, 0, *cell)
    trims = [visible_box(picture) if cropped else whole for picture in pictures]
    pieces = [crop(picture, box) for picture, box in zip(pictures, trims, strict=True)]
    owner = [n for n, action in enumerate(actions) for _ in action.frames]
    layout = _laid_out(pieces, owner, options)
    scale, inset = options.scale, options.border + options.extrude
    boxes = [
        Box(slot.x + inset, slot.y + inset, piece.shape[1] * scale, piece.shape[0] * scale)
        for slot, piece in zip(layout.slots, pieces, strict=True)
    ]
    entries: list[Entry] = []
    tags: list[Tag] = []
    for action in actions:
        tags.append(Tag(action.name, len(entries), len(entries) + len(action.frames) - 1, action.loop))
        marks = automatic(action.frames) if action.marks is None else action.marks
        for index, duration in enumerate(action.durations_ms):
            n = len(entries)
            offset = (trims[n].x * scale, trims[n].y * scale)
            entry = Entry(action.name, index, layout.slots[n].page, boxes[n], offset, int(duration))
            entries.append(replace(entry, **_marked(marks, index, scale)))
    return Sheet(
        tuple(compose.pages(pieces, boxes, layout, options.extrude, options.bleed)),
        tuple(entries),
        tuple(tags),
        (cell[0] * scale, cell[1] * scale),
        (pivot[0] * scale, pivot[1] * scale),
        scale,
    )


def restore(sheet: Sheet, action: str) -> Frames:
    """The original ``(T, H, W, 4)`` frames of `action`, rebuilt from the pages at scale 1."""
    full = [compose.taken(sheet.pages[e.page], e.box, e.offset, sheet.cell) for e in sheet.frames_of(action)]
    return np.stack(full)[:, :: sheet.scale, :: sheet.scale]


def _marked(marks: Marks, index: int, scale: int) -> dict[str, Any]:
    """The marks of one frame, enlarged, as fields of its entry."""
    boxes = {name: row[index] for name, row in marks.boxes.items()}
    points = {name: row[index] for name, row in marks.points.items()}
    return {
        "boxes": {k: Box(*(v * scale for v in (b.x, b.y, b.w, b.h))) for k, b in boxes.items() if b},
        "points": {k: (p[0] * scale, p[1] * scale) for k, p in points.items() if p},
        "events": tuple(name for name, at in marks.events.items() if index in at),
    }


def _shared(actions: Sequence[Action]) -> tuple[tuple[int, int], tuple[float, float]]:
    """Cell and pivot that all actions agree on, else SheetError."""
    if not actions:
        raise SheetError("There is no action to pack; animate at least one.")
    names = [action.name for action in actions]
    if len(set(names)) < len(names) or not all(name.strip() for name in names):
        raise SheetError(f"Actions need different names that are not empty; got {', '.join(map(repr, names))}.")
    for action in actions:
        checked(action.frames, f"Action '{action.name}'")
        checked_durations(action.durations_ms, len(action.frames))
        if action.marks is not None:
            checked_marks(action.marks, len(action.frames), action.name)
    first = actions[0]
    for other in actions[1:]:
        if other.frames.shape[1:] != first.frames.shape[1:] or tuple(other.pivot) != tuple(first.pivot):
            raise SheetError(
                f"'{other.name}' ({other.frames.shape[2]}x{other.frames.shape[1]} px, pivot {tuple(other.pivot)}) and "
                f"'{first.name}' ({first.frames.shape[2]}x{first.frames.shape[1]} px, pivot {tuple(first.pivot)}) "
                f"differ; put all actions of a character on one canvas first."
            )
    return (first.frames.shape[2], first.frames.shape[1]), (first.pivot[0], first.pivot[1])


def _laid_out(pieces: Sequence[Frames], owner: Sequence[int], options: SheetOptions) -> Layout:
    """One slot per piece; a slot includes extrusion and the padding to its right and below."""
    around = 2 * options.extrude + options.padding
    side = options.max_size
    limits = Limits(side, side, options.power_of_two, slack=2 * options.border - options.padding)
    sizes = [(p.shape[1] * options.scale + around, p.shape[0] * options.scale + around) for p in pieces]
    counts = [owner.count(n) for n in range(max(owner) + 1)]
    if options.layout == "grid":
        return grid.grid(counts, sizes[0], limits, options.columns)
    if options.layout == "rows":
        return grid.rows(counts, sizes[0], limits)
    groups: list[list[pack.Piece]] = [[] for _ in counts]
    for n, piece in enumerate(pieces):
        key = (piece.shape, piece.tobytes()) if options.dedupe else n
        groups[owner[n]].append((key, sizes[n]))
    return pack.tight(groups, limits)
