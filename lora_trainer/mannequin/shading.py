"""From surfaces to paint: light, bands, rim, patterns that stick to the body, brush marks, palettes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from .solid import Material

_PATTERN = {
    name: number for number, name in enumerate(("plain", "stripes", "rings", "checks", "dots", "noise", "fade"))
}


@dataclass(frozen=True)
class Shading:
    """How a character is painted."""

    light: tuple[float, float, float] = (-0.4, 0.6, 0.7)
    """Direction to the light: x right, y up, z towards the viewer; unit length."""
    ambient: float = 0.55
    """Share of the colour left in shadow, 0..1."""
    bands: int = 0
    """Steps of a toon ramp; 0 is soft, 1 is flat colour."""
    tint: tuple[float, float, float] = (1.0, 1.0, 1.0)
    """Colour of shadows."""
    rim: float = 0.0
    """Strength of the light along the edge, 0..1."""
    outline: float = 1.0
    """Width in pixels of the finished frame; 0 for none."""
    line: tuple[float, float, float] | None = (0.05, 0.04, 0.08)
    """Colour of the line; None darkens the colour it borders."""
    inner: float = 0.05
    """Depth, in body heights, at which a part stands off with a line of its own."""
    grain: float = 0.0
    """Fine texture, 0..1."""
    brush: float = 0.0
    """How far brush marks bend the light, 0..1."""
    antialias: bool = True
    """False: one sample per pixel and hard alpha, as pixel art."""
    levels: int = 0
    """Steps per colour channel of a small palette; 0 for all colours."""


def sample_shading(rng: np.random.Generator) -> Shading:
    """A random manner: flat, toon, soft, painterly or pixel art."""
    light = rng.normal(size=3) * (1, 0.6, 0.4) + (0, 0.7, 0.8)
    light[2] = max(light[2], 0.25)
    light /= np.linalg.norm(light)
    manner = rng.choice(["flat", "toon", "soft", "painterly", "pixel"], p=(0.12, 0.34, 0.2, 0.14, 0.2))
    hue = rng.random(3) * (0.18 if rng.random() < 0.88 else 0.7)
    return Shading(
        light=(float(light[0]), float(light[1]), float(light[2])),
        ambient=float(rng.uniform(0.4, 0.75)),
        bands={"flat": 1, "toon": int(rng.integers(2, 5)), "pixel": int(rng.integers(1, 5))}.get(str(manner), 0),
        tint=(1.0, 1.0, 1.0)
        if rng.random() < 0.5
        else (float(rng.uniform(0.75, 1)), 0.9, float(rng.uniform(0.9, 1.15))),
        rim=float(rng.uniform(0.2, 0.6)) if rng.random() < 0.25 else 0.0,
        outline=float(rng.choice([0, 1, 1, 1.5, 2], p=(0.28, 0.3, 0.12, 0.15, 0.15))),
        line=None if rng.random() < 0.25 else (float(hue[0]), float(hue[1]), float(hue[2])),
        inner=float(rng.uniform(0.02, 0.12)),
        grain=float(rng.uniform(0.1, 0.4)) if manner == "painterly" or rng.random() < 0.1 else 0.0,
        brush=float(rng.uniform(0.2, 0.7)) if manner == "painterly" else 0.0,
        antialias=manner != "pixel",
        levels=int(rng.integers(4, 8)) if manner == "pixel" and rng.random() < 0.6 else 0,
    )


def _noise(place: np.ndarray) -> np.ndarray:
    """Smooth pseudo-noise (N,) in -1..1 from places (N, 3): a sum of crossed waves, three octaves."""
    total = np.zeros(len(place), np.float32)
    for octave, share in ((1.0, 0.55), (2.3, 0.3), (5.1, 0.15)):
        x, y, z = (place * octave).T
        total += share * np.sin(x + 1.7 * np.sin(y * 1.3 + octave)) * np.sin(y + 1.5 * np.sin(z * 1.1)) * 1.3
        total += share * 0.4 * np.sin(z * 1.7 + x)
    return total.clip(-1, 1)


def _mix(material: np.ndarray, place: np.ndarray, patterns: np.ndarray, scales: np.ndarray) -> np.ndarray:
    """Share (N,) of the second colour at each surface point."""
    kind = patterns[material]
    share = np.zeros(len(material), np.float32)
    if not kind.any():
        return share
    x, y, z = (place / scales[material][:, None]).T
    for name, value in (
        ("stripes", lambda i: np.sin((x[i] + z[i]) * np.pi) > 0.2),
        ("rings", lambda i: np.sin(y[i] * np.pi) > 0.25),
        ("checks", lambda i: (np.floor(x[i]) + np.floor(y[i]) + np.floor(z[i])) % 2),
        ("dots", lambda i: np.sin(x[i] * np.pi) * np.sin(y[i] * np.pi) * np.sin(z[i] * np.pi + 1) > 0.3),
        ("noise", lambda i: 0.5 + 0.5 * _noise(place[i] / scales[material[i]][:, None] * 2)),
        ("fade", lambda i: (0.5 - y[i] * 0.2).clip(0, 1)),
    ):
        chosen = kind == _PATTERN[name]
        if chosen.any():
            share[chosen] = value(chosen)
    return share


def shade(
    normal: np.ndarray, material: np.ndarray, place: np.ndarray, materials: Sequence[Material], style: Shading
) -> np.ndarray:
    """float32 (N, 3) colours 0..1 of surface points.

    `normal` (N, 3) unit, x right, y up, z to the viewer; `material` (N,) numbers; `place` (N, 3) on its own bone.
    """
    colour = np.array([m.colour for m in materials], np.float32)[material]
    second = np.array([m.second for m in materials], np.float32)[material]
    patterns = np.array([_PATTERN[m.pattern] for m in materials])
    scales = np.array([m.scale for m in materials], np.float32)
    share = _mix(material, place, patterns, scales)
    colour = colour + (second - colour) * share[:, None]
    if style.grain:
        colour = colour * (1 + style.grain * 0.6 * _noise(place * 160)[:, None])
    lit = normal @ np.array(style.light, np.float32)
    if style.brush:
        lit = lit + style.brush * 0.8 * _noise(place * 55 + material[:, None])
    lit = lit.clip(0, 1)
    if style.bands == 1:
        lit = np.full_like(lit, 0.8)
    elif style.bands:
        lit = np.floor(lit * style.bands * 0.999 + 0.35) / style.bands
    shadow = style.ambient * np.array(style.tint, np.float32)
    light = shadow + (1 - shadow) * lit[:, None] * 1.1
    glow = np.array([m.glow for m in materials], np.float32)[material][:, None]
    painted = colour * (light + (1 - light) * glow)
    gloss = np.array([m.gloss for m in materials], np.float32)[material]
    if gloss.any():
        half = np.array(style.light, np.float32) + np.array((0, 0, 1), np.float32)
        shine = (normal @ (half / np.linalg.norm(half))).clip(0, 1) ** 18
        painted = painted + (gloss * (shine > 0.5 if style.bands else shine))[:, None] * 0.7
    if style.rim:
        edge = (1 - normal[:, 2]).clip(0, 1) ** 2.5
        painted = painted + style.rim * (edge > 0.35 if style.bands else edge)[:, None] * (0.9, 0.95, 1.0)
    if style.levels:
        steps = style.levels - 1
        painted = np.round(painted.clip(0, 1) * steps) / steps
    return painted.clip(0, 1).astype(np.float32)
