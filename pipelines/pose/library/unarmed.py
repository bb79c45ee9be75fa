"""Fist, foot and throwing hand."""

from __future__ import annotations

import numpy as np

from ..motion import REST, Motion

PUNCH = Motion(
    "punch",
    "Punch",
    loop=False,
    frames=7,
    fps=12,
    phases={"windup": 0.3, "hit": 0.5},
    windup=(0.0, 0.4),
    keys=(
        (0.0, REST),
        (
            0.3,
            {"rise": -0.1, "travel": -0.14, "yaw": -0.3, "twist": -0.45, "lean": 0.04, "turn": 0.6, "r_swing": -0.75}
            | {"r_elbow": 2.0, "r_out": 0.25, "l_swing": 0.75, "l_elbow": 1.7, "l_step": 0.14, "r_wrist": 0.9}
            | {"bend": 0.05},
        ),
        (
            0.5,
            {"rise": -0.13, "travel": 0.2, "yaw": 0.2, "twist": 0.5, "lean": 0.22, "turn": -0.6, "r_swing": 1.5}
            | {"r_elbow": 0.06, "r_out": 0.0, "l_swing": -0.3, "l_elbow": 1.9, "l_step": 0.42, "r_pitch": 0.55}
            | {"r_wrist": 0.5, "bend": 0.14},
        ),
        (0.62, {"travel": 0.21, "r_swing": 1.48, "r_elbow": 0.1, "twist": 0.5, "l_step": 0.42}),
        (1.0, REST),
    ),
)

KICK = Motion(
    "kick",
    "Kick",
    loop=False,
    frames=8,
    fps=12,
    phases={"chamber": 0.42, "hit": 0.57, "return": 0.72},
    windup=(0.0, 0.3),
    keys=(
        (0.0, REST),
        (0.16, {"rise": -0.1, "travel": 0.08, "bend": 0.14, "r_pitch": 0.5, "r_lift": 0.0, "lean": 0.06}),
        # knee up first, then the shin snaps out
        (
            0.42,
            {"rise": -0.01, "travel": 0.1, "lean": -0.16, "bend": 0.16, "r_step": 0.2, "r_lift": 0.6, "r_pitch": 0.6}
            | {"r_swing": -0.5, "l_swing": 0.7, "r_elbow": 1.2, "l_elbow": 1.5},
        ),
        (
            0.57,
            {"rise": 0.0, "travel": 0.14, "lean": -0.5, "bend": 0.12, "r_step": 1.15, "r_lift": 1.05, "r_pitch": -0.9}
            | {"r_swing": -0.9, "l_swing": 0.25, "r_elbow": 0.8, "l_elbow": 1.2, "nod": 0.2, "yaw": 0.2},
        ),
        (0.64, {"r_step": 1.12, "r_lift": 1.0, "lean": -0.47}),
        (0.78, {"r_step": 0.3, "r_lift": 0.4, "r_pitch": 0.4, "lean": -0.1, "rise": -0.05}),
        (0.91, {"r_step": -0.05, "r_lift": 0.04, "r_pitch": 0.35, "rise": -0.07}),
        (1.0, REST),
    ),
)

THROW = Motion(
    "throw",
    "Throw",
    loop=False,
    frames=8,
    fps=12,
    phases={"windup": 0.36, "release": 0.57, "follow": 0.71},
    windup=(0.0, 0.5),
    keys=(
        (0.0, REST),
        (
            0.36,
            {"rise": -0.08, "travel": -0.2, "yaw": -0.45, "twist": -0.5, "lean": -0.16, "bend": -0.1, "turn": 0.8}
            | {"r_swing": 2.3, "r_out": 0.5, "r_elbow": 1.7, "l_swing": 1.45, "l_elbow": 0.15, "l_step": 0.3}
            | {"l_lift": 0.12, "l_pitch": -0.2, "r_wrist": 0.3},
        ),
        (
            0.57,
            {"rise": -0.1, "travel": 0.16, "yaw": 0.2, "twist": 0.35, "lean": 0.2, "bend": 0.2, "turn": -0.4}
            | {"r_swing": 2.1, "r_out": 0.15, "r_elbow": 0.2, "l_swing": -0.2, "l_elbow": 1.2, "l_step": 0.5}
            | {"l_lift": 0.0, "l_pitch": 0.0, "r_pitch": 0.6, "r_wrist": 0.0},
        ),
        (
            0.71,
            {"rise": -0.16, "travel": 0.2, "yaw": 0.3, "twist": 0.5, "lean": 0.34, "bend": 0.4, "r_swing": 0.55}
            | {"r_out": -0.2, "r_elbow": 0.3, "l_step": 0.5, "r_pitch": 0.75, "nod": -0.35},
        ),
        (0.88, {"l_step": 0.28, "l_lift": 0.04, "r_pitch": 0.2}),
        (1.0, REST),
    ),
    lag={"r_wrist": 0.03},
)

