"""What an engine wants of a sheet: one choice on the page sets all the others."""

from __future__ import annotations

from dataclasses import dataclass

from ...tasks.orders import ExportOptions
from ..words import WORDS


@dataclass(frozen=True)
class Engine:
    """A name and the options that load best there."""

    label: str
    options: ExportOptions


def _engine(label: str, *targets: str, **options: object) -> Engine:
    return Engine(label, ExportOptions(targets=targets, **options))  # type: ignore[arg-type]


ENGINES: dict[str, Engine] = {
    "godot": _engine("Godot 4", "godot"),
    # Bilinear filtering and mip maps reach past a frame's edge.
    "unity": _engine("Unity", "unity", padding=4, extrude=1, power_of_two=True),
    "web": _engine("Phaser, PixiJS", "texturepacker"),
    "gamemaker": _engine("GameMaker", "gamemaker", trim=False),
    "defold": _engine("Defold", "defold", extrude=2, padding=4),
    "libgdx": _engine("libGDX", "libgdx", power_of_two=True),
    "love": _engine("LÖVE", "love"),
    "aseprite": _engine("Aseprite", "aseprite"),
    "show": _engine(WORDS["engine_show"], "webp", "gif"),
    "usual": Engine(WORDS["engine_usual"], ExportOptions()),
}
"""By key, in the order of the page. Padding is twice the extrusion at least, so that neighbours never meet."""


def choices() -> list[tuple[str, str]]:
    """(label, key) of every engine."""
    return [(engine.label, key) for key, engine in ENGINES.items()]
