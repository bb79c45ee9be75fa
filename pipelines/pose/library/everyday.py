"""Being there: breathing, crouching, cheering."""

from __future__ import annotations

from ..motion import REST, Motion

IDLE = Motion(
    "idle",
    "Idle",
    loop=True,
    frames=8,
    fps=7,
    phases={"exhaled": 0.0, "inhaled": 0.5},
    keys=(
        # Breath lifts the chest, opens the shoulders; arms and head follow later. Weight shifts a little.
        (
            0.0,
            {"rise": -0.03, "bend": 0.09, "nod": 0.02, "r_swing": -0.06, "l_swing": 0.02, "sway": 0.012, "lean": 0.03},
        ),
        (0.0, {"r_out": 0.2, "l_out": 0.2, "r_elbow": 0.56, "l_elbow": 0.56, "r_wrist": 1.0, "twist": 0.03}),
        (
            0.5,
            {"rise": -0.002, "bend": 0.0, "nod": -0.05, "r_swing": -0.16, "l_swing": -0.1, "sway": -0.012, "lean": 0.0},
        ),
        (0.5, {"r_out": 0.28, "l_out": 0.28, "r_elbow": 0.44, "l_elbow": 0.44, "r_wrist": 0.88, "twist": -0.03}),
    ),
    lag={"r_swing": 0.06, "l_swing": 0.06, "r_elbow": 0.09, "l_elbow": 0.09, "r_wrist": 0.14, "nod": 0.08},
)

_LOW = {"lean": 0.34, "bend": 0.3, "nod": -0.42, "r_step": -0.26, "l_step": 0.26, "r_pitch": 0.45}
CROUCH = Motion(
    "crouch",
    "Crouch",
    loop=True,
    frames=6,
    fps=7,
    phases={"exhaled": 0.0, "inhaled": 0.5},
    stance={**REST, **_LOW, "r_swing": 0.3, "l_swing": 0.35, "r_elbow": 0.9, "l_elbow": 1.1},
    keys=(
        (0.0, {"rise": -0.42, "bend": 0.34, "nod": -0.44, "r_swing": 0.32, "l_swing": 0.36}),
        (0.5, {"rise": -0.385, "bend": 0.27, "nod": -0.5, "r_swing": 0.24, "l_swing": 0.28}),
    ),
    lag={"r_swing": 0.08, "l_swing": 0.08, "nod": 0.06},
)

_HOP = {"r_lift": 0.0, "l_lift": 0.0, "r_pitch": 0.0, "l_pitch": 0.0}
CHEER = Motion(
    "cheer",
    "Cheer",
    loop=False,
    frames=10,
    fps=12,
    phases={"dip": 0.18, "up": 0.38, "down": 0.55, "up_again": 0.7},
    windup=(0.0, 0.3),
    keys=(
        (0.0, {**REST, **_HOP}),
        (0.18, {"rise": -0.2, "lean": 0.2, "bend": 0.25, "nod": 0.15, "r_swing": 0.3, "l_swing": 0.4, "r_elbow": 1.9}),
        (0.18, {"l_elbow": 1.9, **_HOP, "r_out": 0.25, "l_out": 0.25, "r_wrist": 1.2}),
        (
            0.38,
            {"rise": 0.1, "lean": -0.06, "bend": -0.12, "nod": -0.3, "r_swing": 2.8, "l_swing": 2.75, "r_elbow": 0.3},
        ),
        (0.38, {"l_elbow": 0.3, "r_lift": 0.06, "l_lift": 0.06, "r_pitch": 0.8, "l_pitch": 0.8, "r_wrist": 0.35}),
        (0.38, {"r_out": 0.35, "l_out": 0.35}),
        (
            0.54,
            {"rise": -0.16, "lean": 0.08, "bend": 0.08, "r_swing": 2.2, "l_swing": 2.1, "r_elbow": 1.2, "l_elbow": 1.2},
        ),
        (0.54, {**_HOP, "nod": -0.1}),
        (
            0.7,
            {"rise": 0.08, "lean": -0.06, "bend": -0.1, "nod": -0.3, "r_swing": 2.8, "l_swing": 2.75, "r_elbow": 0.3},
        ),
        (0.7, {"l_elbow": 0.3, "r_lift": 0.05, "l_lift": 0.05, "r_pitch": 0.8, "l_pitch": 0.8, "r_wrist": 0.35}),
        (0.84, {"rise": -0.12, **_HOP, "nod": 0.0, "bend": 0.1, "r_swing": 1.3, "l_swing": 1.3, "r_elbow": 1.0}),
        (1.0, {**REST, **_HOP}),
    ),
    lag={"r_wrist": 0.02},
)

MOTIONS = (IDLE, CROUCH, CHEER)
