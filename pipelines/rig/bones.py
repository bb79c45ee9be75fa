"""Which bones a figure has: its joints made whole, and the chains of joints that limbs bend along."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..pose.skeleton import INDEX, N_JOINTS, PARENT

LIMBS: dict[str, tuple[str, ...]] = {
    "l_arm": ("l_shoulder", "l_elbow", "l_wrist"),
    "r_arm": ("r_shoulder", "r_elbow", "r_wrist"),
    "l_leg": ("l_hip", "l_knee", "l_ankle", "l_toe"),
    "r_leg": ("r_hip", "r_knee", "r_ankle", "r_toe"),
}
"""Joints of each limb from the body outwards."""

TRUNK = ("pelvis", "chest", "neck", "head", "crown")

_HOLDS = {"weapon": ("r_wrist", "weapon_tip"), "offhand": ("l_wrist", "offhand_tip")}


@dataclass(frozen=True)
class Bones:
    """A figure's joints with the trunk always present."""

    xy: np.ndarray
    """float64 (21, 2) art pixels. A joint that does not exist rides on its parent at the parent's place."""
    known: np.ndarray
    """bool (21,). The five joints of the trunk are always known."""
    height: float
    """Body height in art pixels, crown to the lowest opaque row."""

    def chain(self, limb: str) -> tuple[int, ...]:
        """Joint numbers of a limb that exist, from the body outwards; fewer than two: there is no such limb."""
        numbers: list[int] = []
        for name in LIMBS[limb]:
            if not self.known[INDEX[name]]:
                break
            numbers.append(INDEX[name])
        return tuple(numbers)

    def held(self, item: str) -> tuple[int, int] | None:
        """Joint numbers of hand and tip of "weapon" or "offhand", or None."""
        hand, tip = (INDEX[name] for name in _HOLDS[item])
        return (hand, tip) if self.known[hand] and self.known[tip] else None


def _first(*choices: np.ndarray | None) -> np.ndarray:
    return next(choice for choice in choices if choice is not None)


def complete(joints: np.ndarray, box: Sequence[float]) -> Bones:
    """Bones from float (21, 3) joints with confidence; `box` = left, top, right, bottom of the opaque art.

    A missing trunk joint is put where it stands on a plain figure between its neighbours; an elbow or knee that is
    missing between two known joints is put half way; any other joint without confidence does not exist (its part
    joins the parent).
    """
    xy = joints[:, :2].astype(np.float64).copy()
    known = joints[:, 2] > 0
    left, top, right, bottom = box

    def at(name: str) -> np.ndarray | None:
        return xy[INDEX[name]] if known[INDEX[name]] else None

    def between(one: str, two: str, share: float = 0.5) -> np.ndarray | None:
        first, second = at(one), at(two)
        return None if first is None or second is None else first + (second - first) * share

    def put(name: str, *choices: np.ndarray | None) -> None:
        xy[INDEX[name]] = _first(at(name), *choices)
        known[INDEX[name]] = True

    middle = np.array([(left + right) / 2, top])
    down = np.array([0.0, bottom - top])
    put("pelvis", between("l_hip", "r_hip"), middle + down * 0.6)
    put("chest", between("l_shoulder", "r_shoulder"), between("pelvis", "neck", 0.85), middle + down * 0.36)
    put("neck", between("chest", "head", 0.4), middle + down * 0.28)
    put("head", between("neck", "crown"), middle + down * 0.15)
    put("crown", 2 * xy[INDEX["head"]] - xy[INDEX["neck"]])
    for side in "lr":
        for root, bend, end in (("shoulder", "elbow", "wrist"), ("hip", "knee", "ankle")):
            upper, inner, outer = (f"{side}_{name}" for name in (root, bend, end))
            if not known[INDEX[upper]] and known[INDEX[inner]]:
                put(upper, at("chest" if root == "shoulder" else "pelvis"))
            half = between(upper, outer)
            if half is not None:
                put(inner, half)
    for number in range(N_JOINTS):
        parent = PARENT[number]
        if not known[number] and parent >= 0:
            xy[number] = xy[parent]
    return Bones(xy, known, float(max(bottom - xy[INDEX["crown"], 1], 0.5 * (bottom - top), 1.0)))
