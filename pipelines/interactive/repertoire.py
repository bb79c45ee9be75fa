"""Every pose that live play needs, fitted to the figure once, so that a frame costs a look-up and not a solver."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from ..figure import Figure, Placement
from ..pose.retarget import fit, rest_track
from ..pose.skeleton import INDEX, PoseTrack

DENSE = 40
"""Poses kept of each action; between them one goes straight."""

TALL = 1.7
"""Metres that a standing figure counts as."""

FASTEST = 3.2
"""Cycles of a gait a second beyond which legs no longer read; faster bodies take longer strides."""

PELVIS, ANKLES = INDEX["pelvis"], [INDEX["l_ankle"], INDEX["r_ankle"]]
FLIGHT = {"walk": 1.0, "run": 1.6}
"""Ground covered by a cycle against what the planted feet sweep: runners fly between steps."""


def attack_of(figure: Figure) -> str:
    """What the attack key plays: a slash with something in the hand, else a punch."""
    return "slash" if figure.joints[INDEX["weapon_tip"], 2] > 0 else "punch"


@dataclass(frozen=True)
class Repertoire:
    """Poses by action and phase, in cells, facing as the art is drawn."""

    tracks: Mapping[str, np.ndarray]
    """float32 (DENSE, 21, 3) an action."""
    loops: Mapping[str, bool]
    seconds: Mapping[str, float]
    """How long one pass of an action takes."""
    strides: Mapping[str, float]
    """Metres of ground that a cycle of a gait covers."""
    confidence: np.ndarray
    """float32 (21,)."""
    attack: str
    metres: float
    """Metres in a cell."""

    def joints(self, action: str, phase: float) -> np.ndarray:
        """float32 (21, 3) at `phase` 0..1 of an action."""
        track, loop = self.tracks[action], self.loops[action]
        at = (phase % 1.0) * DENSE if loop else min(max(phase, 0.0), 1.0) * (DENSE - 1)
        low = min(int(at), DENSE - 1)
        high = (low + 1) % DENSE if loop else min(low + 1, DENSE - 1)
        share = np.float32(at - low)
        return track[low] * (1 - share) + track[high] * share

    def pose(self, joints: np.ndarray) -> PoseTrack:
        """One frame of joints as every drawer takes them."""
        return PoseTrack(joints[None], self.confidence[None])


def learn(figure: Figure, placement: Placement) -> Repertoire:
    """Fits what live play needs to the figure."""
    from ..pose.library import ACTIONS

    attack = attack_of(figure)
    names = ("idle", "walk", "run", "jump", attack, "hurt")
    rest = rest_track(figure, placement)
    metres = TALL / figure.body_share
    tracks: dict[str, np.ndarray] = {}
    strides: dict[str, float] = {}
    for name in names:
        motion = ACTIONS[name]
        joints = fit(motion, figure, placement, DENSE, motion.fps).joints.copy()
        if name in FLIGHT:
            sweep = float(np.ptp(joints[:, ANKLES, 0] - joints[:, PELVIS, 0][:, None], axis=0).mean())
            strides[name] = max(2 * sweep * metres * FLIGHT[name], 0.3)
        if name == "jump":
            # Height is the physics' business: in the air the pelvis stays where it is when standing.
            joints[..., 1] += np.maximum(rest.joints[0, PELVIS, 1] - joints[:, PELVIS, 1], 0)[:, None]
        tracks[name] = joints
    return Repertoire(
        tracks,
        {name: ACTIONS[name].loop for name in names},
        {name: ACTIONS[name].frames / ACTIONS[name].fps for name in names},
        strides,
        rest.confidence[0],
        attack,
        metres,
    )
