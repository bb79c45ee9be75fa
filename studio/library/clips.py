"""Finished clips of a character: lossless frames, a preview, and what was measured."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pipelines.clip import Clip

from . import disk


@dataclass(frozen=True)
class ClipRecord:
    """One clip of the library, without its pixels."""

    id: str
    action: str
    folder: Path
    """Holds `clip.json`, the frames and `preview.webp`; `Clip.load(folder)` reads it."""
    preview: Path
    """Animated WebP with alpha."""
    created: float
    """Seconds since 1970."""
    frames: int
    fps: float
    size: int
    loop: bool
    origin: dict[str, Any] = field(default_factory=dict)
    """How it was made."""
    quality: dict[str, Any] = field(default_factory=dict)
    """Measured numbers by name."""


def add(clips: Path, clip_id: str, clip: Clip, quality: dict[str, Any], created: float) -> ClipRecord:
    """Saves a finished clip; the folder takes its name only when everything is in it."""
    from ..sprites.export.webp import encode_webp

    folder = clips / disk.checked(clip_id)
    with disk.saving(f"the clip {clip.action!r}"), disk.unfinished(folder) as part:
        disk.write_bytes(part / "preview.webp", encode_webp(clip.frames, clip.milliseconds(), True))
        about = {"created": created, "size": clip.size, "quality": quality}
        disk.write_json(part / "record.json", about)
        clip.save(part)
    return load(clips, clip_id)


def load(clips: Path, clip_id: str) -> ClipRecord:
    """Raises `LibraryError` when there is no such finished clip."""
    folder = clips / disk.checked(clip_id)
    made = disk.read_json(folder / "clip.json")
    about = disk.read_json(folder / "record.json")
    return ClipRecord(
        id=clip_id,
        action=made["action"],
        folder=folder,
        preview=folder / "preview.webp",
        created=about["created"],
        frames=made["count"],
        fps=made["fps"],
        size=about["size"],
        loop=made["loop"],
        origin=made["origin"],
        quality=about["quality"],
    )


def finished(clips: Path, clip_id: str) -> bool:
    """True when the clip was saved to its end."""
    return (clips / disk.checked(clip_id) / "clip.json").is_file()


def listed(clips: Path) -> list[ClipRecord]:
    """All finished clips, newest first."""
    if not clips.is_dir():
        return []
    names = [entry.name for entry in clips.iterdir() if not entry.name.endswith(".part")]
    found = [load(clips, name) for name in names if (clips / name / "clip.json").is_file()]
    return sorted(found, key=lambda record: (record.created, record.id), reverse=True)
