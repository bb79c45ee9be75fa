"""One small sheet, kept to the pixel and to the letter in ``golden/``.

Text files are compared as they are; PNG by decoded pixels, because compressed bytes differ between zlib versions.
After a wanted change: ``python -m tests.sprites.test_golden`` from the repository root writes the files anew.
"""

import tempfile
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from studio.sprites.export.registry import EXPORTERS
from studio.sprites.loop import ping_pong
from studio.sprites.sheet import Action, Sheet, build_sheet
from studio.sprites.timing import durations_from_fps

GOLDEN = Path(__file__).parent / "golden"
KEYS = ("aseprite", "aseprite_array", "texturepacker", "godot")


def pixel_hero(step: int, arm: int) -> np.ndarray:
    """A 16x16 figure: head, coat, two legs apart by `step`, one arm at height `arm`."""
    frame = np.zeros((16, 16, 4), np.uint8)
    frame[2:6, 6:10] = (224, 172, 138, 255)
    frame[6:11, 5:11] = (60, 90, 160, 255)
    frame[11:15, 5 + step : 7 + step] = (40, 30, 30, 255)
    frame[11:15, 9 - step : 11 - step] = (70, 50, 40, 255)
    frame[arm : arm + 2, 11:14] = (224, 172, 138, 255)
    return frame


def golden_sheet() -> Sheet:
    sway, times = ping_pong(np.stack([pixel_hero(0, arm) for arm in (6, 7, 8)]), (120, 100, 120))
    walk = np.stack([pixel_hero(step, 7) for step in (0, 1, 2, 1)])
    slash = np.stack([pixel_hero(0, 3), pixel_hero(1, 9)])
    return build_sheet(
        [
            Action("idle", sway, times, True, (8, 15)),
            Action("walk", walk, durations_from_fps(4, 12), True, (8, 15)),
            Action("slash", slash, (60, 240), False, (8, 15)),
        ]
    )


def written(folder: Path) -> dict[str, Path]:
    paths = (path for key in KEYS for path in EXPORTERS[key].write(golden_sheet(), folder, "hero"))
    return {path.name: path for path in paths}


@pytest.mark.parametrize("name", ["hero.json", "hero.array.json", "hero.tp.json", "hero.tres"])
def test_text_is_golden(name, tmp_path):
    assert written(tmp_path)[name].read_bytes() == (GOLDEN / name).read_bytes().replace(b"\r\n", b"\n")


def test_pixels_are_golden(tmp_path):
    with Image.open(written(tmp_path)["hero.png"]) as new, Image.open(GOLDEN / "hero.png") as old:
        assert new.mode == old.mode == "RGBA" and np.array_equal(np.array(new), np.array(old))


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as scratch:
        for file_name, path in written(Path(scratch)).items():
            (GOLDEN / file_name).write_bytes(path.read_bytes())
