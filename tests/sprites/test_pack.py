"""Placing rectangles."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from studio.sprites.grid import grid, rows
from studio.sprites.layout import Limits, power_of_two
from studio.sprites.pack import tight


def overlaps(layout, sizes):
    taken = [np.zeros((h, w), bool) for w, h in layout.pages]
    for slot, (w, h) in zip(layout.slots, sizes, strict=True):
        area = taken[slot.page][slot.y : slot.y + h, slot.x : slot.x + w]
        if area.shape != (h, w) or area.any():
            return True
        area[:] = True
    return False


SIZES = st.lists(st.tuples(st.integers(1, 40), st.integers(1, 40)), min_size=1, max_size=30)


@settings(max_examples=80, deadline=None)
@given(SIZES, st.sampled_from([40, 64, 300]), st.booleans())
def test_nothing_overlaps_or_leaves_its_page(sizes, side, square):
    limits = Limits(64 if square else side, 64 if square else side, square)
    layout = tight([list(enumerate(sizes))], limits)
    assert not overlaps(layout, sizes)
    assert all(w <= limits.width and h <= limits.height for w, h in layout.pages)


def test_equal_keys_share_a_place_on_their_page_but_not_across_pages():
    layout = tight(
        [[("a", (30, 30)), ("b", (30, 30)), ("a", (30, 30))], [("a", (30, 30)), ("c", (30, 30))]], Limits(60, 30)
    )
    assert layout.slots[0] == layout.slots[2] and layout.slots[0] != layout.slots[1]
    assert [slot.page for slot in layout.slots] == [0, 0, 0, 1, 1]


@pytest.mark.parametrize("count", [4, 16, 60, 256])
def test_equal_squares_fill_their_page(count):
    width, height = tight([[(n, (10, 10)) for n in range(count)]], Limits()).pages[0]
    assert width * height <= 100 * count * (1 if int(count**0.5) ** 2 == count else 1.05)


def test_mixed_sprites_waste_little():
    rng = np.random.default_rng(2)
    sizes = [(int(w), int(h)) for w, h in zip(rng.integers(40, 90, 80), rng.integers(90, 120, 80), strict=True)]
    width, height = tight([list(enumerate(sizes))], Limits()).pages[0]
    assert sum(w * h for w, h in sizes) / (width * height) > 0.92
    assert max(width, height) < 2 * min(width, height)


def test_a_strip_is_taken_only_when_it_saves_area():
    """Five squares fill a strip and waste a sixth of 3x2; among nearly equal pages the squarest wins."""
    assert tight([[(n, (10, 10)) for n in range(5)]], Limits()).pages == ((50, 10),)
    assert tight([[(n, (10, 10)) for n in range(4)]], Limits()).pages == ((20, 20),)
    width, height = tight([[(n, (20, 21)) for n in range(36)]], Limits()).pages[0]
    assert max(width, height) <= 126


def test_many_pieces_stay_quick_and_legal():
    sizes = [(3 + n % 5, 3 + n % 7) for n in range(3500)]
    layout = tight([list(enumerate(sizes))], Limits())
    assert len(layout.pages) == 1 and not overlaps(layout, sizes)


def test_power_of_two():
    assert [power_of_two(n) for n in (1, 2, 3, 4, 5, 1025)] == [1, 2, 4, 4, 8, 2048]
    assert tight([[(0, (33, 9))]], Limits(power_of_two=True)).pages == ((64, 16),)


def test_rows_wrap_and_pages_follow():
    layout = rows([3, 5, 1], (10, 10), Limits(40, 30))
    assert [(s.page, s.x, s.y) for s in layout.slots] == [
        (0, 0, 0), (0, 10, 0), (0, 20, 0),
        (0, 0, 10), (0, 10, 10), (0, 20, 10), (0, 30, 10), (0, 0, 20),
        (1, 0, 0),
    ]  # fmt: skip
    assert layout.pages == ((40, 30), (10, 10))


def test_the_last_padding_may_hang_over_the_page():
    """Cells of 4096 px plus padding still fit a 4096 px page: nothing comes after the last one."""
    limits = Limits(64, 64, slack=-2)
    assert grid([1], (66, 66), limits).pages == ((64, 64),)
    assert rows([2], (33, 33), limits).pages == ((64, 31),)
    assert tight([[(0, (66, 66))]], limits).pages == ((64, 64),)
