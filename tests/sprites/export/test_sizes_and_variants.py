"""The size report tells what files really weigh; variants are the same pack enlarged."""

import numpy as np
import pytest

from studio.sprites.errors import ExportError, SheetError
from studio.sprites.export.registry import EXPORTERS
from studio.sprites.export.sizes import sizes
from studio.sprites.export.variants import variants
from studio.sprites.marks import Marks
from studio.sprites.oklab import to_oklab
from studio.sprites.sheet import Action, SheetOptions, build_sheet, restore
from studio.sprites.trim import Box

from ..figures import COAT, blank, orbit, swinger
from . import readers


def test_sizes_are_those_of_the_files(tmp_path):
    """Requirements R71 and R72: packing spares memory, and how atlas, WebP and WebM compare is measured."""
    clips = [Action(n, swinger(c), (80,) * c, True, (60, 110)) for n, c in (("walk", 6), ("hit", 4))]
    sheet = build_sheet(clips)
    report = sizes(sheet)
    for key, kind in (("webp", "webp"), ("apng", "apng"), ("webm", "webm")):
        files = EXPORTERS[key].write(sheet, tmp_path / key, "hero")
        assert getattr(report, kind) == sum(path.stat().st_size for path in files)
    (page, *_) = EXPORTERS["aseprite"].write(sheet, tmp_path / "atlas", "hero")
    assert report.atlas_png == page.stat().st_size
    assert report.untrimmed_memory == 10 * 128 * 128 * 4
    assert report.atlas_memory == sheet.pages[0].nbytes < report.untrimmed_memory / 2
    assert report.shares()["webp"] == report.webp / report.atlas_png


def test_each_size_is_a_whole_pack(tmp_path):
    clip = Action("spin", orbit(4, 4), (80,) * 4, True, (24, 40))
    packs = variants([clip], SheetOptions(), (4, 1, 2, 2))
    assert list(packs) == ["hero", "hero@2x", "hero@4x"]
    for scale, (name, sheet) in zip((1, 2, 4), packs.items(), strict=True):
        *_, path = EXPORTERS["aseprite"].write(sheet, tmp_path, name)
        frames, _, _, pivot = readers.aseprite(path)["spin"]
        assert np.array_equal(frames, clip.frames.repeat(scale, 1).repeat(scale, 2))
        assert pivot == (24 * scale, 40 * scale)


def test_half_size_keeps_pivot_and_marks_on_the_figure():
    frames = blank(1, 21, 31)
    frames[0, 10:30, 8:12] = COAT
    marks = Marks({"body": (Box(8, 10, 5, 21),)}, {"tip": ((9.0, 11.0),)}, {"land": (0,)})
    clip = Action("stand", frames, (80,), True, (10, 30), marks)
    sheet = variants([clip], SheetOptions(trim=False), (0.5,), pixel_art=True)["hero@0.5x"]
    (entry,) = sheet.entries
    assert sheet.cell == (11, 16) and sheet.pivot == (5.0, 15.0)
    assert np.array_equal(restore(sheet, "stand")[0, 5:15, 4:6], frames[0, 10:30:2, 8:12:2])
    assert entry.boxes["body"] == Box(4, 5, 3, 11) and entry.points["tip"] == (4.5, 5.5) and entry.events == ("land",)


def test_a_recoloured_pack_is_the_same_drawing_in_another_hue():
    """The silhouette and the light and dark stay; each hue comes at every size."""
    clip = Action("spin", orbit(4, 4), (80,) * 4, True, (24, 40))
    packs = variants([clip], SheetOptions(), (2,), (240, 120))
    assert list(packs) == [f"hero{hue}{size}" for size in ("", "@2x") for hue in ("", "_hue120", "_hue240")]
    plain, green = restore(packs["hero"], "spin"), restore(packs["hero_hue120"], "spin")
    assert np.array_equal(plain[..., 3], green[..., 3])
    seen = plain[..., 3] > 0
    assert (plain[seen] != green[seen]).any()
    assert np.abs(to_oklab(plain[seen][:, :3])[:, 0] - to_oklab(green[seen][:, :3])[:, 0]).max() < 0.03


def test_packs_that_cannot_be_made_say_why():
    clip = Action("wide", np.full((1, 9, 60, 4), 255, np.uint8), (80,), True, (0, 0))
    with pytest.raises(ExportError, match="choose fewer sizes or colours"):
        variants([clip], SheetOptions(), (0.5, 2, 4), (60, 120, 180))
    with pytest.raises(SheetError, match="page may be 100x100"):
        variants([clip], SheetOptions(max_size=100), (2,))
