"""Finished clips of a character: lossless frames, a preview, and what was measured."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from pipelines.clip import Clip
from pipelines.errors import LibraryError, RequestError

from ..sprites.editing import Strip, traced
from ..sprites.edits import Edit, EditError, from_json, to_json
from ..sprites.errors import SpriteError
from . import disk

EDITS = "edits.json"
"""Lies in a clip's folder once somebody has edited it; the frames beside it stay as they were drawn."""


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
    """Measured numbers by name, of the clip as edited."""
    edits: tuple[Edit, ...] = ()
    """Everything done by hand so far, also what was undone."""
    position: int = 0
    """How many of `edits` count now; undo and redo only move it."""

    @property
    def edit_key(self) -> str:
        """Short hash of the edits that count now, empty without: whoever made something of the clip can tell whether
        it still shows the clip as it is."""
        body = json.dumps(to_json(self.edits[: self.position]))
        return hashlib.sha256(body.encode()).hexdigest()[:12] if self.position else ""

    def drawn(self) -> Clip:
        """The clip as it was drawn."""
        return Clip.load(self.folder)

    def edited(self) -> Clip:
        """The clip as the artist left it: what is shown, previewed and exported."""
        clip = self.drawn()
        return _after(clip, self.edits[: self.position]) if self.position else clip

    def strip(self) -> Strip:
        """`edited`, and where each of its frames comes from."""
        clip = self.drawn()
        return traced(clip.frames, clip.milliseconds(), self.edits[: self.position])


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
    edits, position = _edits(folder)
    return ClipRecord(
        id=clip_id,
        action=made["action"],
        folder=folder,
        preview=folder / "preview.webp",
        created=about["created"],
        frames=about.get("frames", made["count"]),
        fps=made["fps"],
        size=about["size"],
        loop=made["loop"],
        origin=made["origin"],
        quality=about["quality"],
        edits=edits,
        position=position,
    )


def edit(clips: Path, clip_id: str, edits: Any, position: Any) -> ClipRecord:
    """Keeps `edits` (JSON, from anybody), of which the first `position` count; renews preview and measured numbers.

    Raises `RequestError` before anything is written when the clip cannot be edited so.
    """
    from ..sprites.export.webp import encode_webp
    from ..sprites.quality import report

    record = load(clips, clip_id)
    try:
        made = from_json(edits)
        if isinstance(position, bool) or not isinstance(position, int) or not 0 <= position <= len(made):
            raise EditError(f"{str(position)[:20]} of {len(made)} edits cannot count; use 0 to {len(made)}.")
        clip = _after(record.drawn(), made[:position])
        if position < len(made):
            _after(clip, made[position:])  # or redo would fail later
    except SpriteError as error:
        raise RequestError(str(error)) from error
    about = disk.read_json(record.folder / "record.json")
    findings = [asdict(finding) for finding in report(clip.frames, clip.loop)]
    with disk.saving(f"the edit of {clip.action!r}"):
        disk.write_json(record.folder / EDITS, {"edits": to_json(made), "position": position})
        disk.write_bytes(record.preview, encode_webp(clip.frames, clip.milliseconds(), True))
        quality = {**about["quality"], "findings": findings}
        disk.write_json(record.folder / "record.json", {**about, "frames": len(clip), "quality": quality})
    return load(clips, clip_id)


def _after(clip: Clip, edits: Sequence[Edit]) -> Clip:
    strip = traced(clip.frames, clip.milliseconds(), edits)
    joints = clip.joints
    if joints is not None:
        ends = np.array([(x, y) for _, x, y in strip.places], np.float32) / clip.size
        sides = np.array([(side, 1) for side, _, _ in strip.places], np.float32)
        joints = joints[list(strip.sources)] * sides[:, None] + ends[:, None]
    return replace(clip, frames=strip.frames, durations_ms=strip.times, joints=joints)


def _edits(folder: Path) -> tuple[tuple[Edit, ...], int]:
    if not (folder / EDITS).is_file():
        return (), 0
    kept = disk.read_json(folder / EDITS)
    try:
        edits = from_json(kept.get("edits"))
        return edits, min(max(int(kept.get("position", 0)), 0), len(edits))
    except (EditError, TypeError, ValueError) as error:
        raise LibraryError(f"{EDITS} of {folder.name} is damaged; delete that file to go on without edits.") from error


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
