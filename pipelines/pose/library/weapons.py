"""Attacks that take both hands: the overhead blow and the bow."""

from __future__ import annotations

from ..motion import REST, Motion

OVERHEAD = Motion(
    "overhead",
    "Overhead blow",
    loop=False,
    frames=9,
    fps=12,
    phases={"windup": 0.34, "hit": 0.58, "recoil": 0.7},
    windup=(0.0, 0.5),
    keys=(
        (0.0, REST),
        # a small dip, then up on the toes, back arched, both hands behind the head
        (
            0.12,
            {"rise": -0.12, "bend": 0.16, "lean": 0.1, "r_swing": 0.3, "l_swing": 0.4, "r_elbow": 0.9, "l_elbow": 1.0},
        ),
        (
            0.34,
            {"rise": 0.03, "travel": -0.1, "lean": -0.12, "bend": -0.26, "nod": 0.12, "r_swing": 2.95, "l_swing": 2.85},
        ),
        (0.34, {"r_elbow": 1.2, "l_elbow": 1.25, "r_out": 0.1, "l_out": 0.0, "r_roll": 0.2, "l_roll": 0.4}),
        (0.34, {"r_wrist": 0.9, "l_wrist": 0.5, "r_pitch": 0.55, "l_pitch": 0.4, "l_lift": 0.0, "l_step": 0.14}),
        # hang in the air a moment, the front foot steps in
        (0.46, {"rise": 0.0, "travel": 0.0, "bend": -0.3, "r_swing": 3.05, "l_swing": 2.95, "r_wrist": 1.15}),
        (0.46, {"l_step": 0.42, "l_lift": 0.13, "l_pitch": -0.2, "r_pitch": 0.6}),
        # everything drops at once, the weapon last
        (
            0.58,
            {"rise": -0.28, "travel": 0.24, "lean": 0.42, "bend": 0.42, "nod": -0.3, "r_swing": 1.75, "l_swing": 1.65},
        ),
        (0.58, {"r_elbow": 0.1, "l_elbow": 0.3, "r_wrist": 0.1, "l_step": 0.62, "l_lift": 0.0, "l_pitch": 0.0}),
        (0.58, {"r_pitch": 0.6, "r_out": -0.06}),
        # the ground throws it back a little; he stays on it
        (
            0.7,
            {
                "rise": -0.32,
                "lean": 0.46,
                "bend": 0.48,
                "r_swing": 1.6,
                "l_swing": 1.5,
                "r_wrist": 0.35,
                "l_step": 0.62,
            },
        ),
        (
            0.8,
            {
                "rise": -0.28,
                "travel": 0.2,
                "lean": 0.36,
                "bend": 0.4,
                "r_wrist": 0.2,
                "r_elbow": 0.3,
                "r_swing": 1.1,
                "l_swing": 1.1,
                "r_pitch": 0.5,
            },
        ),
        (0.9, {"l_step": 0.36, "l_lift": 0.06, "r_pitch": 0.2, "rise": -0.1, "lean": 0.12}),
        (1.0, REST),
    ),
    lag={"r_wrist": 0.03, "nod": 0.02},
)

_SIDE_ON = {"yaw": -0.4, "l_step": 0.3, "r_step": -0.26, "l_swing": 1.5, "l_out": 1.05, "l_elbow": 0.08, "l_wrist": 1.5}
SHOOT = Motion(
    "shoot",
    "Bow shot",
    loop=False,
    frames=10,
    fps=10,
    phases={"nock": 0.24, "full_draw": 0.52, "release": 0.66},
    windup=(0.3, 0.66),
    keys=(
        (0.0, REST),
        # bow arm up, the other hand meets it on the string; the body turns side on
        (0.24, {**_SIDE_ON, "l_out": 0.55, "l_swing": 1.3, "l_elbow": 0.35, "twist": -0.3, "turn": 0.6, "rise": -0.05}),
        (0.24, {"r_swing": 1.25, "r_out": -0.35, "r_elbow": 0.75, "r_wrist": 0.2, "bend": 0.08, "nod": 0.08}),
        # draw: the elbow travels back at shoulder height, chest opens, hand stops at the jaw
        (0.52, {**_SIDE_ON, "twist": -0.8, "turn": 1.15, "rise": -0.1, "travel": -0.05, "lean": -0.04, "bend": -0.06}),
        (0.52, {"r_swing": 0.3, "r_out": 1.35, "r_elbow": 2.45, "r_wrist": 0.0, "nod": 0.0, "r_pitch": 0.0}),
        # hold, sinking a little into it
        (
            0.64,
            {**_SIDE_ON, "twist": -0.84, "turn": 1.18, "rise": -0.115, "r_swing": 0.3, "r_out": 1.38, "r_elbow": 2.5},
        ),
        (0.64, {"lean": -0.06, "bend": -0.08}),
        # release: the hand flies back past the ear, the bow arm kicks
        (0.72, {"r_out": 1.6, "r_elbow": 1.25, "twist": -0.95, "l_swing": 1.62, "l_wrist": 1.1, "lean": -0.1}),
        (0.84, {**_SIDE_ON, "r_out": 1.2, "r_elbow": 1.1, "r_swing": 0.1, "twist": -0.7, "turn": 1.05, "rise": -0.08}),
        (0.84, {"r_wrist": 0.5, "travel": -0.03}),
        (1.0, REST),
    ),
    lag={"turn": -0.02, "l_wrist": 0.02},
)

MOTIONS = (OVERHEAD, SHOOT)
