"""A character: what the artist named and placed, without its pixels."""

from __future__ import annotations

import time
import unicodedata
from dataclasses import asdict, dataclass, field, fields
from typing import Any

from pipelines.figure import Placement
from pipelines.pose.skeleton import FACINGS, Facing

from .joints import Joints

NAME_LENGTH = 80


def tidy_name(text: str, fallback: str = "Unnamed") -> str:
    """Free text as a display name: control characters and line breaks out, at most 80 characters."""
    kept = "".join(" " if unicodedata.category(c) in ("Cc", "Cs", "Zl", "Zp") else c for c in str(text))
    kept = " ".join(kept.split())
    return kept if 0 < len(kept) <= NAME_LENGTH else kept[: NAME_LENGTH - 1] + "…" if kept else fallback


@dataclass(frozen=True)
class Character:
    """One character of the library. Kept as `character.json` in its folder, beside `art.png` and the original."""

    id: str
    name: str
    joints: Joints
    """Joint name -> (x, y, confidence) in art pixels; None: the character has no such joint."""
    size: tuple[int, int] = (0, 0)
    """Width and height of the art in pixels."""
    facing: Facing = "right"
    about: str = ""
    """The look in words: the character part of every caption."""
    cell: int = 128
    """Side of the square cell of all its clips, in pixels."""
    pixel_art: bool = False
    weapon: str | None = None
    """Caption word of what the right hand holds."""
    placement: Placement = field(default_factory=lambda: Placement(1.0, (0.0, 0.0)))
    body_share: float | None = None
    """Share of the cell's height that the standing body takes; None until measured, see `character_art.fitted`."""
    method: str = ""
    """How the background was removed."""
    note: str = ""
    """One sentence to the artist about cut-out or joints; empty when all is well."""
    backend: str = "embedded"
    adapter: str | None = None
    """Id of the trained look in use; None draws with the base model alone."""
    created: float = field(default_factory=time.time)
    """Seconds since 1970."""
    example: bool = False
    """True for a character that came with the app."""

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, body: dict[str, Any]) -> Character:
        """Unknown keys are ignored and missing ones take their defaults, so older records load (field report 2)."""
        known = {item.name for item in fields(cls)}
        values = {key: value for key, value in body.items() if key in known}
        values["joints"] = {name: tuple(p) if p else None for name, p in body.get("joints", {}).items()}
        values["size"] = tuple(body.get("size", (0, 0)))
        if "placement" in values:
            values["placement"] = Placement(values["placement"]["scale"], tuple(values["placement"]["ground"]))
        if values.get("facing") not in FACINGS:
            values["facing"] = "right"
        return cls(**values)
