"""What is done to the character: a hit taken, and the last one."""

from __future__ import annotations

from ..motion import REST, Motion

HURT = Motion(
    "hurt",
    "Hurt",
    loop=False,
    frames=6,
    fps=12,
    phases={"impact": 0.16, "recoil": 0.36},
    keys=(
        (0.0, REST),
        # the head snaps first
        (0.16, {"nod": -0.55, "bend": -0.16, "lean": -0.08, "travel": -0.05, "turn": -0.2}),
        # then the body recoils; arms are left behind, in front
        (
            0.36,
            {"nod": -0.2, "bend": -0.28, "lean": -0.3, "travel": -0.26, "rise": -0.1, "r_swing": 0.85, "l_swing": 1.0}
            | {"r_out": 0.6, "l_out": 0.6, "r_elbow": 0.5, "l_elbow": 0.55, "twist": -0.3, "r_wrist": 0.4}
            | {"l_pitch": -0.35, "r_step": -0.34, "r_pitch": 0.0, "turn": 0.1},
        ),
        # and folds before it finds its feet
        (
            0.6,
            {"nod": 0.3, "bend": 0.34, "lean": -0.02, "travel": -0.2, "rise": -0.16, "r_swing": 0.15, "l_swing": 0.3}
            | {
                "r_out": 0.35,
                "l_out": 0.35,
                "r_elbow": 1.0,
                "l_elbow": 1.2,
                "l_pitch": 0.0,
                "r_step": -0.34,
                "twist": 0.05,
            },
        ),
        (1.0, REST),
    ),
    lag={"r_wrist": 0.04},
)

_ON_BACK = {"lean": -1.53, "bend": -0.04, "rise": -0.88, "travel": -0.44, "twist": 0.0, "yaw": 0.0}
DIE = Motion(
    "die",
    "Die",
    loop=False,
    frames=10,
    fps=10,
    phases={"impact": 0.1, "knees": 0.36, "ground": 0.68, "still": 0.9},
    settles=0.66,
    keys=(
        (0.0, REST),
        (
            0.1,
            {"nod": -0.45, "bend": -0.2, "lean": -0.16, "travel": -0.1, "rise": -0.05, "r_swing": 0.5, "l_swing": 0.6},
        ),
        # stagger back
        (
            0.24,
            {"nod": 0.15, "bend": 0.18, "lean": -0.16, "travel": -0.26, "rise": -0.14, "r_step": -0.5, "l_step": 0.1}
            | {"r_swing": 0.25, "l_swing": 0.4, "r_elbow": 0.8, "l_elbow": 0.9, "r_out": 0.4, "l_out": 0.4}
            | {"r_pitch": 0.0, "l_pitch": -0.1, "r_wrist": 0.5},
        ),
        # knees give
        (
            0.42,
            {"nod": 0.1, "bend": 0.2, "lean": -0.5, "travel": -0.42, "rise": -0.42, "r_step": -0.5, "l_step": 0.1}
            | {"r_swing": 1.0, "l_swing": 1.1, "r_elbow": 0.5, "l_elbow": 0.5, "l_pitch": 0.0, "r_wrist": 0.3},
        ),
        # seat meets the ground, the back follows, arms whip over
        (
            0.56,
            {"nod": 0.25, "bend": 0.12, "lean": -1.05, "travel": -0.5, "rise": -0.83, "r_step": -0.14, "l_step": 0.24}
            | {"r_swing": 1.3, "l_swing": 1.5, "r_out": 0.6, "l_out": 0.6, "r_elbow": 0.3, "l_elbow": 0.3},
        ),
        (
            0.68,
            {**_ON_BACK, "nod": -0.08, "r_swing": 0.35, "l_swing": 0.5, "r_out": 1.0, "l_out": 1.0}
            | {"r_step": 0.24, "l_step": 0.48, "r_pitch": 0.0, "l_pitch": -0.3, "r_elbow": 0.1, "l_elbow": 0.1},
        ),
        # one small bounce, legs slide out, everything settles
        (
            0.77,
            {
                "lean": -1.42,
                "bend": 0.06,
                "nod": 0.1,
                "r_swing": 0.25,
                "l_swing": 0.3,
                "l_pitch": -0.9,
                "r_pitch": -0.1,
            },
        ),
        (
            0.9,
            {**_ON_BACK, "nod": 0.0, "r_swing": 0.02, "l_swing": 0.02, "r_out": 0.85, "l_out": 0.75}
            | {
                "r_step": 0.4,
                "l_step": 0.58,
                "l_pitch": -1.2,
                "r_pitch": -0.5,
                "r_elbow": 0.06,
                "l_elbow": 0.1,
                "r_wrist": 0.0,
            },
        ),
        (
            1.0,
            {
                **_ON_BACK,
                "nod": 0.0,
                "r_swing": 0.02,
                "l_swing": 0.02,
                "l_pitch": -1.25,
                "r_pitch": -0.6,
                "l_step": 0.6,
                "r_step": 0.42,
            },
        ),
    ),
)

MOTIONS = (HURT, DIE)
