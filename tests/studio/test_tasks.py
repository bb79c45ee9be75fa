"""The tasks themselves, at small size with the shipped model."""

from __future__ import annotations

import json
import zipfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from pipelines.cancel import CancelToken
from pipelines.clip import Clip
from pipelines.errors import LibraryError, RequestError
from pipelines.events import Done, Event, Preview, Step
from pipelines.pose.skeleton import INDEX
from studio import flow
from studio.jobs import Job
from studio.library import Character
from studio.perform import Outcome, perform
from studio.studio import Desk, Studio
from studio.tasks import run
from tests.conftest import add_hero

WALK = flow.ActionOrder("walk", frames=3, steps=1)


@pytest.fixture
def own(desk: Desk) -> Desk:
    """A desk whose jobs are this test's to do."""
    return replace(desk, jobs=replace(desk.jobs, worker="me"))


def do(studio: Studio, job: Job, told: list[Event] | None = None, **settings: Any) -> Outcome:
    return perform(studio, job, "me", tell=told.append if told is not None else None, **settings)


def test_actions_become_clips_and_clips_a_sheet(studio: Studio, own: Desk, hero: Character, tmp_path: Path) -> None:
    hero = flow.set_character(own, hero.id, name="Hero / one", cell=48)
    told: list[Event] = []
    orders = [WALK, flow.ActionOrder("slash", frames=4, fps=8, steps=1, seed=3), WALK]
    outcome = do(studio, flow.animate(own, hero.id, orders), told)
    assert outcome.state == "done" and outcome.result is not None, outcome.error
    assert isinstance(told[-1], Done)
    assert any(isinstance(event, Step) and event.what == "Drawing slash, 2 of 3" for event in told)
    records = {record.id: record for record in flow.clips(own, hero.id)}
    clips = [records[clip_id] for clip_id in outcome.result["clips"]]
    assert [(c.action, c.frames, c.loop, c.size) for c in clips] == [
        ("walk", 3, True, 48),
        ("slash", 4, False, 48),
        ("walk", 3, True, 48),
    ]
    assert clips[1].fps == 8 and clips[1].origin["seed"] == 3 and clips[1].origin["order"]["action"] == "slash"
    assert {finding["name"] for finding in clips[0].quality["findings"]} >= {"pops", "foot slide"}
    previews = [event.path for event in told if isinstance(event, Preview)]
    with Image.open(previews[1]) as preview:
        assert (getattr(preview, "n_frames", 1), preview.size) == (4, (48, 48))
    drawn = Clip.load(clips[0].folder)
    assert drawn.frames[..., 3].any(axis=(1, 2)).all()
    assert drawn.joints is not None, "the pose goes with the clip: marks and registration need it"
    assert abs(drawn.joints[:, INDEX["pelvis"], 0] - 0.5).max() < 0.1

    outcome = do(studio, flow.export(own, hero.id, outcome.result["clips"], flow.ExportOptions(("aseprite", "godot"))))
    assert outcome.state == "done" and outcome.result is not None, outcome.error
    assert outcome.result["report"]["actions"] == {"walk": 3, "slash": 4, "walk 2": 3}
    with zipfile.ZipFile(outcome.result["zip"]) as packed:
        names = set(packed.namelist())
        body = json.loads(packed.read(next(name for name in names if name.endswith(".json"))))
    assert names == {"Hero_one.png", "Hero_one.json", "Hero_one.tres"} or len(names) == 3
    assert [tag["name"] for tag in body["meta"]["frameTags"]] == ["walk", "slash", "walk 2"]
    (page,) = outcome.result["pages"]
    with Image.open(page) as sheet:
        assert list(sheet.size) == outcome.result["report"]["pages"][0]
    inside = Path(outcome.result["folder"])
    assert inside.is_relative_to(own.library.within(hero.id, "exports"))
    # A worker killed after the last write: the job runs again and answers as before.
    job = next(job for job in flow.jobs(own) if job.kind == "export")
    again = list(run(job, own, CancelToken()))
    assert again == [Done(outcome.result)]


def test_a_mistake_in_the_last_order_costs_nothing(studio: Studio, own: Desk, hero: Character) -> None:
    outcome = do(studio, flow.animate(own, hero.id, [WALK, flow.ActionOrder("moonwalk")]))
    assert outcome.state == "failed" and isinstance(outcome.error, RequestError)
    assert "moonwalk" in str(outcome.error) and "walk" in str(outcome.error)
    (job,) = flow.jobs(own)
    assert job.error == str(outcome.error) and flow.clips(own, hero.id) == []


def test_a_stopped_job_keeps_its_clips_and_goes_on_from_them(studio: Studio, own: Desk, hero: Character) -> None:
    """Field report 3."""
    own = replace(own, jobs=replace(own.jobs, worker="me"))
    flow.set_character(own, hero.id, cell=48)
    told: list[Event] = []
    job = flow.animate(own, hero.id, [WALK, replace(WALK, action="idle")])
    outcome = do(studio, job, told, asked=lambda: any(isinstance(event, Preview) for event in told))
    assert outcome.state == "cancelled" and flow.job(own, job.id).state == "cancelled"
    (first,) = flow.clips(own, hero.id)
    outcome = do(studio, flow.retry(own, job.id))
    assert outcome.state == "done" and outcome.result is not None
    assert outcome.result["clips"][0] == first.id and len(flow.clips(own, hero.id)) == 2
    assert flow.clips(own, hero.id)[1] == first, "what was finished is not drawn again"


