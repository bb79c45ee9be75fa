"""Edits are kept with the clip, undone by position, and what is previewed is what is exported."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from PIL import Image

from pipelines.clip import Clip
from pipelines.errors import LibraryError, RequestError
from pipelines.pose.skeleton import N_JOINTS
from studio import flow
from studio.library import Character, clips
from studio.library.disk import new_id
from studio.perform import perform
from studio.studio import Desk, Studio
from tests.conftest import hero_art

EDITS: list[dict[str, Any]] = [
    {"do": "delete", "frame": 0},
    {"do": "hold", "frame": 1, "ms": 120},
    {"do": "mirror", "frame": 0},
]


@pytest.fixture
def clip_id(desk: Desk, hero: Character) -> str:
    """A clip of four frames, each shifted by 2 px. Its joints are known, so it is exported where it was drawn."""
    art = np.zeros((64, 64, 4), np.uint8)
    art[:, 8:56] = hero_art()
    frames = np.stack([np.roll(art, 2 * n, axis=1) for n in range(4)])
    made = new_id()
    clip = Clip(frames, 10, "walk", loop=True, joints=np.full((4, N_JOINTS, 2), 0.5, np.float32))
    clips.add(desk.library.within(hero.id, "clips"), made, clip, {"seconds": 1.5}, 1.0)
    return made


def test_undo_and_redo_only_move_the_position(desk: Desk, hero: Character, clip_id: str) -> None:
    drawn = flow.clips(desk, hero.id)[0].edited()
    now = flow.edit_clip(desk, hero.id, clip_id, EDITS, 3)
    assert (now.frames, now.position, len(now.edits)) == (3, 3, 3)
    assert now.edited().milliseconds() == (100, 220, 100)
    assert np.array_equal(now.edited().frames[0], drawn.frames[1, :, ::-1])
    assert now.quality["seconds"] == 1.5 and now.quality["findings"]
    undone = flow.edit_clip(desk, hero.id, clip_id, EDITS, 0)
    assert undone.frames == 4 and np.array_equal(undone.edited().frames, drawn.frames)
    assert undone.edits == now.edits
    assert np.array_equal(flow.edit_clip(desk, hero.id, clip_id, EDITS, 3).edited().frames, now.edited().frames)
    assert np.array_equal(now.drawn().frames, drawn.frames), "the drawings themselves stay"


@pytest.mark.parametrize(
    ("edits", "position"),
    [
        ([{"do": "delete", "frame": 4}], 1),
        ([{"do": "delete", "frame": 4}], 0),
        ([{"do": "rm -rf"}], 1),
        (EDITS, 4),
        (EDITS, -1),
        (EDITS, "1"),
        (EDITS, True),
        ("delete", 0),
        (None, 0),
    ],
)
def test_what_cannot_be_done_changes_nothing(
    desk: Desk, hero: Character, clip_id: str, edits: Any, position: Any
) -> None:
    before = flow.edit_clip(desk, hero.id, clip_id, EDITS, 2)
    with pytest.raises(RequestError):
        flow.edit_clip(desk, hero.id, clip_id, edits, position)
    assert flow.clips(desk, hero.id) == [before]


def test_a_damaged_list_is_said_in_words(desk: Desk, hero: Character, clip_id: str) -> None:
    record = flow.edit_clip(desk, hero.id, clip_id, EDITS, 3)
    (record.folder / clips.EDITS).write_text(json.dumps({"edits": [{"do": 5}]}), encoding="utf-8")
    with pytest.raises(LibraryError, match="delete that file"):
        flow.clips(desk, hero.id)


def test_preview_and_export_show_the_edited_clip(studio: Studio, desk: Desk, hero: Character, clip_id: str) -> None:
    record = flow.edit_clip(desk, hero.id, clip_id, EDITS, 3)
    own = replace(desk, jobs=replace(desk.jobs, worker="me"))
    job = flow.export(own, hero.id, [clip_id], flow.ExportOptions(("frames", "aseprite")))
    outcome = perform(studio, job, "me")
    assert outcome.state == "done" and outcome.result is not None, outcome.error
    folder = record.folder.parents[1] / "exports" / outcome.result["export"]
    named = [folder / file for file in outcome.result["files"]]
    pictures = [np.asarray(Image.open(path).convert("RGBA")) for path in named if "_walk_" in path.name]
    assert np.array_equal(np.stack(pictures), record.edited().frames)
    table = json.loads(next(path for path in named if path.suffix == ".json").read_text(encoding="utf-8"))
    assert [frame["duration"] for frame in table["frames"].values()] == [100, 220, 100]
    with Image.open(record.preview) as preview:
        shown = []
        for number in range(preview.n_frames):  # type: ignore[attr-defined]
            preview.seek(number)
            shown.append(np.asarray(preview.convert("RGBA")))
    assert np.array_equal(np.stack(shown), record.edited().frames)
