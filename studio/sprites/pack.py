"""Tight packing: the smallest page found among several widths, orders and packers. Sizes only, no pixels."""

import math
from collections.abc import Hashable, Iterator, Sequence

import rectpack

from studio.sprites.layout import Layout, Limits, Size, Slot, power_of_two, too_large

Piece = tuple[Hashable, Size]
"""A picture's key and size; pieces with equal keys look the same and may share one place."""

EFFORT = 3000
"""Rectangles placed in search of the smallest page; every packer is greedy, so one more try may save a row."""

FINE = 100
"""Up to this many rectangles the slow packer (MaxRects) is tried too."""

SPARE = 0.01
"""Share of area that may be given for a squarer page: people look at pages, and a strip meets size limits first."""


def tight(groups: Sequence[Sequence[Piece]], limits: Limits) -> Layout:
    """Pack the pieces of all groups (one group per action) without rotation on as few, small pages as found.

    One slot per piece, in order. The same input gives the same layout. When one page is not enough, whole groups
    move to the next one and share nothing with the page before, so that an action can be read from one picture;
    only a group larger than a page is split.
    """
    for _, size in (piece for group in groups for piece in group):
        if not limits.hold(size):
            raise too_large(size, limits)
    everything = [piece for group in groups for piece in group]
    layout = _smallest(_sizes(everything), limits) if _may_fit(everything, limits) else None
    if layout is not None:
        return _shared([(everything, layout)])
    parts = _divided(groups, limits)
    return _shared([(p, _smallest(_sizes(p), limits) or _spill(_sizes(p), limits)) for p in parts])


def _shared(parts: Sequence[tuple[Sequence[Piece], Layout]]) -> Layout:
    """Layouts of distinct pieces, one after the other, spread to all pieces with those keys."""
    slots: list[Slot] = []
    pages: list[Size] = []
    for pieces, layout in parts:
        place = dict(zip(dict(pieces), layout.slots, strict=True))
        slots += [Slot(len(pages) + place[key].page, place[key].x, place[key].y) for key, _ in pieces]
        pages += layout.pages
    return Layout(tuple(slots), tuple(pages))


def _divided(groups: Sequence[Sequence[Piece]], limits: Limits) -> list[list[Piece]]:
    """Whole groups per page, in order."""
    parts: list[list[Piece]] = [[]]
    for group in groups:
        together = [*parts[-1], *group]
        if parts[-1] and not (_may_fit(together, limits) and _smallest(_sizes(together), limits)):
            parts.append([])
        parts[-1].extend(group)
    return parts


def _may_fit(pieces: Sequence[Piece], limits: Limits) -> bool:
    area = sum(w * h for w, h in _sizes(pieces))
    return area <= (limits.width - limits.slack) * (limits.height - limits.slack)


def _sizes(pieces: Sequence[Piece]) -> list[Size]:
    return list(dict(pieces).values())


def _smallest(sizes: Sequence[Size], limits: Limits) -> Layout | None:
    """The smallest single page among all tries, or None if no try fits one page."""
    found: list[tuple[Size, list[Size]]] = []
    for places in _tries(sizes, limits):
        if places is None:
            continue
        used = (
            max(x + w for (x, _), (w, _) in zip(places, sizes, strict=True)),
            max(y + h for (_, y), (_, h) in zip(places, sizes, strict=True)),
        )
        if limits.hold(used):
            found.append((limits.page(*used), places))
    if not found:
        return None
    least = min(w * h for (w, h), _ in found)
    near = [
        (max(page), page[0] * page[1], n)
        for n, (page, _) in enumerate(found)
        if page[0] * page[1] <= least * (1 + SPARE)
    ]
    page, places = found[min(near)[2]]
    return Layout(tuple(Slot(0, x, y) for x, y in places), (page,))


