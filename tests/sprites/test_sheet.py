"""Sheets keep every pixel, every time, and one pivot."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from studio.sprites.errors import FramesError, SheetError, TimingError
from studio.sprites.frames import zero_hidden
from studio.sprites.loop import ping_pong
from studio.sprites.sheet import Action, SheetOptions, build_sheet, restore
from studio.sprites.trim import visible_box

from .figures import COAT, actions, blank, orbit, swinger

OPTIONS = st.builds(
    SheetOptions,
    layout=st.sampled_from(["packed", "grid", "rows"]),
    trim=st.booleans(),
    dedupe=st.booleans(),
    padding=st.integers(0, 3),
    border=st.integers(0, 3),
    extrude=st.integers(0, 2),
    bleed=st.integers(0, 3),
    power_of_two=st.booleans(),
    max_size=st.sampled_from([64, 101, 4096]),
    scale=st.integers(1, 3),
)


@settings(max_examples=80, deadline=None)
@given(actions(), OPTIONS)
def test_every_frame_comes_back_to_the_pixel(clips, options):
    """Field reports 24, 25, 30: trim, dedupe, pages, scale and layout never change a frame, its time or its tag."""
    sheet = build_sheet(clips, options)
    assert [tag.name for tag in sheet.tags] == [clip.name for clip in clips]
    assert sum(len(clip.frames) for clip in clips) == len(sheet.entries) == sheet.tags[-1].last + 1
    for clip, tag in zip(clips, sheet.tags, strict=True):
        assert np.array_equal(restore(sheet, clip.name), zero_hidden(clip.frames))
        entries = sheet.frames_of(clip.name)
        assert tuple(e.duration_ms for e in entries) == clip.durations_ms and tag.loop == clip.loop
        assert [(e.action, e.index) for e in entries] == [(clip.name, n) for n in range(len(clip.frames))]
        assert sheet.pivot == (clip.pivot[0] * options.scale, clip.pivot[1] * options.scale)


@settings(max_examples=80, deadline=None)
@given(actions(), OPTIONS)
def test_pages_are_legal_and_pictures_keep_their_distance(clips, options):
    """Field reports 29 and 31: no page over the limit, and nothing within padding of a neighbour or the border."""
    sheet = build_sheet(clips, options)
    for number, page in enumerate(sheet.pages):
        height, width, _ = page.shape
        assert max(width, height) <= options.max_size
        if options.power_of_two:
            assert width & (width - 1) == 0 and height & (height - 1) == 0
        owner = np.zeros((height, width), int)
        boxes = {e.box for e in sheet.entries if e.page == number}
        assert boxes
        grow = options.extrude
        for box in boxes:
            assert min(box.x, box.y) >= options.border + grow
            assert box.x + box.w + options.border + grow <= width
            assert box.y + box.h + options.border + grow <= height
            around = owner[
                max(box.y - grow - options.padding, 0) : box.y + box.h + grow + options.padding,
                max(box.x - grow - options.padding, 0) : box.x + box.w + grow + options.padding,
            ]
            assert not around.any()
            owner[box.y - grow : box.y + box.h + grow, box.x - grow : box.x + box.w + grow] = 1
        assert not page[owner == 0][:, 3].any()


@settings(max_examples=40, deadline=None)
@given(actions(), OPTIONS)
def test_same_input_same_bytes(clips, options):
    """Field report 30."""
    one, two = build_sheet(clips, options), build_sheet(clips, options)
    assert [p.tobytes() for p in one.pages] == [p.tobytes() for p in two.pages]
    assert (one.entries, one.tags) == (two.entries, two.tags)


@settings(max_examples=60, deadline=None)
@given(actions(), st.sampled_from([24, 33, 48]))
def test_an_action_stays_on_one_page_when_it_fits_there(clips, side):
    """Equal pictures on different pages are stored again, else a tag would need two pictures."""
    sheet = build_sheet(clips, SheetOptions(max_size=side))
    for clip in clips:
        alone = build_sheet([clip], SheetOptions(max_size=side))
        if len(alone.pages) == 1:
            assert len({e.page for e in sheet.frames_of(clip.name)}) == 1


def test_equal_frames_are_stored_once_and_ping_pong_costs_nothing():
    frames, durations = ping_pong(orbit(5, 5), (80,) * 5)
    sheet = build_sheet([Action("spin", frames, durations, True, (24, 24))])
    assert len(sheet.entries) == 8 and len({e.box for e in sheet.entries}) == 5
    loose = build_sheet([Action("spin", frames, durations, True, (24, 24))], SheetOptions(dedupe=False))
    assert len({e.box for e in loose.entries}) == 8


def test_a_moved_picture_is_stored_once_with_two_places():
    """The disc is the same picture wherever it is in the cell; only its offset differs."""
    frames = blank(3, 30, 30)
    for t, frame in enumerate(frames):
        frame[4 + t : 9 + t, 3 * t : 3 * t + 6] = COAT
    sheet = build_sheet([Action("roll", frames, (90,) * 3, True, (15, 30))])
    assert len({e.box for e in sheet.entries}) == 1
    assert [e.offset for e in sheet.entries] == [(0, 4), (3, 5), (6, 6)]


def test_the_pivot_is_one_world_point_for_every_trimmed_frame():
    """Field report 27: drawn with the pivot on the ground, each picture lands where it was drawn."""
    clip = Action("swing", swinger(8), (80,) * 8, False, (60, 110))
    sheet = build_sheet([clip])
    for entry, frame in zip(sheet.entries, clip.frames, strict=True):
        world = np.zeros((400, 400, 4), np.uint8)
        x, y = 200 - sheet.pivot[0] + entry.offset[0], 300 - sheet.pivot[1] + entry.offset[1]
        box = entry.box
        world[y : y + box.h, x : x + box.w] = sheet.pages[0][box.y : box.y + box.h, box.x : box.x + box.w]
        expected = visible_box(frame)
        found = visible_box(zero_hidden(world))
        assert (found.x, found.y) == (200 - 60 + expected.x, 300 - 110 + expected.y)


@pytest.mark.parametrize("layout", ["packed", "grid", "rows"])
def test_a_long_strip_wraps_instead_of_growing_past_4096(layout):
    """Field report 29: 40 frames of 192 px are 7680 px in one row, black on many devices."""
    rng = np.random.default_rng(0)
    frames = blank(40, 192, 192)
    frames[:] = rng.integers(1, 255, (40, 1, 1, 4))
    sheet = build_sheet([Action("long", frames, (50,) * 40, True, (96, 192))], SheetOptions(layout=layout))
    assert max(max(page.shape) for page in sheet.pages) <= 4096
    assert np.array_equal(restore(sheet, "long"), frames)


@pytest.mark.parametrize("layout", ["packed", "grid", "rows"])
def test_more_than_one_page_beyond_the_limit(layout):
    """Field report 29: what does not fit 4096x4096 goes to further pages, whole actions at a time."""
    frames = blank(7, 1500, 1300)
    frames[:, :, :, 3] = 255
    frames[:, 0, 0, 0] = np.arange(7)
    clips = [Action(n, f, (90,) * len(f), True, (7, 9)) for n, f in (("a", frames[:3]), ("b", frames[3:]))]
    sheet = build_sheet(clips, SheetOptions(layout=layout, bleed=0))
    assert len(sheet.pages) > 1 and max(max(p.shape) for p in sheet.pages) <= 4096
    for clip in clips:
        assert np.array_equal(restore(sheet, clip.name), clip.frames)
        assert len({e.page for e in sheet.frames_of(clip.name)}) == 1


def test_grids_are_counted_by_cell():
    """Bare options give the plain grid that engines slice by frame size: nothing trimmed, nothing left out."""
    bare = SheetOptions(layout="rows", padding=0, border=0, bleed=0)
    clips = [
        Action("idle", orbit(3, 3)[:, :40], (90,) * 3, True, (1, 2)),
        Action("spin", orbit(5, 5)[:, :40], (90,) * 5, True, (1, 2)),
    ]
    sheet = build_sheet(clips, bare)
    assert sheet.pages[0].shape == (80, 240, 4)
    assert [(e.box.x, e.box.y) for e in sheet.entries] == [(48 * i, 0) for i in range(3)] + [
        (48 * i, 40) for i in range(5)
    ]
    assert np.array_equal(sheet.pages[0][40:80, 96:144], clips[1].frames[2])
    grid = build_sheet(clips, replace(bare, layout="grid", columns=8))
    assert grid.pages[0].shape == (40, 384, 4)
    with pytest.raises(SheetError, match="1 to 85 columns"):
        build_sheet(clips, replace(bare, layout="grid", columns=86))


def test_edges_are_extruded_and_bilinear_sampling_never_sees_a_neighbour():
    """Field report 31: half a pixel over the edge of a frame lies the frame's own colour."""
    colours = np.array([(200, 0, 0, 255), (0, 200, 0, 255), (0, 0, 200, 255)], np.uint8)
    frames = np.broadcast_to(colours[:, None, None], (3, 8, 8, 4)).copy()
    options = SheetOptions(extrude=1, padding=0, border=0, bleed=0)
    sheet = build_sheet([Action("tiles", frames, (90,) * 3, True, (0, 0))], options)
    for entry, colour in zip(sheet.entries, colours, strict=True):
        box = entry.box
        ring = sheet.pages[0][box.y - 1 : box.y + box.h + 1, box.x - 1 : box.x + box.w + 1]
        assert (ring == colour).all()


