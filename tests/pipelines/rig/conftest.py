"""A doll drawn on the spot: outlined, one colour per part, arms down, facing right, with a sword."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from pipelines.figure import Figure
from pipelines.pose.skeleton import INDEX, N_JOINTS

SPOTS = {
    "pelvis": (120, 150), "chest": (120, 92), "neck": (120, 78), "head": (120, 52), "crown": (120, 26),
    "l_shoulder": (142, 92), "l_elbow": (158, 122), "l_wrist": (164, 152),
    "r_shoulder": (98, 92), "r_elbow": (78, 122), "r_wrist": (66, 152),
    "l_hip": (130, 154), "l_knee": (133, 190), "l_ankle": (134, 222),
    "r_hip": (110, 154), "r_knee": (106, 190), "r_ankle": (104, 222),
    "l_toe": (152, 232), "r_toe": (122, 232), "weapon_tip": (18, 190),
}  # fmt: skip

COLOURS = {
    "l_arm": (60, 90, 160), "r_arm": (110, 150, 230), "l_leg": (90, 60, 40), "r_leg": (150, 110, 70),
    "torso": (200, 60, 60), "head": (240, 200, 170), "weapon": (190, 200, 210),
}  # fmt: skip


def doll(without: tuple[str, ...] = (), scale: float = 1.0, pixel_art: bool = False) -> Figure:
    size = round(256 * scale)
    art = np.zeros((size, size, 4), np.uint8)
    soft = cv2.LINE_8 if pixel_art else cv2.LINE_AA

    def limb(names: tuple[str, ...], colour: tuple[int, int, int], width: float) -> None:
        path = np.array([SPOTS[name] for name in names], float) * scale
        for extra, paint in ((5, (20, 16, 30)), (0, colour)):
            points = np.round(path * 16).astype(np.int32).reshape(-1, 1, 2)
            cv2.polylines(art, [points], False, (*paint, 255), max(1, round((width + extra) * scale)), soft, 4)

    limb(("l_shoulder", "l_elbow", "l_wrist"), COLOURS["l_arm"], 13)
    limb(("l_hip", "l_knee", "l_ankle", "l_toe"), COLOURS["l_leg"], 15)
    limb(("r_hip", "r_knee", "r_ankle", "r_toe"), COLOURS["r_leg"], 15)
    limb(("chest", "pelvis"), COLOURS["torso"], 38)
    limb(("neck", "chest"), COLOURS["head"], 14)
    limb(("head", "head"), COLOURS["head"], 46)
    if "weapon_tip" not in without:
        limb(("r_wrist", "weapon_tip"), COLOURS["weapon"], 6)
    if "r_shoulder" not in without:
        limb(("r_shoulder", "r_elbow", "r_wrist"), COLOURS["r_arm"], 14)
    if pixel_art:
        art[..., 3] = np.where(art[..., 3] > 127, 255, 0)
    else:
        # cv2 blends towards transparent black: make the colours straight again.
        alpha = np.maximum(art[..., 3:].astype(float) / 255, 1e-6)
        art[..., :3] = np.clip(art[..., :3] / alpha, 0, 255)
    art[art[..., 3] == 0] = 0
    joints = np.zeros((N_JOINTS, 3), np.float32)
    for name, (x, y) in SPOTS.items():
        if name not in without:
            joints[INDEX[name]] = (x * scale, y * scale, 1)
    return Figure(art, joints, "right", pixel_art=pixel_art, weapon="sword")


@pytest.fixture(scope="session")
def figure() -> Figure:
    return doll()