_AXIS = {"l_step": 0.0, "l_apart": -0.06, "r_apart": 0.0}
SPIN_KICK = Motion(
    "spin_kick",
    "Spin kick",
    loop=False,
    frames=10,
    fps=14,
    phases={"coil": 0.2, "back": 0.38, "hit": 0.55, "down": 0.84},
    windup=(0.0, 0.3),
    keys=(
        (0.0, {**REST, "spin": 0.0}),
        # coil against the turn, weight onto the front foot
        (
            0.2,
            {"spin": 0.35, "rise": -0.16, "twist": 0.35, "bend": 0.16, "r_swing": 0.6, "l_swing": 0.2, "r_elbow": 1.5},
        ),
        (
            0.2,
            {
                "l_elbow": 1.5,
                "l_step": 0.08,
                "l_apart": 0.0,
                "l_pitch": 0.0,
                "r_pitch": 0.4,
                "r_lift": 0.0,
                "turn": -0.3,
            },
        ),
        # the head leads, the back is shown, the knee comes up; arms close, which speeds the turn
        (0.38, {**_AXIS, "spin": -1.9, "rise": -0.04, "twist": -0.35, "lean": 0.16, "turn": -0.7, "r_lift": 0.42}),
        (0.38, {"r_step": -0.06, "r_pitch": 0.7, "l_pitch": 0.3, "r_swing": 0.5, "l_swing": 0.5, "r_elbow": 2.0}),
        (0.38, {"l_elbow": 2.0, "r_wrist": 0.6, "travel": 0.0}),
        # heel through the target, trunk tipped away from it
        (0.55, {**_AXIS, "spin": -3.15, "rise": 0.0, "lean": 0.6, "bend": 0.06, "turn": -0.7, "twist": -0.25}),
        (0.55, {"r_step": -1.3, "r_lift": 1.02, "r_pitch": 1.3, "r_swing": -0.7, "l_swing": 0.7, "r_elbow": 0.7}),
        (0.55, {"l_elbow": 1.2, "r_out": 0.5, "l_out": 0.5, "l_pitch": 0.25, "nod": -0.1, "travel": -0.2}),
        (0.64, {**_AXIS, "spin": -4.0, "r_step": -1.2, "r_lift": 0.9, "r_pitch": 1.2, "lean": 0.5, "travel": -0.16}),
        # and round to where he started
        (0.75, {**_AXIS, "spin": -5.3, "r_step": -0.36, "r_lift": 0.34, "r_pitch": 0.8, "lean": 0.2, "twist": 0.2}),
        (
            0.75,
            {"turn": 0.2, "rise": -0.08, "r_elbow": 1.0, "l_elbow": 1.0, "r_swing": 0.1, "l_swing": 0.4, "travel": 0.0},
        ),
        (
            0.84,
            {"spin": -6.15, "r_step": -0.16, "r_lift": 0.0, "r_pitch": 0.3, "rise": -0.18, "bend": 0.2, "twist": 0.1},
        ),
        (0.84, {"l_step": 0.04, "l_apart": -0.02, "l_lift": 0.0, "lean": 0.12}),
        (0.92, {"l_step": 0.1, "l_lift": 0.03, "rise": -0.1}),
        (1.0, {**REST, "spin": -2 * np.pi}),
    ),
    lag={"r_wrist": 0.03},
)

MOTIONS = (PUNCH, KICK, SPIN_KICK, THROW)
