"""Beside PyTexturePacker: pages are no larger, and the reader of our JSON reads its JSON too."""

import contextlib
import io
import json

import numpy as np
import pytest
from PIL import Image

from studio.sprites.sheet import Action, SheetOptions, build_sheet

from .export import readers
from .figures import orbit, swinger

SHEETS = {
    "swing": lambda: swinger(16),
    "orbit": lambda: orbit(9, 9),
    "growing": lambda: np.stack([np.pad(np.full((8 + 2 * n, 5 + n, 4), 255, np.uint8),
                                        ((0, 56 - 2 * n), (0, 45 - n), (0, 0))) for n in range(24)]),
}  # fmt: skip


@pytest.fixture
def theirs(tmp_path):
    """Packs frames with PyTexturePacker (MaxRects), same trim, padding and border; returns the JSON files."""

    def run(frames, **options):
        from PyTexturePacker import Packer

        source, out = tmp_path / "in", tmp_path / "out"
        source.mkdir()
        out.mkdir()
        for n, frame in enumerate(frames):
            Image.fromarray(frame, "RGBA").save(source / f"f{n:02d}.png")
        packer = Packer.create(
            max_width=4096, max_height=4096, border_padding=1, shape_padding=2, trim_mode=1, atlas_format="json",
            **options,
        )  # fmt: skip
        with contextlib.redirect_stdout(io.StringIO()):
            packer.pack(str(source), "atlas%d", output_path=str(out))
        return sorted(out.glob("*.json"))

    return run


@pytest.mark.parametrize("what", SHEETS)
@pytest.mark.parametrize("turned", [False, True])
def test_pages_are_no_larger(what, turned, theirs):
    """Even where it may turn sprites, which we never do (field report 30); its pages are powers of two."""
    frames = SHEETS[what]()
    documents = [json.loads(path.read_text()) for path in theirs(frames, enable_rotated=turned)]
    area = sum(d["meta"]["size"]["w"] * d["meta"]["size"]["h"] for d in documents)
    for options in (SheetOptions(), SheetOptions(power_of_two=True)):
        sheet = build_sheet([Action("a", frames, (80,) * len(frames), True, (0, 0))], options)
        assert sum(page.shape[0] * page.shape[1] for page in sheet.pages) <= area


def test_one_reader_reads_both(theirs):
    """A reader written against PyTexturePacker's own files gets our frames from ours."""
    frames = swinger(6)
    (path,) = theirs(frames, enable_rotated=False)
    data = json.loads(path.read_text())
    page = readers.picture(path.parent / data["meta"]["image"])
    for name, item in data["frames"].items():
        rect, source = item["frame"], item["spriteSourceSize"]
        place = (source["x"], source["y"])
        size = (item["sourceSize"]["w"], item["sourceSize"]["h"])
        found = readers.cel(page, [rect[k] for k in "xywh"], place, size)
        assert np.array_equal(found, frames[int(name[1:3])])
