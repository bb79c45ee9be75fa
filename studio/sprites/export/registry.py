"""The table of exporters: a new target is one file and one row here."""

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

from studio.sprites.errors import ExportError
from studio.sprites.sheet import Sheet

Write = Callable[[Sheet, Path, str], list[Path]]
"""``write(sheet, folder, name)``: creates the folder, writes safely named files, returns them in a fixed order."""


@dataclass(frozen=True)
class Exporter:
    """One row: what the artist sees, and where the function is."""

    key: str
    label: str
    extension: str
    target: str
    """``module:function``, imported on first use."""

    def write(self, sheet: Sheet, folder: Path, name: str) -> list[Path]:
        """Write `sheet` into `folder` (created if missing) as files called after `name`."""
        module, function = self.target.split(":")
        run: Write = getattr(import_module(module), function)
        return run(sheet, folder, name)


def _row(key: str, label: str, extension: str, target: str) -> tuple[str, Exporter]:
    return key, Exporter(key, label, extension, f"studio.sprites.export.{target}")


EXPORTERS: dict[str, Exporter] = dict(
    [
        _row("aseprite", "Aseprite JSON (hash)", ".json", "aseprite:write_hash"),
        _row("aseprite_array", "Aseprite JSON (array)", ".array.json", "aseprite:write_array"),
        _row("texturepacker", "Phaser, Pixi, Paper2D: TexturePacker JSON", ".tp.json", "texturepacker:write"),
        _row("godot", "Godot 4 SpriteFrames", ".tres", "godot:write"),
        _row("unity", "Unity sprites and animation clips", ".png.meta", "unity:write"),
        _row("defold", "Defold, with the TexturePacker extension", ".tpinfo", "defold:write_packed"),
        _row("defold_atlas", "Defold atlas of single pictures", ".atlas", "defold:write_atlas"),
        _row("gamemaker", "GameMaker strips", ".png", "gamemaker:write"),
        _row("libgdx", "libGDX atlas", ".atlas", "gdx:write"),
        _row("love", "LÖVE and Lua table", ".lua", "love:write"),
        _row("webp", "Animated WebP", ".webp", "animated:write_webp"),
        _row("apng", "Animated PNG", ".apng", "animated:write_apng"),
        _row("gif", "GIF", ".gif", "animated:write_gif"),
        _row("webm", "WebM video with alpha", ".webm", "animated:write_webm"),
        _row("frames", "PNG sequence", ".png", "frames:write"),
    ]
)


def exporter(key: str) -> Exporter:
    """The row of that key, else ExportError."""
    if key not in EXPORTERS:
        raise ExportError(f"There is no export called '{key}'; choose one of {', '.join(EXPORTERS)}.")
    return EXPORTERS[key]
