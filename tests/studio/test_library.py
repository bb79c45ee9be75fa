"""The library keeps what is finished, whatever happens, and nothing gets out of its folder."""

from __future__ import annotations

import errno
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipelines.clip import Clip
from pipelines.errors import LibraryError
from pipelines.figure import ANCHOR
from pipelines.pose.skeleton import JOINTS, N_JOINTS
from studio import flow
from studio.library import Character, clips, disk, joints
from studio.library.character import NAME_LENGTH, tidy_name
from studio.library.store import owner_folder
from studio.studio import Desk, Studio
from tests.conftest import HERO, add_hero, hero_art


def test_a_character_comes_back_as_it_was_stored(desk: Desk, hero: Character) -> None:
    assert desk.library.character(hero.id) == hero
    assert np.array_equal(desk.library.art(hero.id), hero_art())
    assert hero.size == (48, 64)
    figure = flow.figure(desk, hero.id)
    assert figure.joints.shape == (N_JOINTS, 3) and figure.pixel_art
    ground = hero.placement.to_cell(np.array(hero.placement.ground))
    assert ground == pytest.approx(ANCHOR)


@given(st.text(max_size=400))
def test_any_text_can_be_a_name(text: str) -> None:
    name = tidy_name(text)
    assert 1 <= len(name) <= NAME_LENGTH and name == name.strip() and "\n" not in name
    assert tidy_name(name) == name


def test_names_never_become_paths(desk: Desk, hero_png: Path) -> None:
    """Field report 9: `../x`, device names, NUL, 300 characters, emoji."""
    for name in ("../../x", "CON", "a\0b", "🗡️" * 200, "C:\\evil", "   "):
        who = add_hero(desk, hero_png)
        who = flow.set_character(desk, who.id, name=name)
        assert len(who.name) <= NAME_LENGTH
    inside = {path.relative_to(desk.library.root).parts[0] for path in desk.library.root.rglob("*")}
    assert inside == {"characters"}
    assert {path.name for path in (desk.library.root / "characters").iterdir()} == {c.id for c in flow.characters(desk)}


@pytest.mark.parametrize("name", ["..", "../..", "", "a" * 12, "0123456789AB", "0123456789ab/..", "\0" * 12, "CON"])
def test_only_ids_of_ours_are_looked_up(desk: Desk, hero: Character, name: str) -> None:
    for ask in (flow.character, flow.clips, flow.adapters, flow.samples, flow.delete, flow.figure):
        with pytest.raises(LibraryError):
            ask(desk, name)
    with pytest.raises(LibraryError):
        flow.delete(desk, hero.id, "clips", name)


def test_only_kinds_of_ours_are_looked_up(desk: Desk, hero: Character) -> None:
    for kind in ("..", "character.json", "samples/..", "Clips"):
        with pytest.raises(LibraryError, match="keeps samples, clips"):
            flow.delete(desk, hero.id, kind, hero.id)


def test_owners_never_share_a_folder() -> None:
    """Names that a file system would fold together stay apart (field report 7)."""
    names = ["Ana", "ana", "ANA", "ana ", "ána", "a/na", "..", "", "CON", "anà", "\ud800"]
    folders = [owner_folder(name) for name in names]
    assert len({folder.casefold() for folder in folders}) == len(names)
    assert all(folder.replace("-", "").isalnum() and folder.isascii() for folder in folders)


def test_older_and_newer_records_load(desk: Desk, hero: Character) -> None:
    """Field report 2: parameters that are missing or unknown are no reason to lose a record."""
    path = desk.library.folder(hero.id) / "character.json"
    body = json.loads(path.read_text(encoding="utf-8"))
    del body["cell"], body["about"], body["adapter"]
    path.write_text(json.dumps({**body, "from_the_future": 1, "facing": "up"}), encoding="utf-8")
    who = desk.library.character(hero.id)
    assert (who.cell, who.about, who.adapter, who.facing) == (128, "", None, "right")


def test_one_damaged_record_does_not_hide_the_others(desk: Desk, hero: Character, hero_png: Path) -> None:
    other = add_hero(desk, hero_png)
    (desk.library.folder(other.id) / "character.json").write_text("{", encoding="utf-8")
    assert [who.id for who in flow.characters(desk)] == [hero.id]
    with pytest.raises(LibraryError, match="damaged"):
        flow.character(desk, other.id)


