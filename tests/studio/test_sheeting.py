"""Clips of the library as actions of one sheet: where they stand, what they carry, how they are coloured."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from pipelines.clip import Clip
from pipelines.errors import RequestError
from pipelines.pose.skeleton import INDEX, N_JOINTS
from studio.library import clips
from studio.library.clips import ClipRecord
from studio.sprites.align import core_column, drift
from studio.sprites.edits import Delete, Mirror, Nudge, PingPong, to_json
from studio.sprites.trim import Box
from studio.tasks.marking import shown
from studio.tasks.orders import ExportOptions
from studio.tasks.sheeting import actions_of
from tests.sprites.figures import swinger

SIDE = 128
PLAIN = ExportOptions()
TRAVEL = ExportOptions(motion="root_motion")


def filmed(travel: int = 3, count: int = 8) -> Clip:
    """A walk out of a video model: nobody knows its joints, and the camera lets it wander."""
    frames = np.stack([np.roll(frame, travel * t, axis=1) for t, frame in enumerate(swinger(count, reach=10))])
    return Clip(frames, 10, "walk", loop=True)


def posed(action: str = "walk", loop: bool = True, count: int = 8) -> Clip:
    """A clip whose joints are known: the foot slides back 4 px a frame under a pelvis that stands still."""
    joints = np.full((count, N_JOINTS, 2), np.nan, np.float32)
    for name, place in {"pelvis": (64, 60), "r_wrist": (80, 50), "r_elbow": (72, 50), "l_ankle": (60, 100)}.items():
        joints[:, INDEX[name]] = np.array(place) / SIDE
    joints[:, INDEX["weapon_tip"]] = np.stack([80 + 5 * np.arange(count), np.full(count, 50)], 1) / SIDE
    joints[:, INDEX["r_toe"]] = np.stack([90 - 4 * np.arange(count), np.full(count, 110)], 1) / SIDE
    return Clip(swinger(count), 10, action, loop=loop, joints=joints)


def kept(folder: Path, clip: Clip, *edits: object) -> ClipRecord:
    record = clips.add(folder, f"{len(list(folder.glob('*'))):012x}", clip, {}, 1.0)
    return clips.edit(folder, record.id, to_json(edits), len(edits)) if edits else record  # type: ignore[arg-type]


def test_a_filmed_loop_stays_on_the_ground_point_and_may_travel(tmp_path: Path) -> None:
    """Field report 22 in the real export: measured by core and soles, no box."""
    record = kept(tmp_path, filmed(6))
    (still,) = actions_of([record], PLAIN, False)
    assert drift(record.drawn().frames).core > 8 and drift(still.frames).core <= 1.0
    assert all(abs((core_column(frame) or 0) - still.pivot[0]) <= 1.5 for frame in still.frames)
    (going,) = actions_of([record], TRAVEL, False)
    cores = [core_column(frame) or 0 for frame in going.frames]
    assert abs(cores[0] - going.pivot[0]) <= 1.0 and [round(core - cores[0]) for core in cores] == list(range(0, 48, 6))
    assert going.frames.shape[2] > SIDE, "the canvas grows, nothing is cut"
    assert (going.frames[..., 3] > 0).sum() == (record.drawn().frames[..., 3] > 0).sum()


def test_an_action_that_plays_once_keeps_its_steps(tmp_path: Path) -> None:
    (lunge,) = actions_of([kept(tmp_path, replace(filmed(), action="slash", loop=False))], PLAIN, False)
    assert drift(lunge.frames).core > 8


def test_what_was_posed_stands_as_posed_and_travels_with_its_feet(tmp_path: Path) -> None:
    record = kept(tmp_path, posed())
    (still,) = actions_of([record], PLAIN, False)
    assert np.array_equal(still.frames, record.drawn().frames) and still.pivot == (64.0, 0.86 * SIDE)
    (going,) = actions_of([record], TRAVEL, False)
    moved = [(core_column(frame) or 0) - (core_column(still.frames[0]) or 0) for frame in going.frames]
    assert np.ptp(90 - 4 * np.arange(8) + np.array(moved)) <= 1.0, "the standing foot stays on one spot of the world"


def test_a_nudge_by_hand_is_not_registered_away(tmp_path: Path) -> None:
    for clip in (filmed(0), posed()):
        plain, nudged = kept(tmp_path, clip), kept(tmp_path, clip, Nudge(2, 5, 0))
        (before,), (after,) = actions_of([plain], PLAIN, False), actions_of([nudged], PLAIN, False)
        cores = [(core_column(a.frames[2]) or 0) - (core_column(a.frames[1]) or 0) for a in (before, after)]
        assert round(cores[1] - cores[0]) == 5


def test_all_actions_share_size_canvas_and_pivot(tmp_path: Path) -> None:
    large = swinger(4).repeat(2, 1).repeat(2, 2)
    records = [kept(tmp_path, filmed(6)), kept(tmp_path, Clip(large, 10, "idle", loop=True)), kept(tmp_path, posed())]
    walk, idle, again = actions_of(records, TRAVEL, True)
    assert [a.name for a in (walk, idle, again)] == ["walk", "idle", "walk 2"]
    assert walk.frames.shape[1:] == idle.frames.shape[1:] == again.frames.shape[1:]
    assert walk.pivot == idle.pivot == again.pivot
    heights = [np.flatnonzero(a.frames[0, ..., 3].any(axis=1)).size for a in (walk, idle)]
    assert abs(heights[0] - heights[1]) <= 1


def test_events_points_and_the_strike_come_from_the_motion(tmp_path: Path) -> None:
    walk, slash = actions_of([kept(tmp_path, posed()), kept(tmp_path, posed("slash", False))], PLAIN, False)
    assert walk.marks and slash.marks
    assert walk.marks.events == {"footstep": (0, 4)} and slash.marks.events == {"impact": (4,)}
    assert set(walk.marks.points) == {"hand_right", "weapon_tip", "foot_left"}
    assert slash.marks.points["weapon_tip"][3] == (95.0, 50.0)
    assert "strike" not in walk.marks.boxes
    assert [bool(box) for box in slash.marks.boxes["strike"]] == [n == 4 for n in range(8)]
    assert slash.marks.boxes["strike"][4] == Box(73, 43, 34, 14), "from hand to tip, and a little around"


def test_marks_follow_the_edits(tmp_path: Path) -> None:
    record = kept(tmp_path, posed("slash", False), Delete(0), Nudge(0, 2, 3), Mirror(1), PingPong())
    (action,) = actions_of([record], PLAIN, False)
    assert action.marks and len(action.frames) == 12
    tip = action.marks.points["weapon_tip"]
    assert tip[:3] == ((87.0, 53.0), (SIDE - 90.0, 50.0), (95.0, 50.0)) and tip[-1] == tip[1]
    assert action.marks.events == {"impact": (3,)}
    assert action.marks.boxes["strike"].count(None) == 10


def test_a_frame_that_is_gone_hands_its_event_to_the_one_before() -> None:
    assert shown(4, (0, 2, 4, 6)) == 2 and shown(5, (0, 2, 4, 6)) == 2 and shown(0, (3, 5)) == 0


def test_a_motion_from_a_file_has_no_phases(tmp_path: Path) -> None:
    clip = replace(posed(), origin={"order": {"guidance": "file"}})
    (action,) = actions_of([kept(tmp_path, clip)], PLAIN, False)
    assert action.marks and action.marks.events == {} and action.marks.points


def test_one_palette_for_all_actions(tmp_path: Path) -> None:
    records = [kept(tmp_path, filmed()), kept(tmp_path, posed())]
    mine = ((10, 20, 30), (200, 180, 160))
    for options, most in ((ExportOptions(palette=mine), 2), (ExportOptions(colours=3), 3)):
        actions = actions_of(records, options, False)
        seen = np.concatenate([a.frames[a.frames[..., 3] > 0][:, :3] for a in actions])
        found = {tuple(int(v) for v in colour) for colour in np.unique(seen, axis=0)}
        assert 1 < len(found) <= most and (not options.palette or found == set(mine))


@pytest.mark.parametrize(
    "wrong",
    [
        {"motion": "sideways"},
        {"colours": 257},
        {"also": (3.0,)},
        {"hues": (360,)},
        {"hues": (1, 2, 3, 4, 5, 6, 7)},
    ],
)
def test_options_that_cannot_be_are_refused_in_words(wrong: dict[str, object]) -> None:
    with pytest.raises(RequestError, match="got"):
        ExportOptions(**wrong)  # type: ignore[arg-type]


def test_options_survive_json_and_old_jobs_have_none_of_the_new_ones() -> None:
    """Field report 2."""
    options = ExportOptions(palette=((1, 2, 3),), also=(0.5, 2.0), hues=(120,), motion="root_motion", weigh=True)
    assert ExportOptions.from_json(options.to_json()) == options
    assert ExportOptions.from_json({"targets": ["godot"]}) == ExportOptions(("godot",))