def test_bleed_colours_hidden_pixels_on_the_page_only():
    """Field report 18: engines filter colour and alpha apart, so black under alpha 0 draws a dark rim."""
    frames = blank(1, 9, 9)
    frames[0, 3:6, 3:6] = (200, 150, 100, 255)
    clip = Action("dot", frames, (90,), True, (4, 4))
    sheet = build_sheet([clip], SheetOptions(trim=False, bleed=2, padding=0, border=0))
    page = sheet.pages[0]
    assert np.array_equal(page[..., 3], frames[0, ..., 3])
    assert (page[1:8, 1:8, :3] == (200, 150, 100)).all() and not page[0].any() and not page[:, 8].any()
    assert np.array_equal(restore(sheet, "dot"), frames)


@pytest.mark.parametrize(
    ("change", "error", "cure"),
    [
        ({"frames": blank(2, 8, 9)}, SheetError, "one canvas"),
        ({"pivot": (1, 2)}, SheetError, "one canvas"),
        ({"name": "a"}, SheetError, "different names"),
        ({"name": "  "}, SheetError, "not empty"),
        ({"durations_ms": (90,)}, TimingError, "one per frame"),
        ({"durations_ms": (90, 0)}, TimingError, "whole milliseconds"),
        ({"frames": blank(2, 8, 8).astype(float)}, FramesError, "uint8"),
        ({"frames": blank(2, 8, 8)[..., :3]}, FramesError, "alpha"),
        ({"frames": blank(0, 8, 8)}, FramesError, "at least one frame"),
    ],
)
def test_what_cannot_be_packed_says_why(change, error, cure):
    clip = Action("a", blank(2, 8, 8), (90, 90), True, (4, 8))
    with pytest.raises(error, match=cure):
        build_sheet([clip, replace(replace(clip, name="b"), **change)])


def test_options_and_limits_say_what_is_allowed():
    with pytest.raises(SheetError, match="padding is -1; use 0 to 64"):
        SheetOptions(padding=-1)
    with pytest.raises(SheetError, match="packed, grid or rows"):
        SheetOptions(layout="spiral")
    with pytest.raises(SheetError, match="animate at least one"):
        build_sheet([])
    wide = Action("a", np.full((1, 4, 90, 4), 255, np.uint8), (90,), True, (0, 0))
    for layout in ("packed", "grid", "rows"):
        with pytest.raises(SheetError, match="64x64 px"):
            build_sheet([wide], SheetOptions(layout=layout, max_size=64))
    with pytest.raises(SheetError, match="no action 'run'; it has a"):
        build_sheet([wide]).tag("run")
