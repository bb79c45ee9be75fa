"""Skirts and robes: where cloth that hangs from the trunk covers the thighs."""

from __future__ import annotations

import cv2
import numpy as np

from ..pose.skeleton import INDEX
from .bones import Bones
from .strokes import along, thickness


def hem_of(bones: Bones, depth: np.ndarray) -> float:
    """Share of the thighs that a skirt or robe hides, 0 without one.

    Down to its hem the art is unbroken from leg to leg, and around the thighs it is much thicker than the lower legs
    are.
    """
    chains = [bones.chain("l_leg"), bones.chain("r_leg")]
    if min(len(chain) for chain in chains) < 3:
        return 0.0
    (hip, knee, _), (other_hip, other_knee, _) = (bones.xy[list(chain[:3])] for chain in chains)
    leg, thigh = 0.0, 0.0
    for chain in chains:
        top, bend, end = bones.xy[list(chain[:3])]
        leg += max(thickness(depth, along(top, end, 0.5, 0.9), 0.3), 1.0)
        thigh += max(thickness(depth, (top + (bend - top) * share)[None], 0.5) for share in (0.1, 0.25, 0.4))
    if thigh < 1.6 * leg or np.hypot(*(other_hip - hip)) < 0.5 * leg:
        return 0.0
    hem = 0.0
    for share in np.linspace(0.1, 0.94, 22):
        across = along(hip + (knee - hip) * share, other_hip + (other_knee - other_hip) * share, 0, 1, 60)
        column, row = np.floor(across).astype(int).T
        column, row = np.clip(column, 0, depth.shape[1] - 1), np.clip(row, 0, depth.shape[0] - 1)
        if not (depth[row, column] > 0).all():
            break
        hem = float(share)
    return hem


def skirt(bones: Bones, hem: float, shape: tuple[int, ...]) -> np.ndarray:
    """The inside of a skirt, which hangs from the trunk: between the hips and where the thighs come out of it."""
    canvas = np.zeros(shape, np.uint8)
    if hem > 0:
        corners = [bones.xy[INDEX["pelvis"]]]
        for limb in ("l_leg", "r_leg"):
            hip, knee = (bones.xy[number] for number in bones.chain(limb)[:2])
            foot = hip + (knee - hip) * max(0.0, hem - 0.06)
            corners += [hip, foot, foot + 0.5 * (foot - bones.xy[INDEX["pelvis"]]) * (1, 0)]
        hull = cv2.convexHull(np.round(np.array(corners)).astype(np.int32).reshape(-1, 1, 2))
        cv2.fillConvexPoly(canvas, hull, 1)
    return canvas > 0
