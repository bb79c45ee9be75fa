"""The same pack at several sizes: ``hero.png``, ``hero@2x.png``, ``hero@4x.png`` and their data."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from studio.sprites.errors import ExportError
from studio.sprites.export.registry import Exporter
from studio.sprites.sheet import Action, SheetOptions, build_sheet

MOST = 4
"""Sizes that one export may have; each is a sheet of its own."""


def variant_name(name: str, scale: int) -> str:
    """``hero`` at 1, ``hero@2x`` at 2: the ending by which Pixi and Apple's tools know the resolution."""
    return name if scale == 1 else f"{name}@{scale}x"


def write_variants(
    exporter: Exporter, actions: Sequence[Action], options: SheetOptions, scales: Sequence[int], folder: Path, name: str
) -> list[Path]:
    """Write `actions` once per scale (whole numbers, nearest neighbour), smallest first; options.scale is replaced.

    All sheets are packed before the first file is written, so that one that does not fit leaves nothing behind.
    """
    wanted = sorted(set(scales))
    if not 1 <= len(wanted) <= MOST:
        raise ExportError(f"{len(wanted)} sizes were asked for; choose 1 to {MOST}, for example 1, 2 and 4.")
    sheets = [(scale, build_sheet(actions, replace(options, scale=scale))) for scale in wanted]
    return [path for scale, sheet in sheets for path in exporter.write(sheet, folder, variant_name(name, scale))]
