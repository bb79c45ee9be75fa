"""Getting about by other means than legs alone: falling, landing, climbing, dashing."""

from __future__ import annotations

from ..motion import REST, Motion, alternate

_FALLING = {"rise": 0.2, "lean": 0.14, "bend": 0.06, "nod": 0.24, "r_pitch": 0.75, "l_pitch": 0.5}
FALL = Motion(
    "fall",
    "Fall",
    loop=True,
    frames=6,
    fps=10,
    phases={"arms_up": 0.0, "arms_out": 0.5},
    keys=(
        # Air holds the arms up; they paddle against each other, the legs tread after them.
        (0.0, {**_FALLING, "r_swing": 2.55, "l_swing": 2.0, "r_elbow": 0.35, "l_elbow": 0.9, "r_out": 0.45}),
        (0.0, {"l_out": 0.8, "r_step": -0.34, "l_step": 0.3, "r_lift": 0.34, "l_lift": 0.36, "r_wrist": 0.5}),
        (0.5, {**_FALLING, "rise": 0.23, "bend": 0.14, "r_swing": 2.05, "l_swing": 2.6, "r_elbow": 0.9}),
        (0.5, {"l_elbow": 0.35, "r_out": 0.8, "l_out": 0.45, "r_step": -0.18, "l_step": 0.12, "r_lift": 0.26}),
        (0.5, {"l_lift": 0.46, "r_wrist": 0.9}),
    ),
    lag={"r_elbow": 0.08, "l_elbow": 0.08, "r_step": 0.1, "l_step": 0.14, "r_wrist": 0.16, "nod": 0.06},
)

_REACHING = {"rise": 0.2, "lean": 0.08, "nod": 0.3, "r_swing": 2.3, "l_swing": 2.4, "r_out": 0.5, "l_out": 0.5}
_REACHING |= {"r_lift": 0.22, "l_lift": 0.24, "r_pitch": 0.55, "l_pitch": 0.45, "r_wrist": 0.6}
LAND = Motion(
    "land",
    "Land",
    loop=False,
    frames=7,
    fps=12,
    phases={"contact": 0.16, "squash": 0.36, "rising": 0.7},
    keys=(
        # legs reach for the ground while the arms are still up
        (0.0, {**REST, **_REACHING}),
        (0.16, {"rise": -0.04, "r_lift": 0.0, "l_lift": 0.0, "r_pitch": 0.3, "l_pitch": 0.15, "lean": 0.14}),
        (0.16, {"r_swing": 1.7, "l_swing": 1.8, "bend": 0.1}),
        # the weight arrives: hips, then trunk, then arms and head
        (
            0.36,
            {"rise": -0.45, "lean": 0.62, "bend": 0.5, "nod": 0.1, "r_swing": 0.1, "l_swing": 0.75, "travel": -0.05},
        ),
        (0.36, {"l_elbow": 0.15, "r_elbow": 0.8, "r_out": 0.6, "l_out": 0.2, "r_pitch": 0.5, "l_pitch": 0.0}),
        (0.36, {"r_step": -0.24, "l_step": 0.2, "r_wrist": 1.6}),
        (0.48, {"rise": -0.46, "nod": -0.2, "lean": 0.6, "r_swing": -0.15, "r_step": -0.24, "l_step": 0.2}),
        (0.7, {"rise": -0.22, "lean": 0.3, "bend": 0.28, "nod": -0.3, "l_swing": 0.35, "r_pitch": 0.2}),
        (0.88, {"rise": 0.0, "lean": 0.0, "bend": 0.0, "nod": -0.06, "r_step": -0.13, "l_step": 0.14}),
        (1.0, REST),
    ),
    lag={"r_wrist": 0.03, "nod": 0.03},
)

