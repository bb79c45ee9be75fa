"""Rows 18 to 33 and 42 of the public bug reports: each is cited by a test, and none of those tests is gone.

The rows are about sprites, mattes, encoders and exports. The tests themselves live beside what they test; here is
the list, and what no single module can show.
"""

import ast
import json
import re
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageSequence

from studio.sprites.beats import PRESETS, paced
from studio.sprites.export.registry import exporter
from studio.sprites.sheet import Action, build_sheet

from .test_beats import blow

TESTS = Path(__file__).resolve().parents[1]
CITED = re.compile(r"(?:field reports?|rows?)\s+((?:\d+(?:\s*,\s*|\s+and\s+|\s+to\s+)?)+)", re.IGNORECASE)


def rows_of(text: str) -> set[int]:
    """Row numbers that a docstring cites: 'Field reports 26 and 27: ...'."""
    return {int(number) for found in CITED.findall(text) for number in re.findall(r"\d+", found)}


def cited() -> dict[int, list[str]]:
    """Row -> tests whose own docstring cites it."""
    out: dict[int, list[str]] = {}
    for path in sorted(TESTS.glob("**/test_*.py")):
        if path.name == Path(__file__).name:
            continue
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                for row in rows_of(ast.get_docstring(node) or ""):
                    out.setdefault(row, []).append(f"{path.relative_to(TESTS)}::{node.name}")
    return out


def test_citations_are_read_as_they_are_written():
    assert rows_of("Field report 30, down to the files.") == {30}
    assert rows_of("Field reports 24, 25, 27: tags") == {24, 25, 27}
    assert rows_of("Field reports 28 and 42: pixels of 3 frames") == {28, 42}
    assert rows_of("Three frames go 0, 1, 2, 1.") == set()


@pytest.mark.parametrize("row", [*range(18, 34), 42])
def test_every_row_about_sprites_has_a_test_that_cites_it(row):
    assert cited().get(row), f"no test cites row {row} of the field reports"


def test_a_paced_attack_is_exported_as_it_was_timed(tmp_path):
    """Field report 42: anticipation, blow and hold differ, and every file tells the same milliseconds."""
    timing = paced(blow(), PRESETS["attack"], loop=False)
    frames = timing.apply(blow())
    sheet = build_sheet([Action("attack", frames, timing.durations_ms, False, (35.0, 60.0))])
    assert len(set(timing.durations_ms)) >= 3
    exporter("aseprite_array").write(sheet, tmp_path, "hero")
    (listed,) = tmp_path.glob("*.json")
    told = [frame["duration"] for frame in json.loads(listed.read_text("utf-8"))["frames"]]
    assert told == list(timing.durations_ms)
    for file in exporter("webp").write(sheet, tmp_path / "webp", "hero"):
        with Image.open(file) as picture:
            shown = [(page.copy(), page.info["duration"]) for page in ImageSequence.Iterator(picture)]
    assert [duration for _, duration in shown] == list(timing.durations_ms)
    assert all(
        np.array_equal(np.asarray(page.convert("RGBA")), frame) for (page, _), frame in zip(shown, frames, strict=True)
    )
