"""The one skeleton that every stage speaks: 21 joints, left and right of the character, not of the picture.

Axes of a motion: x to the character's left, y up, z forward, lengths in body heights.
Axes of a picture: x right, y down, z towards the viewer, lengths in cells (the square cell is 1 x 1).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

Facing = Literal["right", "left", "front", "back"]
FACINGS: tuple[Facing, ...] = ("right", "left", "front", "back")

JOINTS = (
    "pelvis",
    "chest",  # midway between the shoulders
    "neck",
    "head",  # centre of the skull
    "l_shoulder",
    "l_elbow",
    "l_wrist",
    "r_shoulder",
    "r_elbow",
    "r_wrist",
    "l_hip",
    "l_knee",
    "l_ankle",
    "r_hip",
    "r_knee",
    "r_ankle",
    "l_toe",
    "r_toe",
    "crown",  # top of the skull, without hat or hair
    "weapon_tip",  # held in the right hand
    "offhand_tip",  # shield, bow or second weapon, held in the left hand
)
"""Joint names in array order."""

INDEX = {name: number for number, name in enumerate(JOINTS)}
N_JOINTS = len(JOINTS)

PARENT = (-1, 0, 1, 2, 1, 4, 5, 1, 7, 8, 0, 10, 11, 0, 13, 14, 12, 15, 3, 9, 6)
"""Parent of each joint in array order; the pelvis is the root."""

MIRROR = tuple(
    INDEX[
        name.replace("l_", "r_", 1)
        if name.startswith("l_")
        else name.replace("r_", "l_", 1)
        if name.startswith("r_")
        else name
    ]
    for name in JOINTS
)
"""The joint on the other side of the body. Weapon and off-hand tip keep their own names: they follow their object."""


@dataclass(frozen=True)
class PoseTrack:
    """Joints over time, placed in the cell.

    `joints`: float32 (T, 21, 3); x right and y down in cells, z towards the viewer in cells (only its order matters).
    `confidence`: float32 (T, 21) in 0..1; 0 means the joint does not exist or was not found.
    """

    joints: np.ndarray
    confidence: np.ndarray
    fps: float = 12.0
    loop: bool = False

    def __post_init__(self) -> None:
        if self.joints.ndim != 3 or self.joints.shape[1:] != (N_JOINTS, 3):
            raise ValueError(f"joints must be (T, {N_JOINTS}, 3), got {self.joints.shape}")
        if self.confidence.shape != self.joints.shape[:2]:
            raise ValueError(f"confidence must be {self.joints.shape[:2]}, got {self.confidence.shape}")

    def __len__(self) -> int:
        return len(self.joints)

    def places(self) -> np.ndarray:
        """float32 (T, 21, 2) in cells, x right and y down; NaN for a joint that does not exist."""
        return np.where(self.confidence[..., None] > 0, self.joints[..., :2], np.nan).astype(np.float32)

    def mirrored(self) -> PoseTrack:
        """The same pose seen in a mirror: x flipped, anatomical left and right kept with their limbs.

        A character facing right with its right side near becomes one facing left with its right side near,
        as a flipped drawing does; so joint names stay with the painted limb.
        """
        flipped = self.joints.copy()
        flipped[..., 0] = 1 - flipped[..., 0]
        return replace(self, joints=flipped)
