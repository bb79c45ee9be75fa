"""Colours for what the drawing hides: the part's own colours carried on smoothly under whatever lies in front."""

from __future__ import annotations

import cv2
import numpy as np
from scipy.ndimage import distance_transform_edt


def carry_on(colour: np.ndarray, known: np.ndarray, wanted: np.ndarray, crisp: bool) -> np.ndarray:
    """float32 (h, w, 3) with `wanted` pixels filled from `known` ones; others are as given.

    `crisp` takes single colours of the art (pixel art); otherwise colours are diffused by push-pull
    (Gortler et al. 1996, "The Lumigraph").
    """
    if not wanted.any() or not known.any():
        return colour
    out = colour.copy()
    if crisp:
        at = distance_transform_edt(~known, return_distances=False, return_indices=True)
        out[wanted] = colour[at[0][wanted], at[1][wanted]]
    else:
        out[wanted] = push_pull(colour, known.astype(np.float32))[wanted]
    return out


def push_pull(colour: np.ndarray, weight: np.ndarray) -> np.ndarray:
    """float32 (h, w, 3): `colour` where `weight` (h, w) is 1, smoothly continued elsewhere."""
    height, width = weight.shape
    if height <= 2 or width <= 2 or weight.min() > 0:
        mean = (colour * weight[..., None]).sum((0, 1)) / max(float(weight.sum()), 1e-6)
        return np.where(weight[..., None] > 0, colour, mean).astype(np.float32)
    size = ((width + 1) // 2, (height + 1) // 2)
    coarse_weight = cv2.resize(weight, size, interpolation=cv2.INTER_AREA)
    coarse = cv2.resize(colour * weight[..., None], size, interpolation=cv2.INTER_AREA)
    coarse /= np.maximum(coarse_weight, 1e-6)[..., None]
    filled = push_pull(coarse, np.minimum(1, coarse_weight * 4))
    upper = cv2.resize(filled, (width, height), interpolation=cv2.INTER_LINEAR)
    share = np.minimum(weight, 1)[..., None]
    return (colour * share + upper * (1 - share)).astype(np.float32)
