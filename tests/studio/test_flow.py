"""From an upload to a character with samples: what the page's first two tabs do."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from lora_trainer.config import TrainConfig
from pipelines.errors import LibraryError, PictureError, RequestError
from pipelines.pose.skeleton import JOINTS
from studio import examples, flow
from studio.library import Character
from studio.studio import Desk, Studio
from studio.tasks import train
from tests.conftest import HERO, REPO, hero_art


def on_white(art: np.ndarray) -> Image.Image:
    page = Image.new("RGB", (art.shape[1], art.shape[0]), "white")
    page.paste(Image.fromarray(art), mask=Image.fromarray(art).getchannel("A"))
    return page


def shifted(by: int) -> Image.Image:
    return Image.fromarray(np.roll(hero_art(), by, axis=1))


@pytest.fixture
def walking(tmp_path: Path) -> Path:
    """An animation of six frames in which the hero sways."""
    path = tmp_path / "Walk_east 01.webp"
    pictures = [shifted(by) for by in (0, 1, 2, 3, 2, 1)]
    pictures[0].save(path, save_all=True, append_images=pictures[1:], duration=83, loop=0, lossless=True)
    return path


def test_a_picture_becomes_a_character(desk: Desk, hero_png: Path) -> None:
    who = flow.new_character(desk, hero_png)
    assert who.name == "hero" and who.method == "alpha" and who.pixel_art
    assert list(who.joints) == list(JOINTS) and who.joints["pelvis"] is not None
    assert np.array_equal(desk.library.art(who.id), hero_art())
    assert desk.library.original(who.id).read_bytes() == hero_png.read_bytes()
    assert flow.characters(desk) == [who]


def test_blown_up_pixel_art_comes_back_to_its_own_pixels(desk: Desk, tmp_path: Path) -> None:
    path = tmp_path / "hero_x6.png"
    Image.fromarray(np.kron(hero_art(), np.ones((6, 6, 1), np.uint8))).save(path)
    who = flow.new_character(desk, path, name="Six")
    assert who.size == (48, 64) and who.pixel_art
    assert np.array_equal(desk.library.art(who.id), hero_art())
    again = flow.recut(desk, who.id, "alpha")
    assert again.size == (48, 64) and again.joints == who.joints
    assert np.array_equal(desk.library.art(who.id), hero_art())


def test_cutting_again_keeps_the_joints(desk: Desk, tmp_path: Path) -> None:
    path = tmp_path / "white.png"
    on_white(hero_art()).save(path)
    who = flow.set_joints(desk, flow.new_character(desk, path).id, {"head": (24, 11)})
    again = flow.recut(desk, who.id, "key", key_colour=(255, 255, 255))
    assert again.method == "key" and again.joints == who.joints
    alpha = desk.library.art(who.id)[..., 3]
    assert (alpha > 127).sum() == pytest.approx((hero_art()[..., 3] > 127).sum(), rel=0.03)
    strokes = np.zeros(alpha.shape, np.uint8)
    strokes[57:61, 18:34] = 1
    strokes[10:14, 20:28] = 2
    flow.recut(desk, who.id, "grabcut", strokes=strokes)
    with pytest.raises(RequestError):
        flow.recut(desk, who.id, "scissors")
    assert flow.character(desk, who.id).method == "grabcut"


@pytest.mark.parametrize("content", [b"", b"GIF89a", b"\x89PNG\r\n\x1a\n" + b"\0" * 40, b"<svg/>", b"PK\x03\x04"])
def test_a_bad_upload_leaves_the_library_as_it_was(desk: Desk, hero: Character, tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "bad.png"
    path.write_bytes(content)
    with pytest.raises(PictureError):
        flow.new_character(desk, path)
    with pytest.raises(PictureError):
        flow.add_samples(desk, hero.id, [path])
    assert flow.characters(desk) == [hero] and flow.samples(desk, hero.id) == []


def test_finding_the_joints_again_can_be_undone(desk: Desk, hero: Character) -> None:
    found = flow.redetect(desk, hero.id)
    assert found.joints != hero.joints and found.joints["pelvis"] is not None
    assert flow.undo_joints(desk, hero.id).joints == hero.joints


def test_stills_and_animations_become_samples(desk: Desk, hero: Character, hero_png: Path, walking: Path) -> None:
    still, clip = flow.add_samples(desk, hero.id, [hero_png, walking])
    assert (still.kind, still.count, still.action, still.name) == ("still", 1, "idle", "hero.png")
    assert (clip.kind, clip.count, clip.action, clip.name) == ("clip", 6, "walk", "Walk_east 01.webp")
    assert flow.samples(desk, hero.id) == [still, clip]
    frames = clip.frames()
    assert frames.shape == (6, hero.cell, hero.cell, 4) and clip.preview.is_file() and still.preview.is_file()
    columns = [float(np.nonzero(frame[..., 3])[1].mean()) for frame in frames]
    assert columns[3] > columns[0] + 1, "it sways in the sample as it does in the upload"
    track = clip.track()
    assert track is not None and len(track) == 6
    pelvis = track.joints[0, JOINTS.index("pelvis"), :2]
    assert np.abs(pelvis - (0.5, 0.6)).max() < 0.15


def test_the_artist_has_the_last_word_on_a_sample(desk: Desk, hero: Character, walking: Path) -> None:
    (clip,) = flow.add_samples(desk, hero.id, [walking])
    changed = flow.set_sample(desk, hero.id, clip.id, keep=False, action="run", caption="in the rain")
    assert (changed.keep, changed.action, changed.caption) == (False, "run", "in the rain")
    assert flow.samples(desk, hero.id) == [changed]
    ticket = flow.delete(desk, hero.id, "samples", clip.id)
    assert flow.samples(desk, hero.id) == []
    flow.restore(desk, ticket)
    assert flow.samples(desk, hero.id) == [changed]


def test_a_sample_of_nothing_is_set_aside(desk: Desk, hero: Character, tmp_path: Path) -> None:
    path = tmp_path / "speck.png"
    art = np.zeros((64, 64, 4), np.uint8)
    art[30:38, 30:36] = (200, 40, 40, 255)
    Image.fromarray(art).save(path)
    (sample,) = flow.add_samples(desk, hero.id, [path])
    assert not sample.keep and sample.verdict == "poor" and "tall" in sample.note


def test_a_training_sees_what_it_began_with(studio: Studio, desk: Desk, hero: Character, walking: Path) -> None:
    """A resumed run must not change because somebody edits the character meanwhile (field report 17)."""
    flow.set_character(desk, hero.id, about="a hero in blue", weapon="sword")
    flow.add_samples(desk, hero.id, [walking, walking])
    flow.set_sample(desk, hero.id, flow.samples(desk, hero.id)[1].id, keep=False)
    folder = desk.library.within(hero.id, "adapters") / "0123456789ab"
    train._freeze(desk, hero.id, folder)
    flow.set_character(desk, hero.id, about="somebody else", pixel_art=False)
    flow.set_joints(desk, hero.id, {"head": (0, 0)})
    about, figure, (learned,) = train._thaw(folder)
    assert about == "a hero in blue" and figure.pixel_art and figure.weapon == "sword"
    assert figure.joints[JOINTS.index("head"), :2] == pytest.approx(HERO["head"][:2])  # type: ignore[index]
    assert learned.frames.shape[0] == 6 and learned.action == "walk" and "a hero in blue" in learned.caption
    assert learned.track is not None
    assert flow.adapters(desk, hero.id) == [], "a folder without a result is no look yet"
    with pytest.raises(LibraryError):
        flow.use_adapter(desk, hero.id, "0123456789ab")


def test_a_training_is_one_job(desk: Desk, hero: Character) -> None:
    job = flow.train(desk, hero.id, TrainConfig(steps=3))
    assert job.state == "queued" and TrainConfig.from_json(job.payload["config"]) == TrainConfig(steps=3)
    assert json.loads(json.dumps(job.payload)) == job.payload


def test_motion_from_a_file(studio: Studio, desk: Desk, hero: Character, walking: Path) -> None:
    """The upload is kept with the character, so that the job still finds it when the page's copy is gone."""
    from studio.perform import perform

    own = replace(desk, jobs=replace(desk.jobs, worker="me"))
    flow.set_character(own, hero.id, cell=48)
    job = flow.animate(own, hero.id, [flow.ActionOrder("sway", guidance="file", file=str(walking), steps=1)])
    walking.unlink()
    outcome = perform(studio, job, "me")
    assert outcome.state == "done", outcome.error
    (record,) = flow.clips(own, hero.id)
    assert (record.action, record.frames, record.fps) == ("sway", 6, pytest.approx(12.0, abs=0.1))
    again = flow.ActionOrder.from_json(record.origin["order"])
    assert desk.library.keep(hero.id, again.file) == again.file, "and can be drawn again from there"


