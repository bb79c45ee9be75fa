"""The motion library, judged as an animator and as the rig would."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipelines.pose.body import STANDARD, Body
from pipelines.pose.draw import draw_skeleton, view_of
from pipelines.pose.motion import ACTIONS, DEEPEST, REST, Motion, Style
from pipelines.pose.skeleton import INDEX, PARENT

CHIBI = Body(thigh=0.14, shin=0.13, spine=0.2, skull=0.2, crown=0.2, neck=0.02, upper_arm=0.12, forearm=0.1)
BODIES = {"standard": STANDARD, "chibi": CHIBI}
PROMISED = {"idle", "walk", "run", "sneak", "jump", "fall", "land", "crouch", "slash", "thrust", "overhead", "shoot"}
PROMISED |= {"punch", "kick", "spin_kick", "block", "cast", "throw", "hurt", "die", "cheer", "climb", "dash", "sit"}
X, Y, Z = 0, 1, 2


def of(joints: np.ndarray, name: str) -> np.ndarray:
    """(T, 3) of one joint."""
    return joints[:, INDEX[name]]


def bones(joints: np.ndarray) -> np.ndarray:
    """(T, 20) bone lengths."""
    return np.stack([np.linalg.norm(joints[:, j] - joints[:, p], axis=-1) for j, p in enumerate(PARENT) if p >= 0], -1)


def test_the_library_has_what_the_studio_promises() -> None:
    assert set(ACTIONS) >= PROMISED
    for name, motion in ACTIONS.items():
        assert motion.name == name and motion.title and motion.fps > 0 and motion.frames >= 6
        assert all(0 <= time <= 1 for time in motion.phases.values()) and list(motion.phases.values()) == sorted(
            motion.phases.values()
        )
        assert all(channel in REST for _, pose in motion.keys for channel in pose)
        named = [(time, channel) for time, pose in motion.keys for channel in pose]
        assert len(set(named)) == len(named), f"{name} keys a channel twice at one time"


@pytest.mark.parametrize("name", sorted(ACTIONS))
@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES.keys())
@pytest.mark.parametrize("style", [Style(), Style(1.6, 1.3, 1.5), Style(0.4, 0.6, 0.0)], ids=["keyed", "wild", "tired"])
def test_bones_are_rigid_and_nothing_sinks(name: str, body: Body, style: Style) -> None:
    """Field report 36: limbs must not stretch; feet must not go through the floor."""
    joints = ACTIONS[name].joints(16, style, body)
    assert joints.shape == (16, 21, 3) and joints.dtype == np.float32 and np.isfinite(joints).all()
    lengths = bones(joints)
    np.testing.assert_allclose(lengths, lengths[:1].repeat(16, 0), atol=2e-4)
    assert np.allclose(lengths[0, PARENT.index(INDEX["r_elbow"]) - 1], body.forearm, atol=1e-4)
    assert joints[..., Y].min() > -0.004
    assert abs(bones(joints)[0, INDEX["weapon_tip"] - 1] - body.weapon) < 1e-4


@pytest.mark.parametrize("name", sorted(n for n, m in ACTIONS.items() if m.loop))
def test_a_loop_has_no_seam(name: str) -> None:
    """The step from the last frame to the first is like any other step (field report 24: hitching loops)."""
    motion = ACTIONS[name]
    joints = motion.joints(32)
    steps = np.linalg.norm(np.diff(np.concatenate([joints, joints[:1]]), axis=0), axis=-1).max(-1)
    assert steps[-1] <= steps[:-1].max() * 1.05 + 1e-6
    closed = motion.channels(np.array([0.0, 1.0]))
    for curve in closed.values():
        assert abs(curve[0] - curve[1]) < 1e-9


@pytest.mark.parametrize("name", sorted(n for n, m in ACTIONS.items() if not m.loop))
def test_an_action_starts_relaxed_and_returns(name: str) -> None:
    motion = ACTIONS[name]
    ends = motion.channels(np.array([0.0, 1.0]))
    for channel, rest in REST.items():
        start, stop = ends[channel]
        if name != "land":  # comes out of the air
            assert start == pytest.approx(rest, abs=1e-6), channel
        if motion.settles is None:  # the dead and the seated stay down
            whole = np.round((stop - rest) / (2 * np.pi)) * 2 * np.pi if channel == "spin" else 0
            assert stop - whole == pytest.approx(rest, abs=1e-6), channel


def test_the_body_stands_one_high_with_feet_on_the_ground() -> None:
    joints = ACTIONS["slash"].joints(8)[:1]
    assert STANDARD.height == pytest.approx(1, abs=0.02)
    assert of(joints, "crown")[0, Y] == pytest.approx(1, abs=0.03)
    assert of(joints, "l_toe")[0, Y] == pytest.approx(0, abs=1e-4)
    assert of(joints, "l_shoulder")[0, X] > 0 > of(joints, "r_shoulder")[0, X]
    assert of(joints, "l_toe")[0, Z] > of(joints, "l_ankle")[0, Z]


def test_walk_passes_through_its_four_poses() -> None:
    walk = ACTIONS["walk"]
    joints = walk.joints(8)
    contact, down, passing, up = (round(walk.phases[p] * 8) for p in ("contact", "down", "passing", "up"))
    pelvis, right, left = of(joints, "pelvis"), of(joints, "r_ankle"), of(joints, "l_ankle")
    assert right[contact, Z] - left[contact, Z] > 0.25, "feet apart at contact"
    assert pelvis[down, Y] < pelvis[contact, Y] < pelvis[up, Y]
    assert left[passing, Y] > right[passing, Y] + 0.03, "the passing foot is off the ground"
    assert of(joints, "r_toe")[contact, Y] > 0.02, "heel strikes first"
    twist = of(joints, "l_shoulder")[:, Z] - of(joints, "r_shoulder")[:, Z]
    hips = of(joints, "l_hip")[:, Z] - of(joints, "r_hip")[:, Z]
    assert np.corrcoef(twist, hips)[0, 1] < -0.8, "shoulders turn against the hips"
    assert np.corrcoef(right[:, Z], of(joints, "r_wrist")[:, Z])[0, 1] < -0.7, "arms swing against legs"


def test_planted_foot_moves_at_walking_speed_without_sliding() -> None:
    ankle = of(ACTIONS["walk"].joints(40), "r_ankle")[4:16]
    speed = np.diff(ankle[:, Z])
    assert (speed < 0).all() and speed.std() < 0.15 * abs(speed.mean())


def test_run_flies_and_jump_leaves_the_ground() -> None:
    soles = np.minimum(*(of(ACTIONS["run"].joints(48), f"{s}_toe")[:, Y] for s in "lr"))
    assert soles.max() > 0.015, "a flight phase"
    assert np.percentile(soles, 30) < 0.01, "and contact"
    jump = ACTIONS["jump"]
    joints = jump.joints(31)
    height = of(joints, "pelvis")[:, Y]
    at = {name: round(time * 30) for name, time in jump.phases.items()}
    assert height[at["crouch"]] < height[0] - 0.1 and height[at["squash"]] < height[0] - 0.1
    assert height[at["apex"]] > height[0] + 0.15 and joints[at["apex"], :, Y].min() > 0.1
    assert abs(height[-1] - height[0]) < 1e-4


def test_slash_winds_up_behind_the_head_and_cuts_through() -> None:
    slash = ACTIONS["slash"]
    joints = slash.joints(57)
    tip, head = of(joints, "weapon_tip"), of(joints, "head")
    windup, hit, follow = (round(slash.phases[p] * 56) for p in ("windup", "hit", "follow"))
    assert tip[windup, Z] < head[windup, Z] - 0.15 and tip[windup, Y] > 0.8
    assert tip[hit, Z] > head[hit, Z] + 0.2
    assert tip[follow, Y] < 0.4
    speed = np.linalg.norm(np.diff(tip, axis=0), axis=-1)
    assert windup < speed.argmax() < follow, "the arc is the fast part"


def test_head_snaps_before_the_body_and_the_dead_lie_down() -> None:
    hurt = ACTIONS["hurt"].channels(np.linspace(0, 1, 61))
    assert abs(hurt["nod"]).argmax() < abs(hurt["travel"]).argmax()
    die = ACTIONS["die"].joints(20)
    assert of(die, "crown")[-1, Y] < 0.2 and of(die, "crown")[-1, Z] < of(die, "pelvis")[-1, Z]
    assert np.abs(die[-1] - die[-2]).max() < 0.05, "settled"


@settings(max_examples=25, deadline=None)
@given(name=st.sampled_from(sorted(ACTIONS)), low=st.floats(0.3, 0.9), more=st.floats(0.2, 0.6))
def test_energy_makes_the_movement_larger(name: str, low: float, more: float) -> None:
    def size(energy: float) -> float:
        curves = ACTIONS[name].channels(np.linspace(0, 1, 24), Style(energy=energy))
        return float(sum(np.ptp(c) for n, c in curves.items() if not n.endswith("_step") and n != "travel"))

    assert size(low + more) > size(low)


def test_stride_anticipation_and_depth_limit() -> None:
    def span(style: Style) -> float:
        return float(np.ptp(ACTIONS["walk"].channels(np.linspace(0, 1, 40), style)["r_step"]))

    assert span(Style(stride=1.4)) == pytest.approx(1.4 * span(Style()), rel=0.02)
    slash = ACTIONS["slash"]
    middle = np.array([sum(slash.windup or ()) / 2])
    assert slash.channels(middle, Style(anticipation=0.2))["r_swing"] < slash.channels(middle)["r_swing"]
    assert ACTIONS["jump"].channels(np.linspace(0, 1, 40), Style(energy=2.0))["rise"].min() >= DEEPEST


@pytest.mark.parametrize("frames", [1, 2, 7, 60])
def test_any_number_of_frames(frames: int) -> None:
    for motion in ACTIONS.values():
        assert motion.joints(frames).shape == (frames, 21, 3)
    with pytest.raises(ValueError, match="got 0"):
        ACTIONS["walk"].joints(0)


def test_a_new_action_is_a_table() -> None:
    wave = Motion("wave", "Wave", False, 6, 12, {}, ((0.0, REST), (0.5, {"l_swing": 2.8}), (1.0, REST)))
    joints = wave.joints(5)
    assert of(joints, "l_wrist")[2, Y] > of(joints, "head")[2, Y] > of(joints, "r_wrist")[2, Y]


def test_drawing_is_antialiased_and_hides_what_is_missing() -> None:
    track = view_of(ACTIONS["walk"].joints(3))
    frames = draw_skeleton(track, 96)
    assert frames.shape == (3, 96, 96, 4) and frames.dtype == np.uint8
    alpha = frames[..., 3]
    assert ((alpha > 0) & (alpha < 255)).any() and (frames[..., :3][alpha == 0] == 0).all()
    lowest = np.nonzero((alpha[0] > 0).any(1))[0][-1]
    assert abs(lowest / 96 - 0.86) < 0.03, "stands on the anchor"
    none = np.zeros((21, 3), np.float32)
    assert not draw_skeleton(none, (40, 30)).any() and draw_skeleton(none, (40, 30)).shape == (1, 30, 40, 4)


def test_views_put_the_right_hand_where_it_is() -> None:
    joints = ACTIONS["idle"].joints(1)
    wrist, middle = INDEX["r_wrist"], INDEX["pelvis"]
    front, back = (view_of(joints, facing).joints[0] for facing in ("front", "back"))
    assert front[wrist, 0] < front[middle, 0] and back[wrist, 0] > back[middle, 0]
    right, left = (view_of(joints, facing).joints[0] for facing in ("right", "left"))
    assert right[wrist, 2] > right[middle, 2] and left[wrist, 2] < left[middle, 2]
    assert right[INDEX["r_toe"], 0] > right[INDEX["r_ankle"], 0]