def test_without_guidance_the_model_moves_by_name(studio: Studio, own: Desk, hero: Character) -> None:
    flow.set_character(own, hero.id, cell=48)
    order = flow.ActionOrder("idle", frames=2, steps=1, guidance="none")
    assert do(studio, flow.animate(own, hero.id, [order])).state == "done"
    (record,) = flow.clips(own, hero.id)
    assert record.origin["guided"] is False and record.loop


def test_no_energy_and_no_strength_stand_still(studio: Studio, own: Desk, hero: Character) -> None:
    flow.set_character(own, hero.id, cell=48)
    orders = [replace(WALK, strength=0.0), WALK]
    outcome = do(studio, flow.animate(own, hero.id, orders))
    assert outcome.result is not None
    shelf = own.library.within(hero.id, "clips")
    still, moving = (Clip.load(shelf / name).frames.astype(int) for name in outcome.result["clips"])
    assert np.abs(np.diff(still, axis=0)).mean() < 0.2 * np.abs(np.diff(moving, axis=0)).mean()


def test_an_export_that_cannot_be_leaves_nothing(studio: Studio, own: Desk, hero: Character) -> None:
    flow.set_character(own, hero.id, cell=48)
    drawn = do(studio, flow.animate(own, hero.id, [WALK]))
    assert drawn.result is not None
    for options in (
        flow.ExportOptions(("photoshop",)),
        flow.ExportOptions(padding=-1),
        flow.ExportOptions(max_size=16),
    ):
        outcome = do(studio, flow.export(own, hero.id, drawn.result["clips"], options))
        assert outcome.state == "failed" and isinstance(outcome.error, RequestError), outcome
    exports = own.library.within(hero.id, "exports")
    assert not exports.exists() or list(exports.iterdir()) == []
    missing = do(studio, flow.export(own, hero.id, ["0" * 12], flow.ExportOptions()))
    assert isinstance(missing.error, LibraryError)


def test_a_bug_is_said_in_words_and_the_next_job_runs(
    studio: Studio, own: Desk, hero: Character, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(__import__("studio.tasks").tasks.TASKS, "animate", "studio.settings:default_home")
    job = flow.animate(own, hero.id, [WALK])
    assert do(studio, job).state == "failed"
    assert "Sprightly itself failed" in str(flow.job(own, job.id).error)
    monkeypatch.undo()
    unknown = own.jobs.submit("dance", "t", {}, hero.id)
    outcome = do(studio, unknown)
    assert isinstance(outcome.error, RequestError) and "dance" in str(outcome.error)


def test_a_task_only_sees_its_owner(studio: Studio, own: Desk, hero: Character) -> None:
    """Field report 7: a job of somebody else that names this character finds nothing."""
    other = studio.desk("eve")
    job = other.jobs.submit("animate", "t", {"orders": [WALK.to_json()], "clips": ["0" * 12]}, hero.id)
    with pytest.raises(LibraryError):
        list(run(job, other, flow_never()))
    assert flow.clips(own, hero.id) == []


def test_orders_that_make_no_sense_are_refused(own: Desk, hero: Character) -> None:
    for wrong in ({"energy": 9.0}, {"guidance": "file"}, {"guidance": "magic"}):
        with pytest.raises(RequestError):
            flow.ActionOrder("walk", **wrong)  # type: ignore[arg-type]
    with pytest.raises(RequestError):
        flow.animate(own, hero.id, [])
    with pytest.raises(RequestError):
        flow.export(own, hero.id, [], flow.ExportOptions())
    assert flow.jobs(own) == []


def test_old_orders_still_load() -> None:
    """Field report 2: missing parameters take their defaults, unknown ones are ignored."""
    assert flow.ActionOrder.from_json({"action": "walk", "sparkle": 1}) == flow.ActionOrder("walk")
    assert flow.ExportOptions.from_json({"sparkle": 1}) == flow.ExportOptions()
    options = flow.ExportOptions(("gif",), "grid", columns=3)
    assert flow.ExportOptions.from_json(json.loads(json.dumps(options.to_json()))) == options


def flow_never() -> Any:
    from pipelines.cancel import NEVER

    return NEVER


def test_owners_are_apart(studio: Studio, desk: Desk, hero: Character, hero_png: Path) -> None:
    """Field report 7: by construction, whatever id is named."""
    other = studio.desk("eve")
    mine = flow.animate(desk, hero.id, [WALK])
    assert flow.characters(other) == [] and flow.jobs(other) == []
    for ask in (flow.character, flow.figure, flow.art_path, flow.samples, flow.clips, flow.adapters, flow.delete):
        with pytest.raises(LibraryError):
            ask(other, hero.id)
    for ask_job in (flow.job, flow.cancel, flow.retry, flow.events):
        with pytest.raises(LibraryError):
            ask_job(other, mine.id)
    with pytest.raises(LibraryError):
        flow.animate(other, hero.id, [WALK])
    theirs = add_hero(other, hero_png)
    with pytest.raises(LibraryError):
        flow.use_adapter(desk, theirs.id, None)
    assert flow.job(desk, mine.id).state == "queued"
