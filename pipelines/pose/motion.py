"""Hand-keyed actions played by forward kinematics on any body.

An action is a small table of key poses (what an animator draws) over a time of 0..1. Smooth curves run through
the keys; legs are solved from where the feet stand (two-bone inverse kinematics), so that planted feet stay planted
on every body.
Principles after Thomas and Johnston, "The Illusion of Life", and Williams, "The Animator's Survival Kit".
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from scipy.interpolate import PchipInterpolator

from .body import STANDARD, Body, pose_joints

Pose = Mapping[str, float]
"""Channel name to value; angles in radians, root and feet in leg lengths. Channels: see `REST`."""

REST: dict[str, float] = {
    # root: pelvis shift to the left, up, forward; then its turn to the left, lean forward, roll towards the left
    "sway": 0.0,
    "rise": -0.02,
    "travel": 0.0,
    "yaw": 0.0,
    "lean": 0.02,
    "roll": 0.0,
    # the whole body, feet and all, turned to the left about the middle of the stance
    "spin": 0.0,
    # chest on pelvis: bend forward, twist to the left, tilt; head on chest: nod forward, turn to the left, cock
    "bend": 0.04,
    "twist": 0.0,
    "tilt": 0.0,
    "nod": 0.0,
    "turn": 0.0,
    "cock": 0.0,
    # arms: swing forward, lift out sideways, roll of the upper arm, elbow, and the held thing against the forearm
    "r_swing": -0.08,
    "r_out": 0.22,
    "r_roll": 0.0,
    "r_elbow": 0.5,
    "r_wrist": 0.95,
    "l_swing": 0.0,
    "l_out": 0.22,
    "l_roll": 0.0,
    "l_elbow": 0.5,
    "l_wrist": 1.1,
    # feet: forward, outwards, height of the lowest point, pitch (above 0: heel up, pivot on the toes; below: toes up)
    "r_step": -0.12,
    "r_apart": 0.04,
    "r_lift": 0.0,
    "r_pitch": 0.0,
    "l_step": 0.14,
    "l_apart": 0.04,
    "l_lift": 0.0,
    "l_pitch": 0.0,
}
"""The relaxed stance that every action which is not a loop begins and ends in, and the list of all channels."""

STRIDE_CHANNELS = frozenset({"l_step", "r_step", "travel"})

DEEPEST = -0.46
"""How far energy may press the pelvis down, in leg lengths."""


@dataclass(frozen=True)
class Style:
    """How an action is played; 1 everywhere is as keyed."""

    energy: float = 1.0
    """Size of the movement, about 0.3 (tired) to 1.6 (exaggerated)."""
    stride: float = 1.0
    """Length of steps, about 0.5 to 1.4."""
    anticipation: float = 1.0
    """Size of the wind-up before the main move, 0 (none) to 1.6."""


@dataclass(frozen=True)
class Motion:
    """One action. `keys` are (time 0..1, sparse pose) in order; a channel that a key leaves out runs through it."""

    name: str
    title: str
    loop: bool
    frames: int
    """Frames that show it well; any number can be asked for."""
    fps: float
    phases: Mapping[str, float]
    """Named key times, 0..1: "contact", "hit", "apex"..."""
    keys: tuple[tuple[float, Pose], ...]
    stance: Pose = field(default_factory=lambda: dict(REST))
    """What a channel holds that no key names; actions that are not loops start here."""
    windup: tuple[float, float] | None = None
    """Time from..to of the anticipation, which `Style.anticipation` scales."""
    settles: float | None = None
    """Time from which energy no longer counts (a fall ends on the ground however wild it was)."""
    lag: Mapping[str, float] = field(default_factory=dict)
    """Channels that drag behind, by how much time: the head, a hand, a held thing (overlapping action)."""

    def times(self, frames: int) -> np.ndarray:
        """float64 (T,) in 0..1; a loop leaves out its end, which is its start."""
        if frames < 1:
            raise ValueError(f"an action needs at least one frame, got {frames}")
        return np.arange(frames) / (frames if self.loop else max(frames - 1, 1))

    def channels(self, times: np.ndarray, style: Style = Style()) -> dict[str, np.ndarray]:
        """Every channel of `REST` at the given times, each float64 (T,)."""
        return {name: self._channel(name, times, style) for name in REST}

    def _channel(self, name: str, times: np.ndarray, style: Style) -> np.ndarray:
        rest = self.stance.get(name, REST[name])
        keyed = [(time, pose[name]) for time, pose in self.keys if name in pose]
        if not keyed:
            return np.full(len(times), rest)
        lag = self.lag.get(name, 0.0)
        if self.loop:
            spots, values = np.array(keyed).T
            # One more turn on both sides makes the curve and its slope periodic.
            tiled = np.concatenate([spots - 1, spots, spots + 1])
            curve = PchipInterpolator(tiled, np.tile(values, 3))
            moved = curve((times - lag) % 1.0)
            rest = float(curve(np.linspace(0, 1, 48, endpoint=False)).mean())
        else:
            if keyed[0][0] > 0:
                keyed.insert(0, (0.0, rest))
            # Held beyond both ends, so that the move eases out of the stance and into its last pose.
            spots, values = np.array([(keyed[0][0] - 0.2, keyed[0][1]), *keyed, (1.2, keyed[-1][1])]).T
            moved = PchipInterpolator(spots, values)(times - lag * np.sin(np.pi * times))
        scaled = rest + (moved - rest) * self._gain(name, times, style)
        # However wild, nobody crouches deeper than the knees allow, unless the action lies down.
        return np.maximum(scaled, np.minimum(moved, DEEPEST)) if name == "rise" else scaled

    def _gain(self, name: str, times: np.ndarray, style: Style) -> np.ndarray:
        if name == "spin":
            return np.ones(len(times))  # however tired, a full turn is a full turn
        gain = np.full(len(times), style.stride if name in STRIDE_CHANNELS else style.energy)
        if self.windup is not None:
            start, stop = self.windup
            inside = np.clip((times - start) / (stop - start), 0, 1)
            gain = gain * (1 + (style.anticipation - 1) * np.sin(np.pi * inside) ** 2)
        if self.settles is not None:
            ease = np.clip(times / self.settles, 0, 1)
            gain = gain + (1 - gain) * ease * ease * (3 - 2 * ease)
        return gain

    def joints(self, frames: int, style: Style = Style(), body: Body = STANDARD) -> np.ndarray:
        """float32 (T, 21, 3) in body axes: x left, y up, z forward, in body heights, ground at y=0."""
        return pose_joints(self.channels(self.times(frames), style), body)


Keys = tuple[tuple[float, Pose], ...]


def alternate(limbs: Keys, trunk: Keys) -> Keys:
    """Keys of a gait: right limbs as given, left limbs half a cycle later, and the trunk's own keys."""
    merged: dict[float, dict[str, float]] = {}
    for time, pose in (*limbs, *trunk):
        merged.setdefault(time, {}).update(pose)
    for time, pose in limbs:
        later = round((time + 0.5) % 1.0, 6)
        mirrored = {"l" + name[1:]: value for name, value in pose.items() if name.startswith("r_")}
        merged.setdefault(later, {}).update(mirrored)
    return tuple(sorted(merged.items()))


def __getattr__(name: str) -> Any:
    # The families import this module, so the table of all actions is put together on first use.
    if name == "ACTIONS":
        from .library import ACTIONS

        return ACTIONS
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
