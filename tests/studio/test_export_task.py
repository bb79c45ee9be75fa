"""The export job with everything asked for: packs, palette, marks, weights; and the same bytes each time."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from pipelines.clip import Clip
from pipelines.errors import RequestError
from pipelines.pose.skeleton import INDEX, N_JOINTS
from studio import flow
from studio.library import Character, clips
from studio.library.disk import new_id
from studio.perform import perform
from studio.sprites.palette_files import read_palette
from studio.studio import Desk, Studio
from studio.tasks.palettes import palette_of
from tests.sprites.figures import swinger

RICH = flow.ExportOptions(("aseprite",), colours=3, also=(0.5,), hues=(120,), weigh=True)


def exported(studio: Studio, desk: Desk, who: Character, clip_ids: list[str], options: flow.ExportOptions) -> dict:
    own = replace(desk, jobs=replace(desk.jobs, worker="me"))
    outcome = perform(studio, flow.export(own, who.id, clip_ids, options), "me")
    assert outcome.result is not None, outcome.error
    return outcome.result


@pytest.fixture
def clip_ids(desk: Desk, hero: Character) -> list[str]:
    """A walk and a slash with a wrist whose place is known."""
    joints = np.full((4, N_JOINTS, 2), np.nan, np.float32)
    joints[:, INDEX["pelvis"]] = 0.5
    joints[:, INDEX["r_wrist"]] = (0.75, 0.25)
    shelf, made = desk.library.within(hero.id, "clips"), [new_id(), new_id()]
    for name, action in zip(made, ("walk", "slash"), strict=True):
        clip = Clip(swinger(4), 10, action, loop=action == "walk", joints=joints)
        clips.add(shelf, name, clip, {}, 1.0)
    return made


def test_packs_palette_and_weights_of_one_export(
    studio: Studio, desk: Desk, hero: Character, clip_ids: list[str]
) -> None:
    """Requirements R71 and R72: what the same frames weigh as atlas, WebP and video."""
    result = exported(studio, desk, hero, clip_ids, RICH)
    folder = Path(result["folder"])
    name = folder.name
    stems = [name, f"{name}_hue120", f"{name}@0.5x", f"{name}_hue120@0.5x"]
    assert result["report"]["packs"] == stems
    assert {path.name for path in folder.iterdir()} == {f"{s}.{k}" for s in stems for k in ("png", "json")} | {
        f"{name}.gpl"
    }
    shared = {tuple(c) for c in read_palette((folder / f"{name}.gpl").read_bytes()).tolist()}
    page = np.asarray(Image.open(folder / f"{name}.png"))
    assert len(shared) == 3 and {tuple(c) for c in page[page[..., 3] > 0][:, :3].tolist()} == shared
    weights = result["report"]["weights"]
    assert weights["atlas_png"] == (folder / f"{name}.png").stat().st_size and min(weights.values()) > 0
    again = exported(studio, desk, hero, clip_ids, RICH)
    assert Path(again["zip"]).read_bytes() == Path(result["zip"]).read_bytes()


def test_events_and_points_reach_the_engine(studio: Studio, desk: Desk, hero: Character, clip_ids: list[str]) -> None:
    result = exported(studio, desk, hero, clip_ids, flow.ExportOptions(("texturepacker",)))
    (file,) = Path(result["folder"]).glob("*.tp.json")
    frames = json.loads(file.read_text(encoding="utf-8"))["frames"]
    told = {name: frame.get("events", []) for name, frame in frames.items()}
    assert [name for name, events in told.items() if events == ["footstep"]] == ["walk_00", "walk_02"]
    assert [name for name, events in told.items() if events == ["impact"]] == ["slash_02"]
    assert all(frame["points"]["hand_right"] == {"x": 96, "y": 32} for frame in frames.values())


def test_a_palette_file_that_is_none_says_what_to_do(tmp_path: Path) -> None:
    good, bad = tmp_path / "two.hex", tmp_path / "bad.gpl"
    good.write_text("ff0000\n00ff00\n")
    bad.write_text("GIMP Palette\n1 2\n")
    assert palette_of(good) == ((255, 0, 0), (0, 255, 0)) and palette_of(None) == ()
    for file, cure in ((bad, "Line 2"), (tmp_path / "gone.pal", "check its name")):
        with pytest.raises(RequestError, match=cure):
            palette_of(file)
