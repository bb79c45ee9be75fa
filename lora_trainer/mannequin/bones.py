"""Where solids hang: a frame (origin and three axes) for every bone of a posed skeleton."""

from __future__ import annotations

import numpy as np

from pipelines.pose.skeleton import INDEX

BONES = (
    "pelvis",
    "chest",
    "head",
    "l_upper_arm",
    "l_lower_arm",
    "l_hand",
    "r_upper_arm",
    "r_lower_arm",
    "r_hand",
    "l_upper_leg",
    "l_lower_leg",
    "l_foot",
    "r_upper_leg",
    "r_lower_leg",
    "r_foot",
    "weapon",
    "offhand",
    "cape",
    "hem",
    "locks",
)
"""Axes of a trunk bone as the body's: x left, y up, z forward. A limb lies along its own -y from its upper joint.
A weapon or off-hand thing points along -y with its edge towards z; cape, hem and locks (long hair) hang along -y."""
BONE = {name: number for number, name in enumerate(BONES)}

SOLE_DROP = 0.38
"""Ankle to toes falls this much below the sole's direction, radians, because the ankle is high."""

_ARM_REST = (0.0, -0.5, 0.866)
_LEG_REST = (0.0, -0.9, 0.436)


def unit(vector: np.ndarray) -> np.ndarray:
    """Vectors (..., 3) of length one; a zero vector stays zero."""
    return vector / np.maximum(np.linalg.norm(vector, axis=-1, keepdims=True), 1e-9)


def _frame(x_hint: np.ndarray, y: np.ndarray) -> np.ndarray:
    """(T, 3, 3) with axes as columns: y exact, x as near the hint as it can be."""
    y = unit(y)
    x = unit(x_hint - y * (x_hint * y).sum(-1, keepdims=True))
    return np.stack([x, y, np.cross(x, y)], -1)


def _carried(parent: np.ndarray, rest: tuple[float, float, float], direction: np.ndarray) -> np.ndarray:
    """The parent's frame turned the shortest way so that its `rest` direction becomes `direction`, -y along it.

    `rest` is chosen so that the opposite direction, where the turn is undefined, is one no limb takes.
    """
    start = parent @ np.asarray(rest)
    direction = unit(direction)
    axis = np.cross(start, direction)
    cosine = (start * direction).sum(-1)[:, None, None]
    skew = np.zeros((len(axis), 3, 3))
    skew[:, 0, 1], skew[:, 0, 2], skew[:, 1, 2] = -axis[:, 2], axis[:, 1], -axis[:, 0]
    skew -= skew.transpose(0, 2, 1)
    turn = np.eye(3) + skew + skew @ skew / np.maximum(1 + cosine, 1e-3)
    return _frame((turn @ parent)[..., 0], -direction)


def frames_of(joints: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Origins (T, B, 3) and axes (T, B, 3, 3), columns x, y, z, for joints (T, 21, 3) in body axes."""
    joint = {name: joints[:, number].astype(np.float64) for name, number in INDEX.items()}
    origin: dict[str, np.ndarray] = {}
    axes: dict[str, np.ndarray] = {}
    origin["pelvis"], origin["chest"], origin["head"] = joint["pelvis"], joint["chest"], joint["head"]
    axes["pelvis"] = _frame(joint["l_hip"] - joint["r_hip"], joint["chest"] - joint["pelvis"])
    axes["chest"] = _frame(joint["l_shoulder"] - joint["r_shoulder"], joint["neck"] - joint["chest"])
    # Joints do not tell where the face looks: between chest, hips and straight ahead.
    ahead = 0.3 * axes["chest"][..., 2] + 0.3 * axes["pelvis"][..., 2] + np.array([0.0, 0.0, 0.35])
    up = unit(joint["crown"] - joint["head"])
    axes["head"] = _frame(np.cross(up, ahead), up)
    for side in "lr":
        for upper, lower, rest, parent, start, middle, end in (
            (f"{side}_upper_arm", f"{side}_lower_arm", _ARM_REST, "chest", "shoulder", "elbow", "wrist"),
            (f"{side}_upper_leg", f"{side}_lower_leg", _LEG_REST, "pelvis", "hip", "knee", "ankle"),
        ):
            a, b, c = (joint[f"{side}_{name}"] for name in (start, middle, end))
            origin[upper], origin[lower] = a, b
            axes[upper] = _carried(axes[parent], rest, b - a)
            axes[lower] = _carried(axes[parent], rest, c - b)
        origin[f"{side}_hand"], axes[f"{side}_hand"] = joint[f"{side}_wrist"], axes[f"{side}_lower_arm"]
        origin[f"{side}_foot"] = joint[f"{side}_ankle"]
        axes[f"{side}_foot"] = _sole(joint[f"{side}_toe"] - joint[f"{side}_ankle"], axes["pelvis"][..., 0])
    for name, side, tip in (("weapon", "r", "weapon_tip"), ("offhand", "l", "offhand_tip")):
        wrist = joint[f"{side}_wrist"]
        along = unit(joint[tip] - wrist)
        arm = unit(wrist - joint[f"{side}_elbow"]) + 0.05 * axes["chest"][..., 2]
        origin[name], axes[name] = wrist, _frame(np.cross(-along, arm), -along)
    origin["cape"], axes["cape"] = joint["chest"], _frame(axes["chest"][..., 0], -_hang(joint["chest"], axes["chest"]))
    knees = (joint["l_knee"] + joint["r_knee"]) / 2
    origin["hem"] = joint["pelvis"]
    fall = unit(joint["pelvis"] - knees) + 0.4 * axes["pelvis"][..., 1] + 1.5 * _dragged(joint["pelvis"])
    axes["hem"] = _frame(axes["pelvis"][..., 0], fall)
    origin["locks"], axes["locks"] = joint["head"], _frame(axes["head"][..., 0], -_hang(joint["head"], axes["head"]))
    return np.stack([origin[b] for b in BONES], 1), np.stack([axes[b] for b in BONES], 1)


def _sole(toes: np.ndarray, left: np.ndarray) -> np.ndarray:
    """Frame (T, 3, 3) of a foot, its z along the sole."""
    ahead = unit(toes)
    side = unit(left - ahead * (left * ahead).sum(-1, keepdims=True))
    up = np.cross(ahead, side)
    level = np.cos(SOLE_DROP) * ahead + np.sin(SOLE_DROP) * up
    return np.stack([side, np.cross(level, side), level], -1)


def _hang(root: np.ndarray, axes: np.ndarray) -> np.ndarray:
    """Direction (T, 3) in which cloth or hair hangs from `root` (T, 3): down, along the back, dragged by the move."""
    back = -axes[..., 2]
    return unit(np.array([0.0, -0.6, 0.0]) - 0.6 * axes[..., 1] + 0.16 * back - 2.5 * _dragged(root))


def _dragged(root: np.ndarray) -> np.ndarray:
    """Movement (T, 3) a frame, as what hangs there feels it: late, for cloth has weight."""
    if len(root) < 2:
        return np.zeros_like(root)
    now = np.gradient(root, axis=0)
    return 0.6 * now + 0.4 * np.concatenate([now[:1], now[:-1]])