def _tries(sizes: Sequence[Size], limits: Limits) -> Iterator[list[Size] | None]:
    """Candidate placements, most promising first, as many as `EFFORT` allows."""
    numbers = range(len(sizes))
    orders = [
        sorted(numbers, key=lambda i: (-sizes[i][1], -sizes[i][0], i)),
        sorted(numbers, key=lambda i: (-sizes[i][0] * sizes[i][1], i)),
        sorted(numbers, key=lambda i: (-sizes[i][0], -sizes[i][1], i)),
    ]
    packers = [rectpack.SkylineBlWm, rectpack.GuillotineBssfSas]
    if len(sizes) <= FINE:
        packers.append(rectpack.MaxRectsBl)
    widths = _widths(sizes, limits)
    for width in widths:
        yield _shelves(sizes, orders[0], width)
    left = max(EFFORT // len(sizes), 2) if len(sizes) <= EFFORT else 0
    for order in orders:
        for width in widths:
            for packer in packers:
                if left == 0:
                    return
                left -= 1
                yield _packed(sizes, order, (width, limits.height - limits.slack), packer)


def _widths(sizes: Sequence[Size], limits: Limits) -> list[int]:
    widest = max(w for w, _ in sizes)
    room = limits.width - limits.slack
    side = math.sqrt(sum(w * h for w, h in sizes))
    if limits.power_of_two:
        start = power_of_two(max(widest + limits.slack, int(side / 2)))
        powers = [start << n for n in range(3) if start << n <= limits.width]
        return [power - limits.slack for power in powers]
    # a whole number of the widest rectangle makes equal frames fit without waste
    exact = widest * math.ceil(side / widest)
    wanted = [exact, *(math.ceil(side * f) for f in (1.03, 1.1, 1.25, 1.5)), exact + widest, room]
    return list(dict.fromkeys(min(max(width, widest), room) for width in wanted))


def _shelves(sizes: Sequence[Size], order: Sequence[int], width: int) -> list[Size]:
    """Rows of falling height: the plain packing, exact for equal frames."""
    places: list[Size] = [(0, 0)] * len(sizes)
    x = y = shelf = 0
    for i in order:
        w, h = sizes[i]
        if x + w > width:
            x, y, shelf = 0, y + shelf, 0
        places[i] = (x, y)
        x, shelf = x + w, max(shelf, h)
    return places


def _packed(sizes: Sequence[Size], order: Sequence[int], page: Size, packer: type) -> list[Size] | None:
    rects = _rectpack(sizes, order, page, packer, 1)
    if len(rects) < len(sizes):
        return None
    return [(x, y) for _, x, y in (rects[i] for i in range(len(sizes)))]


def _spill(sizes: Sequence[Size], limits: Limits) -> Layout:
    """A group larger than one page: as many pages as it takes."""
    page = (limits.width, limits.height)
    if limits.power_of_two:
        page = (power_of_two(page[0] // 2 + 1), power_of_two(page[1] // 2 + 1))
    page = (page[0] - limits.slack, page[1] - limits.slack)
    order = sorted(range(len(sizes)), key=lambda i: (-sizes[i][1], -sizes[i][0], i))
    rects = _rectpack(sizes, order, page, rectpack.SkylineBlWm, len(sizes))
    slots = tuple(Slot(*rects[i]) for i in range(len(sizes)))
    pages = []
    for number in range(max(slot.page for slot in slots) + 1):
        here = [(s, size) for s, size in zip(slots, sizes, strict=True) if s.page == number]
        pages.append(limits.page(max(s.x + w for s, (w, _) in here), max(s.y + h for s, (_, h) in here)))
    return Layout(slots, tuple(pages))


def _rectpack(
    sizes: Sequence[Size], order: Sequence[int], page: Size, packer: type, pages: int
) -> dict[int, tuple[int, int, int]]:
    bins = rectpack.newPacker(
        mode=rectpack.PackingMode.Offline,
        bin_algo=rectpack.PackingBin.BFF,
        pack_algo=packer,
        sort_algo=rectpack.SORT_NONE,
        rotation=False,  # a turned sprite is read wrong by engines without rotation (field report 30)
    )
    bins.add_bin(*page, count=pages)
    for i in order:
        bins.add_rect(*sizes[i], rid=i)
    bins.pack()
    return {int(rid): (int(page_no), int(x), int(y)) for page_no, x, y, _, _, rid in bins.rect_list()}
