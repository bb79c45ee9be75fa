"""The size report tells what files really weigh; variants are the same pack enlarged."""

import numpy as np
import pytest

from studio.sprites.errors import ExportError, SheetError
from studio.sprites.export.registry import EXPORTERS
from studio.sprites.export.sizes import sizes
from studio.sprites.export.variants import write_variants
from studio.sprites.sheet import Action, SheetOptions, build_sheet

from ..figures import orbit, swinger
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


def test_each_scale_is_a_whole_pack(tmp_path):
    clip = Action("spin", orbit(4, 4), (80,) * 4, True, (24, 40))
    paths = write_variants(EXPORTERS["aseprite"], [clip], SheetOptions(), (4, 1, 2, 2), tmp_path, "hero")
    assert [p.name for p in paths] == [
        f"hero{at}.{kind}" for at in ("", "@2x", "@4x") for kind in ("png", "json")
    ]  # fmt: skip
    for scale, path in zip((1, 2, 4), paths[1::2], strict=True):
        frames, _, _, pivot = readers.aseprite(path)["spin"]
        assert np.array_equal(frames, clip.frames.repeat(scale, 1).repeat(scale, 2))
        assert pivot == (24 * scale, 40 * scale)


def test_sizes_that_cannot_be_made_leave_no_files(tmp_path):
    clip = Action("wide", np.full((1, 9, 60, 4), 255, np.uint8), (80,), True, (0, 0))
    for scales, error, cure in (((), ExportError, "choose 1 to 4"), (range(1, 6), ExportError, "choose 1 to 4")):
        with pytest.raises(error, match=cure):
            write_variants(EXPORTERS["godot"], [clip], SheetOptions(), scales, tmp_path / "out", "hero")
    with pytest.raises(SheetError, match="page may be 100x100"):
        write_variants(EXPORTERS["godot"], [clip], SheetOptions(max_size=100), (1, 2), tmp_path / "out", "hero")
    assert not (tmp_path / "out").exists()