def test_an_empty_library_starts_with_the_examples(desk: Desk) -> None:
    added = flow.add_examples(desk)
    assert added[0].name == "Knight" and flow.characters(desk)[0] == added[0]
    drawn = {path.stem for path in examples.FOLDER.glob("*.json") if path.with_suffix(".png").is_file()}
    assert len(added) == len(drawn) and all(who.example for who in added)
    assert flow.add_examples(desk) == []
    knight = json.loads((REPO / "examples" / "art" / "knight.json").read_text(encoding="utf-8"))
    assert added[0].joints["r_wrist"] == (*knight["joints"]["r_wrist"], 1.0)
    for who in added:
        flow.delete(desk, who.id)
    assert flow.add_examples(desk) == [], "whoever threw them away does not want them back"


def test_a_damaged_example_is_left_out(desk: Desk, tmp_path: Path) -> None:
    for name in ("knight", "witch"):
        (tmp_path / f"{name}.json").write_text('{"joints": {"pelvis": [20, 30], "weapon_tip": null}}', encoding="utf-8")
    (tmp_path / "broken.json").write_text("{", encoding="utf-8")
    Image.fromarray(hero_art()).save(tmp_path / "knight.png")
    Image.fromarray(hero_art()).save(tmp_path / "broken.png")
    assert [who.name for who in examples.fill(desk, tmp_path)] == ["Knight"]
