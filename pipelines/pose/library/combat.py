"""Attacks, a spell and a guard. The right hand holds the weapon; wind-up, hit, follow-through, recovery."""

from __future__ import annotations

from ..motion import REST, Motion

SLASH = Motion(
    "slash",
    "Slash",
    loop=False,
    frames=8,
    fps=12,
    phases={"windup": 0.3, "hit": 0.57, "follow": 0.71},
    windup=(0.0, 0.5),
    keys=(
        (0.0, REST),
        # wind-up: weight on the back foot, weapon over the shoulder behind the head, chest turned away
        (
            0.3,
            {"rise": -0.06, "travel": -0.16, "yaw": -0.25, "twist": -0.5, "lean": -0.1, "bend": -0.14, "nod": 0.05}
            | {"turn": 0.45, "r_swing": 2.55, "r_out": 0.3, "r_elbow": 1.5, "r_wrist": 0.85, "l_swing": 0.75}
            | {"l_elbow": 0.75, "l_out": 0.35, "r_step": -0.12, "l_step": 0.14, "l_lift": 0.0, "l_pitch": 0.0},
        ),
        (
            0.43,
            {
                "l_step": 0.32,
                "l_lift": 0.09,
                "l_pitch": -0.2,
                "r_swing": 2.65,
                "r_elbow": 1.5,
                "r_wrist": 1.05,
                "travel": -0.1,
            },
        ),
        # the arc: hips lead, chest, arm, and the weapon last
        (
            0.57,
            {"rise": -0.12, "travel": 0.14, "yaw": 0.15, "twist": 0.25, "lean": 0.18, "bend": 0.2, "turn": -0.2}
            | {"r_swing": 1.35, "r_elbow": 0.25, "r_wrist": 0.35, "l_step": 0.56, "l_lift": 0.0, "l_pitch": 0.0}
            | {"r_pitch": 0.35, "l_swing": -0.3, "nod": 0.0},
        ),
        # follow-through: low and across
        (
            0.71,
            {"rise": -0.19, "travel": 0.2, "yaw": 0.3, "twist": 0.55, "lean": 0.28, "bend": 0.34, "turn": -0.5}
            | {"r_swing": 0.45, "r_out": -0.25, "r_elbow": 0.2, "r_wrist": -0.35, "l_swing": -0.75, "l_elbow": 0.6}
            | {"r_pitch": 0.6, "nod": -0.12},
        ),
        (
            0.78,
            {
                "rise": -0.17,
                "travel": 0.17,
                "twist": 0.5,
                "bend": 0.32,
                "r_swing": 0.4,
                "r_wrist": -0.2,
                "l_step": 0.56,
            },
        ),
        (0.88, {"l_step": 0.3, "l_lift": 0.05, "r_pitch": 0.2, "r_wrist": 0.7}),
        (1.0, REST),
    ),
    lag={"r_wrist": 0.03, "turn": -0.02},
)

THRUST = Motion(
    "thrust",
    "Thrust",
    loop=False,
    frames=8,
    fps=12,
    phases={"windup": 0.3, "hit": 0.56, "hold": 0.7},
    windup=(0.0, 0.48),
    keys=(
        (0.0, REST),
        # hand drawn back to the hip, the point already on the line of the thrust
        (
            0.3,
            {"rise": -0.12, "travel": -0.2, "yaw": -0.35, "twist": -0.4, "lean": 0.0, "bend": -0.02, "turn": 0.6}
            | {"r_swing": -0.85, "r_elbow": 1.75, "r_wrist": 0.68, "r_out": 0.25, "l_swing": 1.15, "l_elbow": 0.5}
            | {"l_step": 0.14, "l_lift": 0.0, "l_pitch": 0.0, "nod": 0.0},
        ),
        (0.43, {"l_step": 0.4, "l_lift": 0.1, "l_pitch": -0.25, "r_swing": -0.5, "r_elbow": 1.7, "r_wrist": 0.42}),
        # lunge: back leg, trunk, arm and blade stretched on one line
        (
            0.56,
            {"rise": -0.24, "travel": 0.32, "yaw": 0.1, "twist": 0.4, "lean": 0.34, "bend": 0.1, "turn": -0.45}
            | {"r_swing": 1.75, "r_elbow": 0.05, "r_wrist": 0.12, "r_out": 0.0, "l_swing": -0.7, "l_elbow": 0.3}
            | {"l_step": 0.72, "l_lift": 0.0, "l_pitch": 0.0, "r_pitch": 0.5, "nod": -0.3},
        ),
        (
            0.71,
            {
                "rise": -0.25,
                "travel": 0.34,
                "r_swing": 1.78,
                "r_elbow": 0.05,
                "twist": 0.44,
                "l_step": 0.72,
                "lean": 0.36,
            },
        ),
        (
            0.84,
            {"rise": -0.12, "travel": 0.1, "r_swing": 0.7, "r_elbow": 1.0, "r_wrist": 0.5, "l_step": 0.5, "lean": 0.12},
        ),
        (0.91, {"l_step": 0.3, "l_lift": 0.05, "r_pitch": 0.15}),
        (1.0, REST),
    ),
)

