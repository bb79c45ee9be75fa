"""What an artist orders: one value per action to draw, one per export. JSON-ready both ways."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from typing import Any, Literal

from pipelines.errors import RequestError

Guidance = Literal["library", "none", "file"]
Reader = Literal["own", "openpose", "dwpose"]

SIZES = (0.5, 1.0, 2.0, 4.0)
"""What an export can be written at besides its own size; half is resampled, the others are whole-number."""

MOST_HUES = 6
"""Recoloured packs of one export."""


@dataclass(frozen=True)
class ActionOrder:
    """One action to draw."""

    action: str
    """Name from the motion library ("walk"); with guidance "file", any word."""
    frames: int | None = None
    """1..240; None: as many as the motion was made with, or as the file has."""
    fps: float | None = None
    """Frames a second; None: the motion's own."""
    energy: float = 1.0
    """0.3..1.6: how far the motion swings out."""
    guidance: Guidance = "library"
    """library: posed by the motion library; none: moved by the action's name alone; file: by an uploaded animation."""
    file: str | None = None
    """Path of the animation for guidance "file"; in a clip's origin, its name in the character's folder."""
    reader: Reader = "own"
    """Who finds the joints in the file: the shipped detector, for drawings; OpenPose or DWPose, for filmed people."""
    strength: float = 1.0
    """0..1: how far the guided pose is followed."""
    look: float = 1.0
    """0..2: strength of the trained look."""
    seed: int = 0
    steps: int = 1

    def __post_init__(self) -> None:
        if self.guidance not in ("library", "none", "file"):
            raise RequestError(f"Guidance is library, none or file; got {self.guidance!r}.")
        if self.guidance == "file" and not self.file:
            raise RequestError("Guidance from a file needs a file: choose a GIF, WebP, APNG, video or a zip of frames.")
        if self.reader not in ("own", "openpose", "dwpose"):
            raise RequestError(f"Joints are read by own, openpose or dwpose; got {self.reader!r}.")
        if not 0.3 <= self.energy <= 1.6:
            raise RequestError(f"Energy goes from 0.3 to 1.6; got {self.energy:g}.")

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, body: dict[str, Any]) -> ActionOrder:
        """Missing keys take their defaults (field report 2)."""
        known = {item.name for item in fields(cls)}
        return cls(**{key: value for key, value in body.items() if key in known})


@dataclass(frozen=True)
class ExportOptions:
    """How clips become engine files."""

    targets: tuple[str, ...] = ("aseprite", "godot", "webp")
    """Names from `studio.sprites.export.EXPORTERS`."""
    layout: Literal["packed", "grid", "rows"] = "packed"
    padding: int = 2
    """Empty pixels between neighbours, 0..64."""
    border: int = 1
    """Empty pixels along the page edges, 0..64."""
    extrude: int = 0
    """Pixels that edges are repeated outwards, 0..16."""
    bleed: int = 2
    """Pixels that edge colours reach under transparent ones, 0..16."""
    trim: bool = True
    dedupe: bool = True
    power_of_two: bool = False
    max_size: int = 4096
    """Greatest page side in pixels."""
    scale: int = 1
    """Whole-number enlargement, 1..16."""
    columns: int | None = None
    """Columns of the grid layout; None chooses the smallest page."""
    motion: Literal["in_place", "root_motion"] = "in_place"
    """in_place: loops stay on the ground point; root_motion: they travel as far as the feet carry them."""
    palette: tuple[tuple[int, int, int], ...] = ()
    """1 to 256 colours (r, g, b) that every pixel is drawn with; empty: the drawing's own."""
    colours: int = 0
    """With no `palette`: how many colours (1..256) all actions share; 0 leaves them as they are."""
    dither: Literal["none", "ordered", "error"] = "none"
    also: tuple[float, ...] = ()
    """Further sizes, each its own pack beside the first, out of `SIZES`."""
    hues: tuple[int, ...] = ()
    """Recoloured packs: degrees (1..359) by which every colour is turned."""
    weigh: bool = False
    """Also measure the frames as animated WebP and as video, for the size report."""

    def __post_init__(self) -> None:
        if self.motion not in ("in_place", "root_motion"):
            raise RequestError(f"Motion is in_place or root_motion; got {str(self.motion)[:40]!r}.")
        if not 0 <= self.colours <= 256:
            raise RequestError(f"A palette has 1 to 256 colours, or 0 to leave them; got {self.colours}.")
        if not set(self.also) <= set(SIZES):
            raise RequestError(f"Further sizes are {', '.join(f'{size:g}' for size in SIZES)}; got {list(self.also)}.")
        if len(self.hues) > MOST_HUES or not all(0 < hue < 360 for hue in self.hues):
            raise RequestError(f"Recolouring takes up to {MOST_HUES} turns of 1 to 359 degrees; got {list(self.hues)}.")

    def to_json(self) -> dict[str, Any]:
        return {**asdict(self), "targets": list(self.targets)}

    @classmethod
    def from_json(cls, body: dict[str, Any]) -> ExportOptions:
        """Missing keys take their defaults (field report 2)."""
        known = {item.name for item in fields(cls)}
        values = {key: value for key, value in body.items() if key in known}
        for name in ("targets", "also", "hues"):
            values[name] = tuple(values.get(name, getattr(cls, name)))
        values["palette"] = tuple((r, g, b) for r, g, b in values.get("palette", ()))
        return cls(**values)
