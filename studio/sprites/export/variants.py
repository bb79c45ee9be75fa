"""The same pack at several sizes and in several colours: ``hero.png``, ``hero@2x.png``, ``hero_hue120.png``."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from studio.sprites.canvas import resized
from studio.sprites.errors import ExportError
from studio.sprites.recolour import turned
from studio.sprites.sheet import Action, Sheet, SheetOptions, build_sheet

MOST = 12
"""Packs that one export may have; each is a sheet of its own."""


def variant_name(name: str, size: float, hue: int = 0) -> str:
    """``hero@2x``, ``hero@0.5x``: the ending by which Pixi and Apple's tools know the resolution."""
    coloured = f"{name}_hue{hue}" if hue else name
    return coloured if size == 1 else f"{coloured}@{size:g}x"


def variants(
    actions: Sequence[Action],
    options: SheetOptions,
    sizes: Sequence[float] = (),
    hues: Sequence[int] = (),
    pixel_art: bool = False,
    name: str = "hero",
) -> dict[str, Sheet]:
    """Sheets by name: `name` itself as `options` say, then every further size (0.5, or whole numbers) and hue.

    Whole sizes repeat pixels; half is resampled, by nearest neighbour for pixel art. All sheets are packed before the
    first file is written, so that one that does not fit leaves nothing behind. Raises ExportError or SheetError.
    """
    colours = (0, *sorted(set(hues)))
    more = [size for size in sorted(set(sizes)) if size != options.scale]
    named: list[tuple[str, float, int]] = [(variant_name(name, 1, hue), options.scale, hue) for hue in colours]
    named += [(variant_name(name, size, hue), size, hue) for hue in colours for size in more]
    if len(named) > MOST:
        raise ExportError(f"{len(named)} packs were asked for, {MOST} are the most; choose fewer sizes or colours.")
    out = {}
    for title, size, hue in named:
        drawn = [replace(a, frames=turned(a.frames, hue)) for a in actions] if hue else actions
        drawn = [halved(action, pixel_art) for action in drawn] if size == 0.5 else drawn
        out[title] = build_sheet(drawn, replace(options, scale=max(int(size), 1)))
    return out


def halved(action: Action, pixel_art: bool = False) -> Action:
    """`action` at half its size, with pivot and marks; an odd side gets one empty px more first."""
    height, width = action.frames.shape[1:3]
    even = np.pad(action.frames, ((0, 0), (0, height % 2), (0, width % 2), (0, 0)))
    pivot = (action.pivot[0] / 2, action.pivot[1] / 2)
    return replace(
        action,
        frames=resized(even, 0.5, pixel_art),
        pivot=pivot,
        marks=action.marks and action.marks.halved(),
    )
