"""Gaits on the spot, and the jump. Right heel strikes at time 0."""

from __future__ import annotations

from ..motion import Motion, alternate

WALK = Motion(
    "walk",
    "Walk",
    loop=True,
    frames=8,
    fps=10,
    phases={"contact": 0.0, "down": 0.125, "passing": 0.25, "up": 0.375, "other_contact": 0.5},
    keys=alternate(
        (
            # The planted foot runs back at constant speed (no sliding); then heel up, toe off, and through low.
            (0.0, {"r_step": 0.42, "r_lift": 0.0, "r_pitch": -0.35, "r_swing": -0.5, "r_elbow": 0.2, "r_wrist": 1.4}),
            (0.1, {"r_step": 0.28, "r_pitch": 0.0}),
            (0.2, {"r_step": 0.14}),
            (0.3, {"r_step": 0.0}),
            (0.4, {"r_step": -0.14, "r_pitch": 0.08, "r_swing": 0.3, "r_elbow": 0.5}),
            (0.5, {"r_step": -0.28, "r_lift": 0.0, "r_pitch": 0.4, "r_swing": 0.45, "r_elbow": 0.62, "r_wrist": 0.75}),
            (0.6, {"r_step": -0.4, "r_lift": 0.02, "r_pitch": 0.95}),
            (0.75, {"r_step": -0.02, "r_lift": 0.14, "r_pitch": 0.5, "r_swing": 0.0, "r_elbow": 0.4}),
            (0.9, {"r_step": 0.4, "r_lift": 0.06, "r_pitch": -0.3}),
        ),
        (
            (0.0, {"rise": -0.035, "yaw": 0.12, "twist": -0.3, "lean": 0.04, "bend": 0.05, "nod": 0.0, "roll": 0.0}),
            (0.125, {"rise": -0.065, "roll": -0.05, "nod": 0.05, "bend": 0.08}),
            (0.25, {"rise": -0.015, "yaw": 0.0, "twist": 0.0}),
            (0.375, {"rise": 0.005, "roll": 0.03, "nod": -0.04, "bend": 0.03}),
            (0.5, {"rise": -0.035, "yaw": -0.12, "twist": 0.3, "nod": 0.0, "roll": 0.0, "bend": 0.05}),
            (0.625, {"rise": -0.065, "roll": 0.05, "nod": 0.05, "bend": 0.08}),
            (0.75, {"rise": -0.015, "yaw": 0.0, "twist": 0.0}),
            (0.875, {"rise": 0.005, "roll": -0.03, "nod": -0.04, "bend": 0.03}),
        ),
    ),
    lag={"r_elbow": 0.04, "l_elbow": 0.04, "nod": 0.03},
)

RUN = Motion(
    "run",
    "Run",
    loop=True,
    frames=8,
    fps=12,
    phases={"contact": 0.0, "down": 0.1, "push": 0.27, "flight": 0.4, "other_contact": 0.5},
    keys=alternate(
        (
            (0.0, {"r_step": 0.38, "r_lift": 0.0, "r_pitch": -0.12, "r_swing": -1.0, "r_elbow": 1.5, "r_wrist": 1.0}),
            (0.1, {"r_step": 0.14, "r_pitch": 0.0}),
            (0.2, {"r_step": -0.2, "r_lift": 0.0, "r_pitch": 0.35}),
            (0.32, {"r_step": -0.6, "r_lift": 0.03, "r_pitch": 1.0, "r_swing": 0.3, "r_elbow": 1.65, "r_wrist": 0.5}),
            (0.45, {"r_step": -0.72, "r_lift": 0.36, "r_pitch": 1.45, "r_swing": 0.85, "r_elbow": 1.9}),
            (0.6, {"r_step": -0.3, "r_lift": 0.55, "r_pitch": 1.2, "r_swing": 0.7, "r_elbow": 1.8}),
            (0.75, {"r_step": 0.35, "r_lift": 0.42, "r_pitch": 0.3, "r_swing": -0.1, "r_elbow": 1.5}),
            (0.88, {"r_step": 0.62, "r_lift": 0.2, "r_pitch": -0.25, "r_swing": -0.75, "r_elbow": 1.45}),
        ),
        (
            (0.0, {"rise": -0.05, "yaw": 0.2, "twist": -0.48, "lean": 0.26, "bend": 0.12, "nod": -0.25}),
            (0.1, {"rise": -0.12, "bend": 0.17, "nod": -0.2}),
            (0.25, {"rise": -0.02, "yaw": 0.0, "twist": 0.0}),
            (0.4, {"rise": 0.09, "bend": 0.1, "nod": -0.3}),
            (0.5, {"rise": -0.05, "yaw": -0.2, "twist": 0.48, "bend": 0.12, "nod": -0.25}),
            (0.6, {"rise": -0.12, "bend": 0.17, "nod": -0.2}),
            (0.75, {"rise": -0.02, "yaw": 0.0, "twist": 0.0}),
            (0.9, {"rise": 0.09, "bend": 0.1, "nod": -0.3}),
        ),
    ),
    lag={"r_elbow": 0.03, "l_elbow": 0.03, "nod": 0.03},
)

