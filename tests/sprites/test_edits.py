"""Edits by hand: each does what it says, any list is read or refused, and the same list gives the same bytes."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from studio.sprites import edits as E
from studio.sprites.editing import apply
from studio.sprites.errors import SpriteError

TIMES = (100, 90, 80, 70)


def clip() -> np.ndarray:
    """Four frames of 8x6 px: a dot that walks right and changes its colour, and a wall at the left."""
    frames = np.zeros((4, 6, 8, 4), np.uint8)
    frames[:, 2:, 0] = (10, 200, 30, 255)
    for n in range(4):
        frames[n, 3, 2 + n] = (60 * n, 0, 200, 255)
    return frames


def done(*made: E.Edit) -> tuple[np.ndarray, tuple[int, ...]]:
    return apply(clip(), TIMES, made)


FRAME = st.integers(0, 5)
EDIT: st.SearchStrategy[E.Edit] = st.one_of(
    st.builds(E.Delete, FRAME),
    st.builds(E.Duplicate, FRAME),
    st.builds(E.Move, FRAME, FRAME),
    st.builds(E.Hold, FRAME, st.integers(-300, 300)),
    st.builds(E.Nudge, FRAME, st.integers(-9, 9), st.integers(-9, 9)),
    st.builds(E.Mirror, FRAME),
    st.builds(
        E.Brush,
        FRAME,
        st.lists(st.tuples(st.integers(-3, 11), st.integers(-3, 9)), min_size=1, max_size=4).map(tuple),
        st.integers(1, 5),
        st.none() | st.tuples(*[st.integers(0, 255)] * 3),
    ),
    st.builds(E.Retime, st.integers(1, 3)),
    st.builds(E.KeyFrames, st.integers(1, 6), st.booleans()),
    st.builds(E.PingPong),
    st.builds(E.PaletteLock, st.just(((0, 0, 200), (10, 200, 30))), st.sampled_from(["none", "ordered", "error"])),
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=8,
)


@settings(deadline=None, max_examples=60)
@given(st.lists(EDIT, max_size=6))
def test_any_list_keeps_the_clip_whole_or_is_refused(made: list[E.Edit]) -> None:
    before = clip()
    try:
        frames, times = apply(before, TIMES, made)
    except SpriteError as error:
        assert str(error).endswith(".")
        return
    assert np.array_equal(before, clip()), "the drawings of the clip itself were changed"
    assert frames.dtype == np.uint8 and frames.shape[1:] == before.shape[1:] and len(frames) == len(times) >= 1
    assert all(1 <= value <= 65535 for value in times)
    assert not frames[frames[..., 3] == 0].any()
    again = apply(clip(), TIMES, E.from_json(json.loads(json.dumps(E.to_json(made)))))
    assert again[0].tobytes() == frames.tobytes() and again[1] == times


@given(JSON, st.sampled_from(sorted(E.KINDS)), st.dictionaries(st.sampled_from(["frame", "to", "ms", "points"]), JSON))
def test_what_anybody_sends_is_read_or_refused_in_words(sent: Any, name: str, values: dict[str, Any]) -> None:
    for value in (sent, [sent], [{"do": sent}], [{**values, "do": name}]):
        try:
            assert all(type(edit) in E.KINDS.values() for edit in E.from_json(value))
        except E.EditError as error:
            assert str(error).endswith(".") and len(str(error)) < 300


def test_delete_duplicate_and_move_take_the_time_along() -> None:
    frames, times = done(E.Delete(1))
    assert np.array_equal(frames, clip()[[0, 2, 3]]) and times == (100, 80, 70)
    frames, times = done(E.Duplicate(1))
    assert np.array_equal(frames, clip()[[0, 1, 1, 2, 3]]) and times == (100, 90, 90, 80, 70)
    frames, times = done(E.Move(0, 2))
    assert np.array_equal(frames, clip()[[1, 2, 0, 3]]) and times == (90, 80, 100, 70)
    frames, times = done(E.Move(3, 0))
    assert np.array_equal(frames, clip()[[3, 0, 1, 2]]) and times == (70, 100, 90, 80)


def test_hold_is_bounded() -> None:
    assert done(E.Hold(2, 45))[1] == (100, 90, 125, 70)
    assert done(E.Hold(2, -500))[1] == (100, 90, 1, 70)
    assert done(E.Hold(2, 65535))[1] == (100, 90, 65535, 70)


@given(st.integers(-8, 8), st.integers(-6, 6))
def test_a_nudge_moves_every_pixel_and_wraps_none(x: int, y: int) -> None:
    frames, _ = done(E.Nudge(1, x, y))
    wide = np.pad(clip()[1], ((6, 6), (8, 8), (0, 0)))
    assert np.array_equal(frames[1], wide[6 - y : 12 - y, 8 - x : 16 - x])
    assert np.array_equal(frames[[0, 2, 3]], clip()[[0, 2, 3]])


def test_a_mirror_flips_one_frame_and_twice_is_none() -> None:
    frames, _ = done(E.Mirror(1))
    assert np.array_equal(frames[1], clip()[1, :, ::-1]) and np.array_equal(frames[0], clip()[0])
    assert np.array_equal(done(E.Mirror(1), E.Mirror(1))[0], clip())


def test_the_brush_paints_and_erases_what_it_touches() -> None:
    frames, _ = done(E.Brush(0, ((4, 1), (6, 1)), 1, (9, 8, 7)))
    changed = np.argwhere((frames != clip()).any(axis=-1))
    assert changed.tolist() == [[0, 1, 4], [0, 1, 5], [0, 1, 6]]
    assert frames[0, 1, 5].tolist() == [9, 8, 7, 255]
    erased, _ = done(E.Brush(0, ((0, 4),), 3))
    assert not erased[0, 3:6, 0].any() and erased[0, 2, 0, 3] == 255
    assert np.array_equal(done(E.Brush(0, ((-9, -9),), 3))[0], clip())


def test_time_is_kept_on_twos_and_key_frames() -> None:
    frames, times = done(E.Retime(2))
    assert np.array_equal(frames, clip()[[0, 2]]) and times == (190, 150)
    frames, times = done(E.KeyFrames(2, loop=False))
    assert np.array_equal(frames, clip()[[0, 3]]) and times == (270, 70)
    assert len(done(E.KeyFrames(16))[0]) == 4


def test_there_and_back_shows_the_ends_once() -> None:
    frames, times = done(E.PingPong())
    assert np.array_equal(frames, clip()[[0, 1, 2, 3, 2, 1]]) and times == (*TIMES, 80, 90)


def test_a_locked_palette_holds_only_its_colours() -> None:
    palette = ((0, 0, 200), (10, 200, 30))
    frames, _ = done(E.PaletteLock(palette))
    assert {tuple(pixel[:3]) for pixel in frames[frames[..., 3] > 0].tolist()} == set(palette)
    assert np.array_equal(frames[..., 3], clip()[..., 3])


def test_frames_are_counted_after_the_edits_before() -> None:
    frames, _ = done(E.Delete(0), E.Delete(0))
    assert np.array_equal(frames, clip()[2:])
    with pytest.raises(E.EditError, match=r"no frame 3; the clip has 3"):
        done(E.Delete(0), E.Mirror(3))
    with pytest.raises(E.EditError, match="cannot become number 4"):
        done(E.Move(0, 4))
    with pytest.raises(E.EditError, match="at least one frame"):
        apply(clip()[:1], (100,), [E.Delete(0)])


def test_a_list_cannot_grow_without_bounds() -> None:
    with pytest.raises(E.EditError, match="keep it to 512"):
        done(*[E.PingPong()] * 20)
    with pytest.raises(E.EditError, match="at most 500"):
        E.from_json([{"do": "ping_pong"}] * 501)
    with pytest.raises(E.EditError, match="shorter strokes"):
        E.from_json([{"do": "brush", "frame": 0, "points": [[0, 0]] * 4001}])
