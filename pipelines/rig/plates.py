"""Shoulder plates: what is drawn closed over a shoulder and turns only half as far as the arm under it."""

from __future__ import annotations

import cv2
import numpy as np

from ..pose.skeleton import INDEX
from .bones import LIMBS, Bones
from .cels import Cels, borders, strips

LONGEST = 0.85
"""Share of the upper arm that a plate may cover; beyond it, it is a sleeve and bends with the arm."""

WIDER = 1.15
"""How much wider than the arm below it a plate is at least."""


def plates_of(arms: dict[str, np.ndarray], cels: Cels, bones: Bones) -> dict[str, np.ndarray]:
    """Masks bool (H, W) of "l_plate" and "r_plate" inside the arms' masks (by limb); those that exist."""
    out: dict[str, np.ndarray] = {}
    for limb in ("l_arm", "r_arm"):
        chain = bones.chain(limb)
        if len(chain) < 3 or limb not in arms:
            continue
        mask = _plate(arms[limb], cels, bones.xy[list(chain)])
        if mask is not None:
            out[f"{limb[0]}_plate"] = mask
    return out


def _plate(arm: np.ndarray, cels: Cels, points: np.ndarray) -> np.ndarray | None:
    shoulder, elbow = points[:2]
    upper = elbow - shoulder
    length = max(float(np.hypot(*upper)), 1e-6)
    along, across = upper / length, np.array([-upper[1], upper[0]]) / length
    inside = arm & cels.plain
    rows, columns = np.nonzero(inside)
    if not len(rows):
        return None
    spots = np.stack([columns, rows], -1) - shoulder
    # The largest closed area about the upper half of the bone.
    near = (np.abs(spots @ along - 0.2 * length) < 0.35 * length) & (np.abs(spots @ across) < 0.35 * length)
    if not near.any():
        return None
    main = int(np.bincount(cels.number[inside][near]).argmax())
    here = cels.number[inside] == main
    if here.sum() < 0.9 * (cels.number == main)[cels.plain].sum():
        return None  # it goes on into the trunk
    if np.quantile(spots[here] @ along, 0.97) > LONGEST * length or here.sum() > 0.5 * len(rows):
        return None
    reach, arm_beyond = spots @ along, spots @ across
    lower = (reach > length) & (reach < 1.5 * length)
    if not lower.any() or np.ptp(arm_beyond[here]) < WIDER * 2 * np.quantile(np.abs(arm_beyond[lower]), 0.5):
        return None
    members = [main, *(cel for cel, owners in strips(cels).items() if main in owners)]
    shared = borders(cels.number)
    enclosed = shared[:, main] > 0.6 * np.maximum(shared.sum(1), 1)
    members += [int(cel) for cel in np.nonzero(enclosed)[0] if cel > 0]
    mask = np.isin(cels.number, members) & arm
    _, pieces = cv2.connectedComponents(mask.astype(np.uint8))
    kept = pieces[inside & (cels.number == main)]
    return mask & (pieces == np.bincount(kept).argmax())


def shoulder_of(plate: str) -> tuple[int, int]:
    """Joint numbers of shoulder and elbow of a plate's arm."""
    root, bend = LIMBS[f"{plate[0]}_arm"][:2]
    return INDEX[root], INDEX[bend]
