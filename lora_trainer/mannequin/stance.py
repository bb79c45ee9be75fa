"""Poses as concept art strikes them, and actions played with a personality."""

from __future__ import annotations

import numpy as np

from pipelines.pose.body import STANDARD, Body, pose_joints
from pipelines.pose.motion import ACTIONS, REST, Style

_SPREAD: dict[str, tuple[float, float]] = {
    "rise": (-0.06, 0.0),
    "sway": (-0.04, 0.04),
    "yaw": (-0.2, 0.2),
    "lean": (-0.06, 0.1),
    "bend": (-0.08, 0.14),
    "twist": (-0.25, 0.25),
    "roll": (-0.07, 0.07),
    "nod": (-0.12, 0.1),
    "cock": (-0.1, 0.1),
    "r_swing": (-0.35, 0.35),
    "r_out": (0.15, 0.75),
    "r_elbow": (0.1, 1.1),
    "r_wrist": (0.6, 1.7),
    "l_swing": (-0.35, 0.35),
    "l_out": (0.15, 0.75),
    "l_elbow": (0.1, 1.1),
    "l_wrist": (0.0, 1.3),
    "r_step": (-0.22, 0.06),
    "l_step": (-0.02, 0.26),
    "r_apart": (0.0, 0.24),
    "l_apart": (0.0, 0.24),
}
"""Ranges of a relaxed A-pose with some life in it, per channel of `motion.REST`."""


def stance(rng: np.random.Generator, body: Body = STANDARD) -> np.ndarray:
    """float32 (1, 21, 3) body axes: a standing pose, arms off the body, legs apart, now and then a weapon held up."""
    pose = dict(REST)
    for channel, (low, high) in _SPREAD.items():
        pose[channel] = float(rng.uniform(low, high))
    # Contrapposto: hips roll one way, the chest the other.
    pose["tilt"] = -pose["roll"] * 1.3
    kind = rng.choice(
        ["relaxed", "mirrored feet", "weapon up", "weapon forward", "hand on hip", "T"],
        p=(0.5, 0.16, 0.12, 0.12, 0.06, 0.04),
    )
    if kind == "mirrored feet":
        pose["r_step"], pose["l_step"] = pose["l_step"], pose["r_step"]
    elif kind == "weapon up":
        pose |= {"r_swing": float(rng.uniform(0.3, 1.0)), "r_elbow": float(rng.uniform(1.2, 1.8)), "r_wrist": 1.1}
    elif kind == "weapon forward":
        pose |= {"r_swing": float(rng.uniform(0.5, 1.3)), "r_elbow": float(rng.uniform(0.1, 0.6)), "r_wrist": 0.5}
    elif kind == "hand on hip":
        pose |= {"l_swing": -0.3, "l_out": 0.75, "l_elbow": 1.5, "l_roll": 1.2}
    elif kind == "T":
        pose |= {"r_out": 1.3, "l_out": 1.3, "r_elbow": 0.1, "l_elbow": 0.1, "r_swing": 0.0, "l_swing": 0.0}
    return pose_joints({name: np.array([value]) for name, value in pose.items()}, body)


def act(rng: np.random.Generator, action: str, frames: int, body: Body = STANDARD) -> np.ndarray:
    """float32 (T, 21, 3): the library's action with this performer's energy, stride, posture and grip.

    Raises KeyError for an action that the library does not have.
    """
    motion = ACTIONS[action]
    style = Style(*(float(rng.uniform(low, high)) for low, high in ((0.75, 1.2), (0.8, 1.15), (0.6, 1.3))))
    channels = motion.channels(motion.times(frames), style)
    calm = 1.0 if motion.settles is None else 0.0  # habits would lift limbs that lie on the ground
    habits = {"bend": 0.06, "nod": 0.07, "r_out": 0.1, "l_out": 0.1, "r_elbow": 0.15, "l_elbow": 0.15, "r_wrist": 0.25}
    for channel, spread in habits.items():
        channels[channel] = channels[channel] + calm * float(rng.normal()) * spread
    for channel in ("r_elbow", "l_elbow"):
        channels[channel] = channels[channel].clip(min=0.03)
    for channel in ("r_apart", "l_apart"):
        channels[channel] = channels[channel] + float(rng.uniform(-0.02, 0.1))
    return pose_joints(channels, body)
