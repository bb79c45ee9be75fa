"""Hitboxes, attach points and events: found, edited, checked, and scaled with the sheet."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from studio.sprites.errors import SheetError
from studio.sprites.marks import Marks, automatic
from studio.sprites.sheet import Action, SheetOptions, build_sheet
from studio.sprites.trim import Box

from .figures import COAT, blank

NAMES = st.text(min_size=1, max_size=6)


@st.composite
def marks(draw, count: int = 3) -> Marks:
    whole, real = st.integers(-50, 50), st.floats(-50, 50)
    box = st.none() | st.builds(Box, whole, whole, st.integers(1, 50), st.integers(1, 50))
    point = st.none() | st.tuples(real, real)
    rows = lambda one: st.lists(one, min_size=count, max_size=count).map(tuple)  # noqa: E731
    return Marks(
        draw(st.dictionaries(NAMES, rows(box), max_size=3)),
        draw(st.dictionaries(NAMES, rows(point), max_size=3)),
        draw(st.dictionaries(NAMES, st.lists(st.integers(0, count - 1), max_size=3).map(tuple), max_size=3)),
    )


def test_the_body_is_found_without_specks_and_empty_frames_have_none():
    frames = blank(3, 40, 50)
    frames[0, 10:40, 8:20] = COAT
    frames[0, 0, 0] = COAT  # a speck of the matte
    frames[1, 10:40, 8:20] = COAT
    frames[1, 5:45, 20:30, 3] = 100  # soft glow is no body
    assert automatic(frames).boxes == {"body": (Box(8, 10, 12, 30), Box(8, 10, 12, 30), None)}


@settings(max_examples=30, deadline=None)
@given(marks())
def test_marks_survive_json(given_marks):
    assert Marks.from_json(given_marks.to_json()) == given_marks


@settings(max_examples=30, deadline=None)
@given(marks(), st.integers(1, 3))
def test_entries_carry_the_marks_of_their_frame_in_sheet_pixels(given_marks, scale):
    clip = Action("a", np.full((3, 4, 4, 4), 255, np.uint8), (80,) * 3, True, (2, 4), given_marks)
    for n, entry in enumerate(build_sheet([clip], SheetOptions(scale=scale)).entries):
        assert {k: Box(b.x // scale, b.y // scale, b.w // scale, b.h // scale) for k, b in entry.boxes.items()} == {
            k: row[n] for k, row in given_marks.boxes.items() if row[n]
        }
        expected = {k: (row[n][0] * scale, row[n][1] * scale) for k, row in given_marks.points.items() if row[n]}
        assert entry.points == expected
        assert set(entry.events) == {k for k, at in given_marks.events.items() if n in at}


def test_by_default_every_frame_has_its_body_box_and_no_marks_means_none():
    frames = blank(1, 10, 10)
    frames[0, 2:6, 3:8] = COAT
    found = Action("a", frames, (80,), True, (5, 10))
    assert build_sheet([found], SheetOptions(scale=2)).entries[0].boxes == {"body": Box(6, 4, 10, 8)}
    bare = Action("a", frames, (80,), True, (5, 10), Marks())
    assert build_sheet([bare]).entries[0].boxes == {}


@pytest.mark.parametrize(
    ("marks", "cure"),
    [
        (Marks(boxes={"body": (None,)}), "one per frame"),
        (Marks(points={"tip": ((1.0, 2.0),) * 3}), "one per frame"),
        (Marks(boxes={"body": (Box(0, 0, 0, 5), None)}), "1x1 px at least"),
        (Marks(points={"tip": ((float("nan"), 0.0), None)}), "two numbers"),
        (Marks(events={"step": (2,)}), "frames 0 to 1"),
        (Marks(events={str(n): () for n in range(65)}), "may have 64"),
    ],
)
def test_marks_that_do_not_fit_say_why(marks, cure):
    with pytest.raises(SheetError, match=cure):
        build_sheet([Action("a", blank(2, 4, 4), (80, 80), True, (2, 4), marks)])


@pytest.mark.parametrize(
    "value",
    [
        {"boxes": {"a": [[1, 2, 3]]}},
        {"boxes": {"a": [[1, 2, 3, 1.5]]}},
        {"boxes": {"a": [[1, 2, 3, True]]}},
        {"points": {"a": [[1]]}},
        {"points": {"a": ["xyz"]}},
        {"events": {"a": 3}},
        {"boxes": [1]},
        {"boxes": {"a": [[1, 2, 3, float("inf")]]}},
        [],
    ],
)
def test_rubbish_from_outside_is_refused(value):
    with pytest.raises(SheetError, match="cannot be read"):
        Marks.from_json(value)
