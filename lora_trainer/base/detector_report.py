"""How well the joint detector does: share of joints within a tenth of the body's height of the truth."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from PIL import Image

from pipelines.pose.detect import JointDetector
from pipelines.pose.skeleton import FACINGS, INDEX, JOINTS, N_JOINTS

from .detector_data import draw_pictures

_ROOT = Path(__file__).parents[2]

_DRAWING_JOINTS = {"hip": "pelvis", "torso": "chest"} | {
    f"{side}_{theirs}": f"{side[0]}_{ours}"
    for side in ("left", "right")
    for theirs, ours in (
        ("shoulder", "shoulder"),
        ("elbow", "elbow"),
        ("hand", "wrist"),
        ("hip", "hip"),
        ("knee", "knee"),
        ("foot", "ankle"),
    )
}
"""Joint names of AnimatedDrawings in ours."""


@dataclass(frozen=True)
class Sample:
    """A cut-out picture and where its joints truly are."""

    name: str
    art: np.ndarray
    """uint8 (H, W, 4)."""
    joints: np.ndarray
    """float32 (21, 3): x, y, and 1 where the joint exists and is known, 0 where it does not exist, -1 unknown."""
    facing: str | None


@dataclass(frozen=True)
class Row:
    """One line of the table."""

    name: str
    found: float
    """Share of the true joints within a tenth of the body's height."""
    swapped: float
    """The same if the detector's left and right were exchanged where that is better."""
    tips: float
    """Share of weapon and off-hand tips judged rightly there or not there."""
    facing: float


def score(detector: JointDetector, sample: Sample) -> Row:
    """The detector's marks on one picture."""
    seen = detector.detect(sample.art)
    rows = np.nonzero((sample.art[..., 3] > 127).any(1))[0]
    reach = 0.1 * (rows[-1] - rows[0] + 1)
    known = sample.joints[:, 2] > 0
    offsets = np.linalg.norm(seen.joints[:, :2] - sample.joints[:, :2], axis=-1)
    hit = (offsets < reach) & (seen.joints[:, 2] > 0)
    other = [INDEX[re.sub("^[lr]_", lambda side: "r_" if side[0] == "l_" else "l_", name)] for name in JOINTS]
    flipped = np.linalg.norm(seen.joints[other, :2] - sample.joints[:, :2], axis=-1) < reach
    tips = [INDEX["weapon_tip"], INDEX["offhand_tip"]]
    judged = [(seen.joints[t, 2] > 0) == (sample.joints[t, 2] > 0) for t in tips if sample.joints[t, 2] >= 0]
    return Row(
        sample.name,
        float(hit[known].mean()),
        max(float(hit[known].mean()), float(flipped[known].mean())),
        float(np.mean(judged)) if judged else 1.0,
        float(sample.facing in (None, seen.facing)),
    )


def mannequins(count: int = 200) -> Iterator[Sample]:
    """Characters that no training run has seen."""
    pictures = draw_pictures(7, count)
    for art, joints, facing in zip(pictures.art, pictures.joints, pictures.facing, strict=True):
        yield Sample("mannequins", art, joints, FACINGS[facing])


def examples(folder: Path = _ROOT / "examples" / "art") -> Iterator[Sample]:
    """The example art with its hand-placed joints."""
    for path in sorted(folder.glob("*.json")):
        truth = json.loads(path.read_text(encoding="utf-8"))
        joints = np.zeros((N_JOINTS, 3), np.float32)
        for name, place in truth["joints"].items():
            if place is not None:
                joints[INDEX[name]] = (*place, 1)
        art = np.asarray(Image.open(path.with_suffix(".png")).convert("RGBA"))
        yield Sample(path.stem, art, joints, truth["facing"])


def drawings(folder: Path) -> Iterator[Sample]:
    """Children's drawings annotated for AnimatedDrawings (MIT), where they are at hand."""
    for config in sorted(folder.glob("*/char_cfg.yaml")):
        joints = np.full((N_JOINTS, 3), -1, np.float32)
        text = config.read_text(encoding="utf-8")
        for x, y, name in re.findall(r"- (\d+)\s+- (\d+)\s+name: (\w+)", text):
            if name in _DRAWING_JOINTS:
                joints[INDEX[_DRAWING_JOINTS[name]]] = (float(x), float(y), 1)
        texture = Image.open(config.with_name("texture.png")).convert("RGB")
        mask = Image.open(config.with_name("mask.png")).convert("L")
        art = np.dstack([np.asarray(texture), np.asarray(mask)])
        yield Sample(config.parent.name, np.where(art[..., 3:] > 0, art, 0).astype(np.uint8), joints, None)


def table(detector: JointDetector) -> list[Row]:
    """All rows; the mannequins' is their mean."""
    known = [score(detector, sample) for sample in mannequins()]
    values = np.mean([(r.found, r.swapped, r.tips, r.facing) for r in known], 0)
    rows = [Row("200 unseen mannequins", *map(float, values))]
    rows += [score(detector, sample) for sample in examples()]
    data = Path(os.environ.get("SPRIGHTLY_DATA", _ROOT.parent / "shared" / "data"))
    return rows + [score(detector, sample) for sample in drawings(data / "art" / "drawings")]


if __name__ == "__main__":
    print(f"{'picture':24} {'found':>6} {'l/r free':>9} {'tips':>6} {'facing':>7}")
    for row in table(JointDetector.load()):
        print(f"{row.name:24} {row.found:6.0%} {row.swapped:9.0%} {row.tips:6.0%} {row.facing:7.0%}")
