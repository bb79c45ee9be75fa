"""Colours a character designer would put together: one scheme per figure, skin, leather, metal, accent."""

from __future__ import annotations

import colorsys
from dataclasses import dataclass

import numpy as np

from .solid import Build, Material

_SKIN = ((0.07, 0.28, 1.0), (0.07, 0.38, 0.95), (0.065, 0.48, 0.8), (0.06, 0.55, 0.6), (0.055, 0.6, 0.42))
_STRANGE_SKIN = (
    (0.28, 0.5, 0.65),
    (0.55, 0.35, 0.8),
    (0.75, 0.3, 0.7),
    (0.0, 0.6, 0.75),
    (0.1, 0.08, 0.93),
    (0.6, 0.2, 0.45),
)
_HAIR = ((0.08, 0.6, 0.25), (0.1, 0.65, 0.85), (0.05, 0.75, 0.6), (0.0, 0.0, 0.12), (0.0, 0.0, 0.9))
_PATTERNS = ("plain", "plain", "plain", "plain", "plain", "stripes", "rings", "checks", "dots", "noise", "fade")


@dataclass(frozen=True)
class Palette:
    """Material numbers by what they are for."""

    skin: int
    hair: int
    main: int
    second: int
    accent: int
    leather: int
    metal: int
    white: int
    dark: int


def _rgb(h: float, s: float, v: float) -> tuple[float, float, float]:
    red, green, blue = colorsys.hsv_to_rgb(h % 1, min(max(s, 0.0), 1.0), min(max(v, 0.03), 1.0))
    return red, green, blue


def sample_material(
    rng: np.random.Generator, hue: float, saturation: float, value: float, gloss: float = 0.0, patterned: bool = True
) -> Material:
    """A material near the given colour; its pattern's second colour is a darker, lighter or shifted sister."""
    h, s, v = hue + rng.normal() * 0.02, saturation * rng.uniform(0.8, 1.15), value * rng.uniform(0.85, 1.1)
    second = (h + rng.choice([0, 0, 0.08, 0.5]), s * rng.uniform(0.4, 1.2), v * rng.choice([0.55, 0.7, 1.35]))
    pattern = _PATTERNS[rng.integers(len(_PATTERNS))] if patterned else "plain"
    return Material(_rgb(h, s, v), _rgb(*second), pattern, float(rng.uniform(0.03, 0.1)), gloss)  # type: ignore[arg-type]


def sample_palette(rng: np.random.Generator, build: Build) -> Palette:
    """Adds one figure's materials to the build."""
    hue = rng.random()
    step = rng.choice([0.5, 0.33, 0.08, 0.12, 0.42])
    bright = rng.uniform(0.35, 0.95)

    def tone(h: float, s: float, v: float, gloss: float = 0.0, patterned: bool = True) -> int:
        return build.material(sample_material(rng, h, s, v, gloss, patterned))

    skins = _SKIN if rng.random() < 0.65 else _STRANGE_SKIN
    hair = _HAIR[rng.integers(len(_HAIR))] if rng.random() < 0.7 else (rng.random(), 0.7, 0.8)
    metal = (0.6, 0.1, rng.uniform(0.55, 0.9)) if rng.random() < 0.7 else (0.12, 0.6, 0.85)
    return Palette(
        skin=tone(*skins[rng.integers(len(skins))], patterned=False),
        hair=tone(*hair, patterned=bool(rng.random() < 0.3)),
        main=tone(hue, rng.uniform(0.35, 0.9), bright),
        second=tone(hue + step, rng.uniform(0.2, 0.8), rng.uniform(0.25, 0.85)),
        accent=tone(hue + rng.choice([0.5, 0.15, 0.6]), rng.uniform(0.6, 1.0), rng.uniform(0.7, 1.0), 0.2),
        leather=tone(0.07 + rng.normal() * 0.02, rng.uniform(0.4, 0.7), rng.uniform(0.2, 0.5), patterned=False),
        metal=tone(*metal, gloss=rng.uniform(0.3, 0.8), patterned=False),
        white=build.material(Material((0.97, 0.97, 0.95), (0.9, 0.9, 0.9), glow=0.5)),
        dark=build.material(Material(_rgb(rng.random(), 0.5, rng.uniform(0.04, 0.2)), (0.1, 0.1, 0.1))),
    )
