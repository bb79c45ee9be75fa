"""From the values of the flow to what widgets draw."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from pipelines.clip import Clip
from pipelines.events import Preview, Step, Warning
from pipelines.pose.library import ACTIONS
from studio import flow
from studio.jobs import Job, JobEvent
from studio.library import Character, ClipRecord
from studio.library import clips as clip_files
from studio.library.disk import new_id
from studio.sprites.export.registry import EXPORTERS
from studio.studio import Desk, Studio
from studio.tasks.orders import ActionOrder, ExportOptions
from studio.ui.session import Session, mark_of, present
from studio.ui.views import actions, character, clips, engines, header, jobs, picture, sheet, text, training


def _record(action: str, number: int) -> ClipRecord:
    origin = {"order": ActionOrder(action, seed=number, energy=1.3).to_json()}
    return ClipRecord(f"{action}{number}", action, Path(), Path(), float(number), 8, 12.0, 64, True, origin)


def _saved(desk: Desk, who: Character, action: str, created: float) -> ClipRecord:
    frames = np.full((2, 64, 64, 4), 255, np.uint8)
    clip = Clip(frames, 12.0, action, loop=True)
    return clip_files.add(desk.library.within(who.id, "clips"), new_id(), clip, {}, created)


@pytest.mark.parametrize("name", ACTIONS)
def test_every_figure_stays_on_its_tile(name: str) -> None:
    motion = ACTIONS[name]
    drawn = actions.project(motion.joints(motion.frames))
    assert drawn.shape == (motion.frames, 21, 2)
    body = drawn[:, :19]  # a held thing may reach over the edge
    assert body.min() > -0.03 and body.max() < 1.03


def test_tiles_look_to_the_right() -> None:
    pose = actions.project(ACTIONS["walk"].joints(8))
    toe, ankle = pose[:, 17, 0], pose[:, 15, 0]
    assert (toe > ankle).mean() > 0.7
    assert picture.onion("run", 4).count("<g ") == 4


def test_the_sheet_starts_with_the_newest_of_every_action() -> None:
    records = [_record("run", 9), _record("walk", 8), _record("walk", 7), _record("idle", 1)]
    assert clips.newest(records) == ["idle1", "walk8", "run9"]


def test_a_new_version_takes_its_predecessors_place_and_picks_are_kept() -> None:
    before = [_record("walk", 7), _record("idle", 1)]
    after = [_record("jump", 9), _record("walk", 8), *before]
    assert clips.merged(["idle1", "walk7"], after, ["walk7", "idle1"]) == ["idle1", "walk8", "jump9"]
    assert clips.merged(["idle1"], before, ["walk7", "idle1"]) == ["idle1"]
    assert clips.merged(["gone"], before, ["walk7", "idle1", "gone"]) == []


def test_redo_draws_the_same_order_with_the_next_seed() -> None:
    again = clips.again(_record("walk", 4))
    assert (again.action, again.seed, again.energy) == ("walk", 5, 1.3)
    kept = "0123456789ab.gif"
    followed = replace(_record("walk", 4), origin={"order": {"guidance": "file", "file": kept, "seed": 4}})
    assert (clips.again(followed).guidance, clips.again(followed).file) == ("file", kept)


def test_marks_name_what_to_look_at() -> None:
    found = [
        {"name": "pops", "level": "good", "text": ""},
        {"name": "foot slide", "level": "bad", "text": "7% of body height, feet slide"},
    ]
    assert [(mark["kind"], mark["text"]) for mark in clips.marks({"findings": found})] == [("bad", "foot slide")]
    assert clips.marks({})[0]["kind"] == "good"


def test_joints_are_called_as_people_say_them() -> None:
    assert character.label("l_elbow") == "left elbow" and character.label("pelvis") == "pelvis"
    assert "weapon" in character.label("weapon_tip")


def test_the_editor_gets_every_joint_and_the_part_map_on_demand(desk: Desk, hero: Character) -> None:
    plain = character.editor(desk, hero)
    assert plain["joints"]["pelvis"] == [24, 36, 1.0] and plain["joints"]["weapon_tip"] is None
    assert plain["parts"] is None and (plain["width"], plain["height"]) == (48, 64)
    assert character.editor(desk, hero, parts=True)["parts"].endswith("parts.png")


def test_user_text_is_escaped() -> None:
    for made in (text.note, text.tip, text.lead, text.heading):
        assert "<b>" not in made("<b>x</b>") and "&lt;b&gt;" in made("<b>x</b>")
    assert "<i>" not in text.facts([("<i>", "<i>")])


def test_the_light_shows_the_running_job(desk: Desk, hero: Character, studio: Studio) -> None:
    assert header.light(desk) is None
    job = flow.animate(desk, hero.id, [ActionOrder("walk")])
    flow.animate(desk, hero.id, [ActionOrder("run")])
    studio.jobs.claim("worker")
    studio.jobs.record(job.id, Step(3, 12, "Drawing walk", seconds_left=9.0))
    shown = {"title": "Animate Hero", "phase": "Drawing walk", "percent": 25, "left": 9.0, "queued": 1}
    assert header.light(desk) == shown


def test_a_jobs_story_is_thinned_out(desk: Desk, hero: Character, studio: Studio) -> None:
    job = flow.animate(desk, hero.id, [ActionOrder("walk")])
    studio.jobs.claim("worker")
    for event in (
        Step(1, 100, "Drawing"),
        Step(10, 100, "Drawing"),
        Warning("The feet slide."),
        Preview(1, Path(), "walk"),
    ):
        studio.jobs.record(job.id, event)
    told = [re.sub(r"^[\d:]+ +", "", line) for line in jobs.story(desk, job)]
    assert told == ["Drawing 10/100", "The feet slide.", "walk"]
    assert jobs.value(desk)["rows"][0]["log"] == [] and len(jobs.value(desk, [job.id])["rows"][0]["log"]) == 3


def test_times_are_measured_on_this_computer() -> None:
    done = _job(started=100.0, ended=100.0 + training.SETUP_SECONDS + 50.0)
    assert training.step_seconds([done]) == pytest.approx(0.5)
    assert training.step_seconds([replace(done, state="failed")]) == training.STEP_SECONDS
    assert training.step_seconds([replace(done, payload={"config": {"steps": 3}})]) == training.STEP_SECONDS


def test_the_proof_says_in_one_line_what_the_numbers_mean() -> None:
    """Field reports 12 and 13: no effect and no motion are never called a success."""
    fine = {"distance": 4.0, "motion_off": 5.0, "motion_on": 4.5}
    assert training._sentence(fine, False) == "proof_good" and training._sentence(fine, True) == "proof_warn"
    assert training._sentence({**fine, "distance": 0.05}, True) == "proof_none"
    assert training._sentence({**fine, "motion_on": 1.0}, True) == "proof_static"


def test_the_curve_keeps_losses_and_leaves_other_steps_out() -> None:
    events = [JobEvent(n, 0.0, event) for n, event in enumerate([Step(0, 9, "Reading"), Step(1, 9, "Training", 0.5)])]
    assert training.curve(events)["points"] == [[1, 0.5]] and training.curve(events)["total"] == 9


def test_pages_show_only_while_they_hold_the_picked_clips() -> None:
    job = _job(payload={"clips": ["a", "b"]}, result={"zip": "x.zip"})
    assert sheet.made(job, ["a", "b"], {}) == {"zip": "x.zip"}
    assert sheet.made(job, ["a"], {}) is None and sheet.made(None, [], {}) is None
    edited = replace(job, result={"zip": "x.zip", "edits": ["", "k1"]})
    assert sheet.made(edited, ["a", "b"], {"a": "", "b": "k1"}) is not None
    assert sheet.made(edited, ["a", "b"], {"a": "", "b": "k2"}) is None, "edited since"
    assert [sheet.size(count) for count in (12, 3400, 5_600_000)] == ["12 B", "3.4 KB", "5.6 MB"]
    assert {key for _, key in sheet.targets()} >= set(ExportOptions().targets)


def test_the_mark_changes_with_every_finished_thing(desk: Desk, hero: Character) -> None:
    now = Session(hero.id)
    marks = [mark_of(desk, now)]
    _saved(desk, hero, "walk", 1.0)
    marks.append(mark_of(desk, now))
    assert marks[0] != marks[1] == mark_of(desk, now)
    assert mark_of(desk, Session("nobody")) == mark_of(desk, Session()) == ""


def test_one_owner_never_sees_anothers_work(studio: Studio, hero: Character) -> None:
    other = studio.desk("somebody else")
    assert header.value(other, hero.id)["characters"] == [] and header.value(other, hero.id)["current"] == ""
    assert mark_of(other, Session(hero.id)) == "" and present(other, Session(hero.id)) == Session()


def test_a_character_that_was_deleted_elsewhere_closes_quietly(desk: Desk, hero: Character) -> None:
    assert present(desk, Session(hero.id)) == Session(hero.id)
    flow.delete(desk, hero.id)
    assert present(desk, Session(hero.id)) == present(desk, Session("../..")) == Session()


def _job(**values: object) -> Job:
    blank: dict[str, object] = dict.fromkeys(Job.__dataclass_fields__)
    config = {"config": {"steps": 100}}
    return Job(**{**blank, "kind": "train", "state": "done", "payload": config, **values})  # type: ignore[arg-type]


def test_every_engine_sets_options_that_load_there() -> None:
    for key, engine in engines.ENGINES.items():
        assert engine.options.targets and set(engine.options.targets) <= set(EXPORTERS), key
        assert engine.options.padding >= 2 * engine.options.extrude, key
    assert engines.choices()[0] == ("Godot 4", "godot") and len(dict(engines.choices())) == len(engines.ENGINES)
    assert engines.ENGINES["usual"].options == ExportOptions()