_SNEAK_STANCE = {"rise": -0.24, "lean": 0.42, "bend": 0.32, "nod": -0.5}
SNEAK = Motion(
    "sneak",
    "Sneak",
    loop=True,
    frames=10,
    fps=8,
    phases={"contact": 0.0, "passing": 0.25, "other_contact": 0.5},
    keys=alternate(
        (
            (0.0, {"r_step": 0.5, "r_lift": 0.0, "r_pitch": 0.3, "r_swing": 0.25, "r_elbow": 1.5}),
            (0.12, {"r_step": 0.32, "r_pitch": 0.0}),
            (0.3, {"r_step": 0.05}),
            (0.5, {"r_step": -0.25, "r_lift": 0.0, "r_pitch": 0.25, "r_swing": 0.75, "r_elbow": 1.15}),
            (0.6, {"r_step": -0.36, "r_lift": 0.03, "r_pitch": 0.9}),
            (0.75, {"r_step": 0.05, "r_lift": 0.3, "r_pitch": 0.7}),
            (0.9, {"r_step": 0.52, "r_lift": 0.16, "r_pitch": 0.15}),
        ),
        (
            (0.0, {**_SNEAK_STANCE, "yaw": 0.1, "twist": -0.2}),
            (0.12, {"rise": -0.3}),
            (0.3, {"rise": -0.2, "nod": -0.6}),
            (0.5, {**_SNEAK_STANCE, "yaw": -0.1, "twist": 0.2}),
            (0.62, {"rise": -0.3}),
            (0.8, {"rise": -0.2, "nod": -0.6}),
        ),
    ),
)

JUMP = Motion(
    "jump",
    "Jump",
    loop=False,
    frames=10,
    fps=12,
    phases={"crouch": 0.17, "take_off": 0.3, "apex": 0.47, "landing": 0.67, "squash": 0.74},
    windup=(0.0, 0.29),
    keys=(
        (0.0, {"rise": -0.02, "lean": 0.02, "bend": 0.04, "nod": 0.0, "r_swing": -0.08, "l_swing": 0.0}),
        # anticipation: down and wound up, arms far back
        (
            0.17,
            {
                "rise": -0.38,
                "lean": 0.55,
                "bend": 0.4,
                "nod": -0.35,
                "travel": -0.06,
                "r_swing": -1.15,
                "l_swing": -1.05,
            }
            | {"r_elbow": 0.25, "l_elbow": 0.25, "r_wrist": 1.9, "r_pitch": 0.15, "l_pitch": 0.1},
        ),
        (0.25, {"r_lift": 0.0, "l_lift": 0.0, "rise": -0.1}),
        # take-off stretch: one line from toes to hands
        (
            0.3,
            {"rise": 0.11, "lean": 0.06, "bend": -0.12, "nod": -0.3, "travel": 0.0, "r_swing": 1.9, "l_swing": 2.2}
            | {
                "r_elbow": 0.5,
                "l_elbow": 0.45,
                "r_wrist": 0.8,
                "r_pitch": 1.15,
                "l_pitch": 1.1,
                "r_lift": 0.02,
                "l_lift": 0.02,
            },
        ),
        # apex: tucked
        (
            0.47,
            {"rise": 0.5, "lean": 0.16, "bend": 0.22, "nod": 0.0, "r_swing": 1.5, "l_swing": 1.75, "r_elbow": 0.9}
            | {"l_elbow": 0.8, "r_lift": 0.78, "l_lift": 0.98, "r_pitch": 0.75, "l_pitch": 0.35, "r_step": -0.3}
            | {"l_step": 0.22, "r_wrist": 0.9, "r_out": 0.5, "l_out": 0.55},
        ),
        # fall: legs reach for the ground, arms stay up
        (
            0.6,
            {"rise": 0.24, "lean": 0.06, "bend": 0.1, "nod": 0.22, "r_swing": 1.9, "l_swing": 2.05, "r_lift": 0.24}
            | {"l_lift": 0.26, "r_pitch": 0.5, "l_pitch": 0.35, "r_step": -0.1, "l_step": 0.2},
        ),
        (
            0.67,
            {"rise": 0.0, "r_lift": 0.0, "l_lift": 0.0, "r_pitch": 0.3, "l_pitch": 0.1, "r_swing": 1.2, "l_swing": 1.3},
        ),
        # squash
        (
            0.74,
            {"rise": -0.42, "lean": 0.5, "bend": 0.42, "nod": 0.1, "r_swing": 0.3, "l_swing": 0.4, "r_elbow": 0.7}
            | {
                "l_elbow": 0.7,
                "r_wrist": 1.5,
                "r_out": 0.5,
                "l_out": 0.5,
                "r_pitch": 0.1,
                "l_pitch": 0.0,
                "r_step": -0.12,
                "l_step": 0.14,
            },
        ),
        (
            0.89,
            {"rise": 0.0, "lean": -0.01, "bend": 0.0, "nod": -0.06, "r_pitch": 0.0, "r_swing": 0.12, "l_swing": 0.16},
        ),
        (
            1.0,
            {"rise": -0.02, "lean": 0.02, "bend": 0.04, "nod": 0.0, "travel": 0.0, "r_swing": -0.08, "l_swing": 0.0}
            | {
                "r_elbow": 0.5,
                "l_elbow": 0.5,
                "r_wrist": 0.95,
                "r_out": 0.22,
                "l_out": 0.22,
                "r_lift": 0.0,
                "l_lift": 0.0,
            }
            | {"r_pitch": 0.0, "l_pitch": 0.0, "r_step": -0.12, "l_step": 0.14},
        ),
    ),
    lag={"r_wrist": 0.03, "nod": 0.02},
)

MOTIONS = (WALK, RUN, JUMP, SNEAK)
