"""Equal cells in reading order, or one row per action."""

import math
from collections.abc import Sequence

from studio.sprites.errors import SheetError
from studio.sprites.layout import Layout, Limits, Size, Slot, too_large


def grid(counts: Sequence[int], cell: Size, limits: Limits, columns: int | None = None) -> Layout:
    """Equal cells for actions of `counts` frames, row by row, as square as possible or with `columns`.

    An action that the rest of a page cannot hold starts on the next page.
    """
    if not limits.hold(cell):
        raise too_large(cell, limits)
    most = _most_columns(cell, limits)
    if columns is not None and not 1 <= columns <= most:
        raise SheetError(f"{columns} columns of {cell[0]} px do not fit a page; use 1 to {most} columns.")
    tall = _most_rows(cell, limits)
    fitting = [n for n in range(1, most + 1) if math.ceil(sum(counts) / n) <= tall] or [most]
    wanted = columns or min(fitting, key=lambda n: (_grid_page(sum(counts), n, cell, limits), n))
    numbers = _starting(counts, wanted * tall)
    places = [divmod(first + i, wanted) for first, count in zip(numbers, counts, strict=True) for i in range(count)]
    return _cells(places, cell, limits)


def rows(counts: Sequence[int], cell: Size, limits: Limits) -> Layout:
    """One row per action; an action longer than the page is wide wraps into further rows (field report 29)."""
    if not limits.hold(cell):
        raise too_large(cell, limits)
    most = _most_columns(cell, limits)
    firsts = _starting([math.ceil(count / most) for count in counts], _most_rows(cell, limits))
    places = [(first + i // most, i % most) for first, count in zip(firsts, counts, strict=True) for i in range(count)]
    return _cells(places, cell, limits)


def _starting(lengths: Sequence[int], page: int) -> list[int]:
    """Where runs of `lengths` start when none that fits a page of `page` places may cross into the next page."""
    out, at = [], 0
    for length in lengths:
        left = page - at % page
        if left < length <= page:
            at += left
        out.append(at)
        at += length
    return out


def _most_rows(cell: Size, limits: Limits) -> int:
    rows_each = range(1, (limits.height - limits.slack) // cell[1] + 1)
    return max(n for n in rows_each if limits.hold((cell[0], n * cell[1])))


def _most_columns(cell: Size, limits: Limits) -> int:
    columns = range(1, (limits.width - limits.slack) // cell[0] + 1)
    return max(n for n in columns if limits.hold((n * cell[0], cell[1])))


def _grid_page(count: int, columns: int, cell: Size, limits: Limits) -> tuple[int, int]:
    width, height = limits.page(columns * cell[0], math.ceil(count / columns) * cell[1])
    return (width * height, max(width, height))


def _cells(places: Sequence[tuple[int, int]], cell: Size, limits: Limits) -> Layout:
    """(row, column) numbers to slots; rows that do not fit go to further pages."""
    tall = _most_rows(cell, limits)
    slots = tuple(Slot(row // tall, column * cell[0], row % tall * cell[1]) for row, column in places)
    pages = []
    for page in range(max(slot.page for slot in slots) + 1):
        here = [slot for slot in slots if slot.page == page]
        width, height = max(s.x for s in here) + cell[0], max(s.y for s in here) + cell[1]
        pages.append(limits.page(width, height))
    return Layout(slots, tuple(pages))
