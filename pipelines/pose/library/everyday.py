"""Being there: breathing, crouching, cheering, sitting, waving, picking up."""

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

_SEATED = {"rise": -0.9, "travel": -0.42, "lean": -0.2, "bend": 0.42, "l_step": 0.34, "r_step": 0.1}
SIT = Motion(
    "sit",
    "Sit down",
    loop=False,
    frames=8,
    fps=10,
    phases={"dip": 0.2, "ground": 0.62, "settled": 0.85},
    settles=0.6,
    keys=(
        (0.0, REST),
        # a glance back, hips go behind the heels, trunk and arms forward keep the balance
        (0.2, {"rise": -0.16, "lean": 0.3, "bend": 0.2, "nod": 0.2, "travel": -0.1, "r_swing": 0.3, "l_swing": 0.5}),
        (0.42, {"rise": -0.5, "lean": 0.3, "bend": 0.5, "nod": 0.05, "travel": -0.3, "r_swing": 1.2, "l_swing": 1.4}),
        (0.42, {"r_elbow": 0.5, "l_elbow": 0.4, "r_step": -0.06, "l_step": 0.2, "r_wrist": 1.5, "r_lift": 0.0}),
        # seat meets the ground, the trunk rolls back, then sinks over the knees
        (0.62, {**_SEATED, "lean": -0.34, "bend": 0.3, "nod": 0.2, "r_swing": 1.3, "l_swing": 1.2, "l_pitch": -0.2}),
        (0.62, {"l_elbow": 0.4, "r_elbow": 0.4, "r_out": 0.25, "r_lift": 0.0, "l_lift": 0.0}),
        (
            0.85,
            {**_SEATED, "nod": 0.02, "r_swing": 0.8, "l_swing": 0.95, "l_elbow": 0.5, "l_pitch": 0.0, "l_out": 0.25},
        ),
        (0.85, {"r_elbow": 0.65}),
        # both hands rest on the knees
        (1.0, {**_SEATED, "bend": 0.46, "nod": 0.06, "r_swing": 0.78, "l_swing": 0.92, "l_elbow": 0.55, "r_out": 0.25}),
        (1.0, {"l_pitch": 0.0, "r_pitch": 0.0, "r_elbow": 0.7, "r_wrist": 1.4}),
    ),
    lag={"nod": 0.03},
)

WAVE = Motion(
    "wave",
    "Wave",
    loop=False,
    frames=10,
    fps=10,
    phases={"raise": 0.3, "there": 0.42, "back": 0.54, "there_again": 0.66},
    windup=(0.0, 0.2),
    keys=(
        (0.0, REST),
        (0.1, {"rise": -0.05, "l_swing": -0.2, "l_elbow": 0.7, "bend": 0.1, "nod": 0.06}),
        # the elbow goes up first, the hand follows and swings about it
        (0.3, {"rise": 0.0, "l_swing": 2.35, "l_out": 0.55, "l_elbow": 0.9, "tilt": -0.1, "bend": -0.02, "cock": 0.1}),
        (0.3, {"nod": -0.08, "twist": 0.12, "sway": -0.05, "l_wrist": 0.4}),
        (0.42, {"l_swing": 2.45, "l_elbow": 0.15, "tilt": -0.12, "cock": 0.14}),
        (0.54, {"l_swing": 2.4, "l_elbow": 1.0, "tilt": -0.08, "cock": 0.06}),
        (0.66, {"l_swing": 2.45, "l_elbow": 0.15, "tilt": -0.12, "cock": 0.14}),
        (0.76, {"l_swing": 2.3, "l_elbow": 0.9, "l_out": 0.5, "rise": 0.0, "nod": -0.06, "sway": -0.04}),
        (0.9, {"l_swing": 0.5, "l_elbow": 0.9, "l_out": 0.3, "rise": -0.04, "cock": 0.02}),
        (1.0, REST),
    ),
    lag={"l_elbow": 0.02, "cock": 0.03},
)

PICK_UP = Motion(
    "pick_up",
    "Pick up",
    loop=False,
    frames=9,
    fps=10,
    phases={"reach": 0.34, "grab": 0.5, "lift": 0.7},
    keys=(
        (0.0, REST),
        (0.14, {"nod": 0.34, "bend": 0.14, "rise": -0.06, "lean": 0.06}),
        # knees, then back, then the arm; the other arm balances behind
        (0.42, {"rise": -0.4, "lean": 0.5, "bend": 0.4, "nod": 0.1, "travel": -0.06, "l_swing": 1.1, "l_elbow": 0.3}),
        (0.42, {"l_out": 0.1, "r_swing": -0.55, "r_elbow": 0.7, "r_out": 0.4, "r_step": -0.26, "l_step": 0.24}),
        (0.42, {"r_pitch": 0.45, "twist": -0.2, "l_wrist": 0.5}),
        (
            0.52,
            {"rise": -0.44, "lean": 0.54, "bend": 0.44, "l_swing": 1.05, "l_elbow": 0.2, "nod": 0.15, "twist": -0.25},
        ),
        # up again, the find held before the eyes
        (0.74, {"rise": -0.1, "lean": 0.14, "bend": 0.1, "nod": 0.22, "l_swing": 0.8, "l_elbow": 1.5, "twist": 0.0}),
        (0.74, {"r_swing": -0.1, "r_elbow": 0.6, "r_pitch": 0.05, "r_step": -0.24, "l_step": 0.22, "l_out": 0.15}),
        (
            0.86,
            {
                "rise": -0.02,
                "l_swing": 0.7,
                "l_elbow": 1.6,
                "nod": 0.2,
                "r_step": -0.14,
                "l_step": 0.15,
                "l_lift": 0.02,
            },
        ),
        (1.0, REST),
    ),
    lag={"nod": 0.03, "r_wrist": 0.03},
)

MOTIONS = (IDLE, CROUCH, CHEER, SIT, WAVE, PICK_UP)