def test_undo_and_redo_of_joints(desk: Desk, hero: Character) -> None:
    moved = flow.set_joints(desk, hero.id, {"head": (20, 10), "l_toe": None}, facing="left")
    assert moved.joints["head"] == (20, 10, 1) and moved.joints["l_toe"] is None and moved.facing == "left"
    assert moved.joints["pelvis"] == hero.joints["pelvis"]
    flow.set_joints(desk, hero.id, {"head": (1, 2)})
    assert flow.undo_joints(desk, hero.id).joints == moved.joints
    back = flow.undo_joints(desk, hero.id)
    assert (back.joints, back.facing, back.placement) == (hero.joints, "right", hero.placement)
    assert flow.undo_joints(desk, hero.id) == back
    assert flow.redo_joints(desk, hero.id).facing == "left"
    assert flow.redo_joints(desk, hero.id).joints["head"] == (1, 2, 1)
    flow.undo_joints(desk, hero.id)
    flow.set_joints(desk, hero.id, {"head": (5, 5)})
    assert flow.redo_joints(desk, hero.id).joints["head"] == (5, 5, 1)


def test_a_guess_stays_a_guess_until_it_is_moved(desk: Desk, hero: Character) -> None:
    """The page sends every joint back after each drag, rounded; one drag must not make all of them certain."""
    guessed = joints.to_names(joints.to_array(hero.joints) * (1, 1, 0.25))
    desk.library.set_joints(hero.id, guessed)
    sent = {name: (point[0] + 0.5, point[1] - 0.5) for name, point in guessed.items() if point}
    moved = flow.set_joints(desk, hero.id, {**sent, "head": (sent["head"][0], sent["head"][1] - 0.3)})
    assert moved.joints["head"][2] == 1, "0.94 px away: moved by hand"  # type: ignore[index]
    assert moved.joints["pelvis"] == (*sent["pelvis"], 0.25)


def test_placement_follows_the_joints(desk: Desk, hero: Character) -> None:
    taller = flow.set_joints(desk, hero.id, {"crown": (24, 14)})
    assert taller.placement.scale > hero.placement.scale
    assert flow.set_character(desk, hero.id, name="x").placement == taller.placement


def test_joints_that_are_none_of_ours_are_refused(desk: Desk, hero: Character) -> None:
    for bad in ({"tail": (1, 2)}, {"head": (1,)}, {"head": (float("nan"), 2)}):
        with pytest.raises(LibraryError):
            flow.set_joints(desk, hero.id, bad)  # type: ignore[arg-type]
    assert flow.character(desk, hero.id) == hero


@given(st.dictionaries(st.sampled_from(JOINTS), st.none() | st.tuples(st.floats(-50, 2000), st.floats(-50, 2000))))
def test_joints_by_name_and_as_array_agree(given_joints: dict[str, Any]) -> None:
    checked = joints.placed(given_joints)
    assert checked.keys() == given_joints.keys()
    array = joints.to_array(checked)
    for name, point in given_joints.items():
        row = array[JOINTS.index(name)]
        assert (row[2] == 0) == (point is None)
        if point is not None:
            assert row[:2] == pytest.approx(point, abs=0.006)
    assert {n: p for n, p in joints.to_names(array).items() if p} == {n: p for n, p in checked.items() if p}


def test_the_template_stands_within_the_figure() -> None:
    """Field report 34: without a figure there is a skeleton to place by hand."""
    alpha = hero_art()[..., 3]
    template = joints.template(alpha)
    assert list(template) == list(JOINTS) and template["weapon_tip"] is None
    points = np.array([point for point in template.values() if point])
    assert points[:, 1].min() >= 4 and points[:, 1].max() <= 61
    assert points[:, 0].min() >= 10 and points[:, 0].max() <= 38
    assert (points[:, 2] <= joints.UNSURE).all()
    assert joints.template(np.zeros((9, 9), np.uint8))["pelvis"] is not None


def test_trash_and_restore(desk: Desk, hero: Character) -> None:
    record = clips.add(desk.library.within(hero.id, "clips"), disk.new_id(), _clip(), {}, time.time())
    of_clip = flow.delete(desk, hero.id, "clips", record.id)
    assert flow.clips(desk, hero.id) == []
    of_character = flow.delete(desk, hero.id)
    assert flow.characters(desk) == []
    with pytest.raises(LibraryError, match="restore the character first"):
        flow.restore(desk, of_clip)
    assert [item["id"] for item in desk.library.trash()] == [of_character, of_clip]
    flow.restore(desk, of_character)
    flow.restore(desk, of_clip)
    assert flow.characters(desk) == [hero] and flow.clips(desk, hero.id) == [record]
    assert desk.library.trash() == []


