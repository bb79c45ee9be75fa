"""From a rough mask to a fine one: closed-form matting on a narrow trimap, and the figure's own colours at the edge."""

from __future__ import annotations

from typing import Any

import numpy as np

MATTING_SIDE = 448
"""Pixels of the longer side at which the matting system is solved: about a second on one core."""

COLOUR_SIDE = 1024
"""Pixels of the longer side at which the figure's edge colours are estimated."""


def fine_alpha(rgb: np.ndarray, rough: np.ndarray, band: float = 0.012) -> np.ndarray:
    """float32 (H, W) 0..1 from uint8 (H, W, 3) and a rough mask bool (H, W).

    Closed-form matting (Levin, Lischinski, Weiss 2008) at a capped size on a trimap `band` of the longer side wide,
    carried to full resolution by a guided filter (He, Sun 2015) in that same band.
    """
    import cv2
    from pymatting import estimate_alpha_cf, ichol

    height, width = rough.shape
    y, x = np.nonzero(rough)
    if not len(y):
        return rough.astype(np.float32)
    pad = int(0.06 * max(height, width)) + 4
    top, left = max(0, y.min() - pad), max(0, x.min() - pad)
    window = np.s_[top : y.max() + pad, left : x.max() + pad]
    part, mask = rgb[window], rough[window].astype(np.float32)
    small = min(1.0, MATTING_SIDE / max(mask.shape))
    size = (max(8, round(mask.shape[1] * small)), max(8, round(mask.shape[0] * small)))
    little = cv2.resize(part, size, interpolation=cv2.INTER_AREA).astype(np.float64) / 255
    cover = cv2.resize(mask, size, interpolation=cv2.INTER_AREA)
    reach = max(1, round(band * max(size)))
    square = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * reach + 1, 2 * reach + 1))
    sure, possible = cv2.erode(cover, square) > 0.95, cv2.dilate(cover, square) > 0.05
    trimap = np.where(sure, 1.0, np.where(possible, 0.5, 0.0))

    def stable(system: Any) -> Any:
        return ichol(system, shifts=[1e-3, 1e-2, 0.1, 1.0])

    if sure.any() and not possible.all():
        solved = estimate_alpha_cf(little, trimap, preconditioner=stable, laplacian_kwargs={"epsilon": 1e-6})
    else:
        solved = cover.astype(np.float64)
    out = np.zeros((height, width), np.float32)
    fine = _guided(little.astype(np.float32), solved.astype(np.float32), part) if small < 1 else solved
    unknown = cv2.resize((trimap == 0.5).astype(np.float32), (mask.shape[1], mask.shape[0])) > 0
    settled = np.where(cv2.resize(trimap, (mask.shape[1], mask.shape[0])) > 0.5, 1.0, 0.0)
    out[window] = np.where(unknown, np.clip((np.clip(fine, 0, 1) - 0.15) / 0.7, 0, 1), settled)
    return out


def _guided(little: np.ndarray, alpha: np.ndarray, full: np.ndarray) -> np.ndarray:
    """Fast guided upsampling: local linear models `alpha = a . rgb + b` at low resolution, applied at the full one."""
    import cv2

    def mean(values: np.ndarray) -> np.ndarray:
        return cv2.boxFilter(values, -1, (5, 5))

    centre, level = mean(little), mean(alpha)
    covariance = np.empty((*alpha.shape, 3, 3), np.float32)
    for i in range(3):
        for j in range(3):
            covariance[..., i, j] = mean(little[..., i] * little[..., j]) - centre[..., i] * centre[..., j]
    covariance += 1e-4 * np.eye(3, dtype=np.float32)
    cross = np.stack([mean(little[..., i] * alpha) - centre[..., i] * level for i in range(3)], axis=-1)
    slope = np.linalg.solve(covariance, cross[..., None])[..., 0]
    offset = level - (slope * centre).sum(axis=2)
    size = (full.shape[1], full.shape[0])
    slope = cv2.resize(mean(slope.astype(np.float32)), size)
    return (slope * full).sum(axis=2) / 255 + cv2.resize(mean(offset.astype(np.float32)), size)


def figure_colours(rgb: np.ndarray, alpha: np.ndarray) -> np.ndarray:
    """uint8 (H, W, 3): the figure's colours with the background taken out of soft pixels; opaque pixels are untouched.

    Multi-level foreground estimation (Germer et al. 2020).
    """
    import cv2
    from pymatting import estimate_foreground_ml

    soft = (alpha > 0) & (alpha < 1)
    if not soft.any():
        return rgb
    height, width = alpha.shape
    small = min(1.0, COLOUR_SIDE / max(height, width))
    size = (max(1, round(width * small)), max(1, round(height * small)))
    little = cv2.resize(rgb, size, interpolation=cv2.INTER_AREA).astype(np.float64) / 255
    cover = cv2.resize(alpha.astype(np.float64), size, interpolation=cv2.INTER_AREA)
    found = estimate_foreground_ml(little, cover)
    colours = cv2.resize(np.round(np.clip(found * 255, 0, 255)).astype(np.uint8), (width, height))
    return np.where(soft[..., None], colours, rgb)
