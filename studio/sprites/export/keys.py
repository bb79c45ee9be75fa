"""What frames and actions are called inside a file: derived from names alone, so a re-export keeps every reference."""

from collections.abc import Iterator

from studio.sprites.export.names import distinct_names
from studio.sprites.sheet import Entry, Sheet, Tag


def action_keys(sheet: Sheet) -> list[str]:
    """One safe, distinct name per tag."""
    return distinct_names(tag.name for tag in sheet.tags)


def frame_key(action: str, index: int) -> str:
    """``walk_00`` ... ``walk_99``, ``walk_100``: the width never changes with the number of frames.

    Phaser's ``zeroPad: 2`` and FFmpeg's ``%02d`` count the same way.
    """
    return f"{action}_{index:02d}"


def frame_keys(sheet: Sheet) -> list[str]:
    """One key per entry, in play order."""
    return [frame_key(action, entry.index) for action, _, entries in keyed(sheet) for entry in entries]


def keyed(sheet: Sheet) -> Iterator[tuple[str, Tag, tuple[Entry, ...]]]:
    """(safe name, tag, entries) of every action, in sheet order."""
    for action, tag in zip(action_keys(sheet), sheet.tags, strict=True):
        yield action, tag, sheet.entries[tag.first : tag.last + 1]