CLIMB = Motion(
    "climb",
    "Climb",
    loop=True,
    frames=8,
    fps=8,
    phases={"grip": 0.0, "pull": 0.25, "other_grip": 0.5, "other_pull": 0.75},
    keys=alternate(
        (
            # A hand grips, the body rises past it at constant speed; the foot of the other side carries the push.
            (0.0, {"r_swing": 2.75, "r_elbow": 0.3, "r_out": 0.12, "r_lift": 0.06, "r_step": 0.16, "r_pitch": 0.35}),
            (0.1, {"r_lift": 0.12, "r_step": 0.04, "r_pitch": 0.8}),
            (0.3, {"r_lift": 0.42, "r_step": 0.16, "r_pitch": 0.6}),
            (0.12, {"r_swing": 2.42, "r_elbow": 0.72}),
            (0.25, {"r_swing": 2.0, "r_elbow": 1.15}),
            (0.38, {"r_swing": 1.62, "r_elbow": 1.55}),
            (0.45, {"r_lift": 0.52, "r_step": 0.26, "r_pitch": 0.1}),
            (0.5, {"r_swing": 1.3, "r_elbow": 1.9, "r_out": 0.2, "r_lift": 0.46, "r_step": 0.22, "r_pitch": 0.1}),
            (0.68, {"r_swing": 1.5, "r_elbow": 2.0, "r_out": 0.3}),
            (0.75, {"r_lift": 0.26, "r_step": 0.18, "r_pitch": 0.1}),
            (0.86, {"r_swing": 2.6, "r_elbow": 0.8, "r_out": 0.2}),
        ),
        (
            (0.0, {"rise": 0.0, "lean": 0.06, "bend": 0.02, "nod": -0.42, "twist": 0.28, "yaw": 0.1, "tilt": -0.16}),
            (0.0, {"sway": -0.05, "roll": -0.06, "travel": -0.02}),
            (0.25, {"rise": 0.025, "lean": 0.1, "nod": -0.3, "travel": 0.02}),
            (0.5, {"rise": 0.0, "lean": 0.06, "nod": -0.42, "twist": -0.28, "yaw": -0.1, "tilt": 0.16}),
            (0.5, {"sway": 0.05, "roll": 0.06, "travel": -0.02}),
            (0.75, {"rise": 0.025, "lean": 0.1, "nod": -0.3, "travel": 0.02}),
        ),
    ),
    stance={**REST, "r_wrist": -0.3, "l_wrist": 0.2},
    lag={"nod": 0.05},
)

DASH = Motion(
    "dash",
    "Dash",
    loop=False,
    frames=8,
    fps=14,
    phases={"coil": 0.2, "burst": 0.36, "brake": 0.72},
    windup=(0.0, 0.34),
    keys=(
        (0.0, REST),
        # coil over the back foot, arms gathered in front
        (
            0.2,
            {"rise": -0.26, "travel": -0.24, "lean": 0.3, "bend": 0.34, "nod": -0.45, "r_swing": 0.75, "l_swing": 0.9},
        ),
        (0.2, {"r_elbow": 1.5, "l_elbow": 1.5, "r_step": -0.3, "l_step": 0.2, "r_pitch": 0.3, "r_lift": 0.0}),
        (0.2, {"l_lift": 0.0, "l_pitch": 0.0, "r_wrist": 1.0, "yaw": -0.15, "twist": -0.2}),
        # burst: one low line from the back toes to the head, arms trail
        (
            0.36,
            {"rise": -0.2, "travel": 0.26, "lean": 0.8, "bend": 0.22, "nod": -0.75, "r_swing": -1.0, "l_swing": -0.7},
        ),
        (0.36, {"r_elbow": 0.35, "l_elbow": 0.3, "r_step": -0.68, "r_pitch": 1.15, "r_lift": 0.02, "l_step": 0.46}),
        (
            0.36,
            {"l_lift": 0.26, "l_pitch": 0.25, "r_wrist": 0.6, "yaw": 0.1, "twist": 0.12, "r_out": 0.4, "l_out": 0.4},
        ),
        (0.56, {"rise": -0.16, "travel": 0.3, "lean": 0.86, "nod": -0.82, "r_swing": -1.15, "l_swing": -0.95}),
        (0.56, {"r_step": -0.74, "r_lift": 0.22, "r_pitch": 1.35, "l_step": 0.4, "l_lift": 0.2, "l_pitch": 0.3}),
        # brake: heel first, trunk rears, arms swing past
        (0.72, {"rise": -0.26, "travel": 0.1, "lean": -0.08, "bend": 0.2, "nod": -0.1, "r_swing": 0.2, "l_swing": 0.5}),
        (0.72, {"l_step": 0.62, "l_lift": 0.0, "l_pitch": -0.25, "r_step": -0.16, "r_lift": 0.0, "r_pitch": 0.5}),
        (0.72, {"r_elbow": 1.0, "l_elbow": 0.9, "yaw": 0.0, "twist": 0.0, "r_wrist": 1.2}),
        (0.8, {"l_step": 0.58, "l_pitch": 0.0, "r_step": -0.14, "r_pitch": 0.2, "rise": -0.22, "bend": 0.26}),
        (0.9, {"l_step": 0.32, "l_lift": 0.06, "r_pitch": 0.0, "r_step": -0.12, "rise": -0.08}),
        (1.0, REST),
    ),
    lag={"r_wrist": 0.03, "r_elbow": 0.02, "l_elbow": 0.02},
)

MOTIONS = (FALL, LAND, CLIMB, DASH)