CAST = Motion(
    "cast",
    "Cast",
    loop=False,
    frames=8,
    fps=10,
    phases={"gather": 0.3, "release": 0.52, "hold": 0.7},
    windup=(0.0, 0.45),
    keys=(
        (0.0, REST),
        # gather: both hands to the chest, body closes around them
        (
            0.3,
            {"rise": -0.16, "travel": -0.1, "lean": 0.06, "bend": 0.36, "nod": 0.28, "r_swing": 0.45, "l_swing": 0.5}
            | {"r_elbow": 2.0, "l_elbow": 2.0, "r_out": 0.12, "l_out": 0.12, "r_roll": 0.45, "l_roll": 0.45}
            | {"r_wrist": 0.75, "r_pitch": 0.0, "l_wrist": 0.4},
        ),
        # release: chest opens, both arms push out and up
        (
            0.52,
            {"rise": 0.0, "travel": 0.14, "lean": 0.0, "bend": -0.26, "nod": -0.16, "r_swing": 2.0, "l_swing": 1.55}
            | {"r_elbow": 0.15, "l_elbow": 0.12, "r_out": 0.3, "l_out": 0.2, "r_roll": 0.0, "l_roll": 0.0}
            | {"r_wrist": 1.0, "r_pitch": 0.55, "l_wrist": 0.0},
        ),
        (
            0.72,
            {
                "rise": -0.02,
                "travel": 0.12,
                "bend": -0.2,
                "nod": -0.12,
                "r_swing": 1.9,
                "l_swing": 1.45,
                "r_elbow": 0.25,
            },
        ),
        (1.0, REST),
    ),
    lag={"r_wrist": 0.02, "nod": 0.02},
)

_GUARD = {"rise": -0.17, "travel": -0.08, "lean": 0.1, "bend": 0.22, "nod": -0.1, "yaw": -0.2, "turn": 0.2}
BLOCK = Motion(
    "block",
    "Block",
    loop=False,
    frames=7,
    fps=12,
    phases={"raise": 0.3, "impact": 0.5},
    keys=(
        (0.0, REST),
        (
            0.3,
            {**_GUARD, "l_swing": 1.1, "l_elbow": 1.4, "l_out": -0.1, "l_wrist": -0.3, "r_swing": 0.15, "r_elbow": 1.6}
            | {"r_wrist": 0.9, "l_step": 0.24, "r_step": -0.2},
        ),
        # the blow pushes the whole guard back; then it braces forward again
        (0.48, {"travel": -0.2, "rise": -0.22, "bend": 0.3, "l_swing": 0.9, "l_elbow": 1.65, "lean": -0.02}),
        (
            0.66,
            {
                "travel": -0.08,
                "rise": -0.17,
                "bend": 0.22,
                "l_swing": 1.1,
                "l_elbow": 1.4,
                "lean": 0.12,
                "l_step": 0.24,
            },
        ),
        (1.0, REST),
    ),
)

MOTIONS = (SLASH, THRUST, CAST, BLOCK)