def test_a_clip_counts_once_it_is_whole(desk: Desk, hero: Character, monkeypatch: pytest.MonkeyPatch) -> None:
    shelf = desk.library.within(hero.id, "clips")
    kept = clips.add(shelf, disk.new_id(), _clip(), {"seconds": 1}, time.time())
    monkeypatch.setattr(Clip, "save", _dies)
    with pytest.raises(KeyboardInterrupt):
        clips.add(shelf, disk.new_id(), _clip(), {}, time.time())
    assert flow.clips(desk, hero.id) == [kept]
    assert [path.name for path in shelf.iterdir()] == [kept.id]
    assert np.array_equal(Clip.load(kept.folder).frames, _clip().frames)
    assert kept.quality == {"seconds": 1} and kept.preview.read_bytes()[8:12] == b"WEBP"


WRITES: list[Callable[[Desk, str], Any]] = [
    lambda desk, who: flow.set_character(desk, who, name="Other"),
    lambda desk, who: flow.set_joints(desk, who, {"head": (1, 1)}),
    lambda desk, who: clips.add(desk.library.within(who, "clips"), disk.new_id(), _clip(), {}, 0.0),
    lambda desk, who: desk.library.create(
        replace(flow.character(desk, who), id=disk.new_id()), hero_art(), _art(desk, who)
    ),
    lambda desk, who: desk.library.keep(who, _art(desk, who)),
]


@pytest.mark.parametrize("write", WRITES)
@pytest.mark.parametrize("after", [0, 1])
def test_a_full_disk_loses_nothing(
    desk: Desk, hero: Character, write: Callable[[Desk, str], Any], after: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The sentence names the cure, what was there stays, and no half file is left."""
    real, calls = os.replace, iter(range(1000))

    def full(source: Any, target: Any) -> None:
        if next(calls) >= after:
            raise OSError(errno.ENOSPC, "No space left on device")
        real(source, target)

    monkeypatch.setattr(os, "replace", full)
    try:
        write(desk, hero.id)
    except LibraryError as error:
        assert "disk is full" in str(error) and "Free some space" in str(error)
    else:
        assert after == 1
    monkeypatch.undo()
    assert [who.id for who in flow.characters(desk)] == [hero.id] or after == 1
    assert np.array_equal(desk.library.art(hero.id), hero_art())
    assert flow.character(desk, hero.id).name in ("Hero", "Other")
    assert not [path for path in desk.library.root.rglob("*") if path.suffix in (".tmp", ".part")]
    write(desk, hero.id)


def test_a_locked_disk_says_so(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    with pytest.raises(LibraryError, match="does not let Sprightly write"), disk.saving("the clip"):
        raise PermissionError(errno.EACCES, "denied", str(tmp_path))
    with pytest.raises(FileNotFoundError), disk.saving("the clip"):
        raise FileNotFoundError(errno.ENOENT, "no such file")


def test_a_killed_writer_leaves_the_old_or_the_new(
    studio: Studio, hero: Character, environment: dict[str, str]
) -> None:
    """kill -9 while a process rewrites a character again and again."""
    code = (
        "import sys; from pathlib import Path; from studio import flow; from studio.settings import Settings;"
        "from studio.studio import Studio; desk = Studio(Settings(home=Path(sys.argv[1]))).desk();\n"
        "for n in range(10**6):\n"
        " flow.set_character(desk, sys.argv[2], about='x' * 400, name=str(n)); print(n, flush=True)"
    )
    for wait in (0.03, 0.11):
        process = subprocess.Popen(
            [sys.executable, "-c", code, str(studio.settings.home), hero.id], env=environment, stdout=subprocess.PIPE
        )
        assert process.stdout is not None
        process.stdout.readline()
        time.sleep(wait)
        process.kill()
        process.wait()
        process.stdout.close()
        who = flow.character(studio.desk(), hero.id)
        assert who.name.isdigit() and who.joints == HERO and len(who.about) == 400
    assert flow.set_character(studio.desk(), hero.id, name="still writable").name == "still writable"


def _clip() -> Clip:
    frames = np.zeros((3, 16, 16, 4), np.uint8)
    frames[:, 4:12, 4:12] = (200, 30, 30, 255)
    return Clip(frames, 12.0, "walk", loop=True)


def _dies(*_: object) -> None:
    raise KeyboardInterrupt


def _art(desk: Desk, who: str) -> Path:
    return flow.art_path(desk, who)


def test_a_sample_that_is_being_written_is_not_listed(desk: Desk, hero: Character) -> None:
    unfinished = desk.library.within(hero.id, "samples") / f"{disk.new_id()}.part"
    unfinished.mkdir(parents=True)
    (unfinished / "sample.json").write_text("{}", encoding="utf-8")
    assert flow.samples(desk, hero.id) == []
