"""What is drawn over what, decided once per clip, so that no limb pops from one side to the other."""

from __future__ import annotations

import numpy as np

from ..pose.skeleton import INDEX
from .bones import LIMBS

BEHIND = 0.02
"""Cells: an arm goes behind the body only when it is further away than this on average."""


def _mean_depth(z: np.ndarray, names: tuple[str, ...], known: np.ndarray) -> float:
    numbers = [INDEX[name] for name in names if known[INDEX[name]]]
    return float(np.mean(z[:, numbers])) if numbers else 0.0


def stack(z: np.ndarray, known: np.ndarray, far: str) -> tuple[str, ...]:
    """Layer names from the back to the front for depths `z` float (T, 21), larger is nearer.

    Legs hang behind the trunk, so that belt and tunic cover where they join; the head is in front of it. Arms are in
    front unless clearly behind. `far` ("l", "r" or "") settles what is too close to tell.
    """
    trunk = _mean_depth(z, ("pelvis", "chest"), known)

    def key(limb: str) -> float:
        away = _mean_depth(z, LIMBS[limb], known) - trunk
        return away - (0.004 if far and limb.startswith(far) else 0.0)

    held = {"l_arm": "offhand", "r_arm": "weapon"}
    behind: list[str] = []
    before: list[str] = []
    for arm in sorted(held, key=key):
        # The hand closes over what it holds; the shoulder plate lies on the arm.
        (behind if key(arm) < -BEHIND else before).extend((held[arm], arm, f"{arm[0]}_plate"))
    legs = sorted(("l_leg", "r_leg"), key=key)
    return (*behind, *legs, "torso", "head", *before)
