"""Variants of one drawing: second player, ice and fire enemy, the same hero in another team's coat."""

import numpy as np

from studio.sprites.errors import PaletteError
from studio.sprites.frames import Frames, checked
from studio.sprites.oklab import from_oklab, to_oklab
from studio.sprites.palette import Palette


def recoloured(frames: Frames, old: Palette, new: Palette, reach: float = 0.0) -> Frames:
    """``(T, H, W, 4)`` with ``old[i]`` drawn as ``new[i]`` (both ``(N, 3)``); alpha and other colours stay.

    `reach` is an OKLab distance: colours that close to an old one, such as the shading of painted art, move by as
    much as it does, less towards the rim, so gradients stay smooth. 0 exchanges exact colours, for pixel art.
    """
    checked(frames)
    if old.shape != new.shape or old.ndim != 2 or old.shape[1:] != (3,) or len(old) == 0:
        raise PaletteError(
            f"{len(old)} old and {len(new)} new colours do not pair up; give one new colour per old one."
        )
    if reach < 0:
        raise PaletteError(f"A reach of {reach} is not a distance; use 0 (exact) to about 0.2.")
    seen = frames[..., 3] > 0
    rgb, inverse = np.unique(frames[seen][:, :3], axis=0, return_inverse=True)
    lab, source, target = to_oklab(rgb), to_oklab(old), to_oklab(new)
    table = rgb.copy()
    gap = np.sqrt(((lab[:, None] - source[None]) ** 2).sum(axis=2))  # (colours, N)
    near = gap.argmin(axis=1)
    distance = gap[np.arange(len(rgb)), near]
    if reach > 0:
        share = np.clip(1.0 - (distance / reach) ** 2, 0.0, 1.0)[:, None]
        moved = from_oklab(lab + share * (target - source)[near])
        table = np.where(share > 0, moved, rgb)
    exact = distance < 1e-9
    table[exact] = new[near[exact]]
    out = frames.copy()
    out[seen, :3] = table[inverse.reshape(-1)]
    return out


def shifted(palette: Palette, hue: float = 0.0, chroma: float = 1.0, light: float = 0.0) -> Palette:
    """`palette` ``(N, 3)`` turned by `hue` degrees, its colour strength times `chroma`, its lightness plus `light`.

    In OKLab, so a turned red stays as light as it was and shading keeps its order. Greys do not take on colour.
    """
    lab = to_oklab(palette)
    turn = np.deg2rad(hue)
    a, b = lab[..., 1].copy(), lab[..., 2].copy()
    lab[..., 1] = chroma * (np.cos(turn) * a - np.sin(turn) * b)
    lab[..., 2] = chroma * (np.sin(turn) * a + np.cos(turn) * b)
    lab[..., 0] = np.clip(lab[..., 0] + light, 0.0, 1.0)
    return from_oklab(lab)


def turned(frames: Frames, hue: float) -> Frames:
    """``(T, H, W, 4)`` with every colour turned by `hue` degrees, as `shifted` turns a palette; alpha stays."""
    checked(frames)
    seen = frames[..., 3] > 0
    rgb, inverse = np.unique(frames[seen][:, :3], axis=0, return_inverse=True)
    out = frames.copy()
    out[seen, :3] = shifted(rgb, hue)[inverse.reshape(-1)]
    return out
