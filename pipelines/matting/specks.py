"""Dust and crumbs: pieces far too small to be a part of the figure."""

from __future__ import annotations

import numpy as np

SPECK_SHARE = 0.01
"""Pieces below this share of the largest go, unless they nearly touch it; floating hands are bigger."""

NEAR_SHARE = 0.02
"""A small piece closer than this share of the picture's longer side belongs to the figure: sparks, buttons, hair."""


def keep_largest(alpha: np.ndarray, share: float = SPECK_SHARE) -> tuple[np.ndarray, int]:
    """Alpha uint8 (H, W) without far specks, and how many visible ones went.

    Detached parts bigger than `share` of the figure stay.
    """
    import cv2

    solid = (alpha > 16).astype(np.uint8)
    count, labels, stats, _ = cv2.connectedComponentsWithStats(solid, connectivity=8)
    if count <= 2:
        return alpha, 0
    areas = stats[:, cv2.CC_STAT_AREA].copy()
    areas[0] = 0
    kept = areas >= share * areas.max()
    reach = max(2.0, NEAR_SHARE * max(alpha.shape))
    far = cv2.distanceTransform((~kept[labels]).astype(np.uint8), cv2.DIST_L2, 3) > reach
    near = np.bincount(labels.ravel(), weights=(~far).ravel(), minlength=count) > 0
    # Near crumbs must be more than grain to stay.
    kept |= near & (areas >= max(4, 2e-4 * areas.max()))
    kept[0] = True
    return np.where(kept[labels], alpha, 0).astype(np.uint8), int((~kept[1:] & (areas[1:] >= 16)).sum())
