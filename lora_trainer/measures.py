"""How far two clips are apart, how much they move, and how near their colours are to the art's."""

from __future__ import annotations

import numpy as np
from scipy.spatial import cKDTree


def distance(a: np.ndarray, b: np.ndarray) -> float:
    """Mean absolute difference of two clips uint8 (T, H, W, 4), premultiplied, over the union of their silhouettes."""
    union = (a[..., 3] > 0) | (b[..., 3] > 0)
    return float(np.abs(premultiplied(a) - premultiplied(b)).mean(axis=-1)[union].mean()) if union.any() else 0.0


def motion_energy(frames: np.ndarray) -> float:
    """Mean absolute change between neighbouring frames, 0..255, over the whole clip's silhouette; 0 for a still."""
    union = (frames[..., 3] > 0).any(axis=0)
    if len(frames) < 2 or not union.any():
        return 0.0
    return float(np.abs(np.diff(premultiplied(frames), axis=0)).mean(axis=-1)[:, union].mean())


def psnr(a: np.ndarray, b: np.ndarray) -> float:
    """Peak signal-to-noise ratio in dB of premultiplied RGBA over the whole cell; 100 when they are equal."""
    error = float(((premultiplied(a) - premultiplied(b)) ** 2).mean())
    return min(100.0, float(10 * np.log10(255.0**2 / error))) if error > 0 else 100.0


def palette_distance(art: np.ndarray, frames: np.ndarray) -> float:
    """Chamfer distance in OKLab between the opaque colours of art (H, W, 4) and of frames (T, H, W, 4).

    Half of it grows with colours that the art does not have (haze, 3D look: R29), half with colours that were lost.
    """
    own, drawn = (_colours(picture) for picture in (art, frames))
    if not len(own) or not len(drawn):
        return 1.0
    foreign, lost = cKDTree(own).query(drawn)[0].mean(), cKDTree(drawn).query(own)[0].mean()
    return float(foreign + lost) / 2


def _colours(pixels: np.ndarray, most: int = 4096) -> np.ndarray:
    """Up to `most` OKLab colours (N, 3) of the opaque pixels, evenly taken."""
    flat = pixels.reshape(-1, 4)
    flat = flat[flat[:, 3] > 250]
    return oklab(flat[:: max(1, -(-len(flat) // most)), :3])


def oklab(rgb: np.ndarray) -> np.ndarray:
    """uint8 sRGB (..., 3) to OKLab, float64: L 0..1, a and b about -0.4..0.4 (Ottosson 2020)."""
    srgb = np.asarray(rgb, dtype=np.float64) / 255
    linear = np.where(srgb <= 0.04045, srgb / 12.92, ((srgb + 0.055) / 1.055) ** 2.4)
    cones = linear @ np.array(
        [
            [0.4122214708, 0.2119034982, 0.0883024619],
            [0.5363325363, 0.6806995451, 0.2817188376],
            [0.0514459929, 0.1073969566, 0.6299787005],
        ]
    )
    return np.cbrt(cones) @ np.array(
        [
            [0.2104542553, 1.9779984951, 0.0259040371],
            [0.7936177850, -2.4285922050, 0.7827717662],
            [-0.0040720468, 0.4505937099, -0.8086757660],
        ]
    )


def premultiplied(frames: np.ndarray) -> np.ndarray:
    """uint8 (..., 4) straight to float32 (..., 4) premultiplied, 0..255."""
    out = frames.astype(np.float32)
    out[..., :3] *= out[..., 3:] / 255
    return out
