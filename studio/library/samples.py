"""Samples: more pictures and animations of a character, from which its look is learned."""

from __future__ import annotations

import logging
import time
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import Any, Literal

import numpy as np

from pipelines.errors import LibraryError
from pipelines.pose.skeleton import PoseTrack

from . import disk

Kind = Literal["still", "clip"]
log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Sample:
    """One still or animated sample: `0000.png`... in the character's cell, `track.npz` and `sample.json`."""

    id: str
    kind: Kind
    folder: Path
    count: int
    """Number of frames."""
    fps: float = 12.0
    action: str = "idle"
    caption: str = ""
    """The look in words where it differs from the character's own; empty takes the character's."""
    keep: bool = True
    """False: stays in the library and is left out of training."""
    verdict: str = "good"
    """"good", "check" or "poor": what the filters think; the artist decides by `keep`."""
    note: str = ""
    """Why, in one sentence."""
    name: str = ""
    """The uploaded file's name, for display."""
    created: float = field(default_factory=time.time)

    @property
    def picture(self) -> Path:
        """The first frame."""
        return self.folder / "0000.png"

    @property
    def preview(self) -> Path:
        """The still, or an animated WebP of the clip."""
        return self.folder / "preview.webp" if self.kind == "clip" else self.picture

    def frames(self) -> np.ndarray:
        """uint8 (T, S, S, 4)."""
        return np.stack([disk.read_picture(self.folder / f"{number:04d}.png") for number in range(self.count)])

    def track(self) -> PoseTrack | None:
        """Joints of every frame in cells; None where none were found."""
        path = self.folder / "track.npz"
        if not path.is_file():
            return None
        with np.load(path, allow_pickle=False) as saved:
            return PoseTrack(saved["joints"], saved["confidence"], self.fps)


def add(
    samples: Path,
    sample: Sample,
    frames: np.ndarray,
    track: PoseTrack | None,
    preview: bytes | None,
    original: Path,
) -> Sample:
    """Writes a new sample under `samples`; the folder takes its name only when everything is in it."""
    folder = samples / disk.checked(sample.id)
    with disk.saving("the sample"), disk.unfinished(folder) as part:
        for number, frame in enumerate(frames):
            disk.write_picture(part / f"{number:04d}.png", frame)
        disk.write_bytes(part / f"original{disk.suffix(original)}", original.read_bytes())
        if track is not None:
            np.savez(part / "track.npz", joints=track.joints, confidence=track.confidence)
        if preview:
            disk.write_bytes(part / "preview.webp", preview)
        disk.write_json(part / "sample.json", _to_json(sample))
    return replace(sample, folder=folder)


def load(samples: Path, sample_id: str) -> Sample:
    """Raises `LibraryError` when there is none."""
    folder = samples / disk.checked(sample_id)
    body = disk.read_json(folder / "sample.json")
    known = {item.name for item in fields(Sample)}
    return Sample(**{**{key: value for key, value in body.items() if key in known}, "folder": folder})


def listed(samples: Path) -> list[Sample]:
    """All finished samples, oldest first; one whose record was damaged from outside is left out."""
    if not samples.is_dir():
        return []
    names = [entry.name for entry in samples.iterdir() if not entry.name.endswith(".part")]
    found = []
    for name in names:
        if (samples / name / "sample.json").is_file():
            try:
                found.append(load(samples, name))
            except (LibraryError, TypeError) as error:
                log.warning("Sample %s cannot be read: %s", name, error)
    return sorted(found, key=lambda sample: (sample.created, sample.id))


def change(samples: Path, sample_id: str, **values: Any) -> Sample:
    """Writes the changed fields."""
    if not set(values) <= {"keep", "action", "caption"}:
        raise LibraryError(f"A sample's {', '.join(sorted(values))} cannot be changed.")
    sample = replace(load(samples, sample_id), **values)
    with disk.saving("the sample"):
        disk.write_json(sample.folder / "sample.json", _to_json(sample))
    return sample


def _to_json(sample: Sample) -> dict[str, Any]:
    return {key: value for key, value in asdict(sample).items() if key != "folder"}
