"""One damaged record never hides the others."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from pipelines.adapter import WEIGHTS
from studio import flow
from studio.library import Character, Sample
from studio.library import samples as sample_files
from studio.library.disk import new_id
from studio.studio import Desk


@pytest.mark.parametrize("damage", ["{", "[]", '{"id": "x"}'])
def test_a_damaged_sample_is_left_out(desk: Desk, hero: Character, tmp_path: Path, damage: str) -> None:
    folder = desk.library.within(hero.id, "samples")
    original = tmp_path / "a.png"
    original.write_bytes(b"x")
    frame = np.zeros((1, 8, 8, 4), np.uint8)
    kept, lost = (
        sample_files.add(folder, Sample(new_id(), "still", folder, 1), frame, None, None, original) for _ in range(2)
    )
    (lost.folder / "sample.json").write_text(damage)
    assert [sample.id for sample in flow.samples(desk, hero.id)] == [kept.id]


@pytest.mark.parametrize("damage", ["{", "[]", '{"what": 1}'])
def test_a_damaged_look_is_left_out(desk: Desk, hero: Character, damage: str) -> None:
    folder = desk.library.within(hero.id, "adapters")
    about = {"base": "b", "backend": "embedded", "rank": 4}
    for name in ("good", "bad"):
        (folder / name).mkdir(parents=True)
        (folder / name / WEIGHTS).write_bytes(b"")
        (folder / name / "adapter.json").write_text(json.dumps(about) if name == "good" else damage)
    found = [adapter.folder.name for adapter in flow.adapters(desk, hero.id)]
    assert found == ["good"]
