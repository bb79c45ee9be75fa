"""Single actions, judged as an animator would judge them."""

from __future__ import annotations

import numpy as np
import pytest

from pipelines.pose.body import STANDARD
from pipelines.pose.motion import ACTIONS, Style
from pipelines.pose.skeleton import INDEX

X, Y, Z = 0, 1, 2


def of(joints: np.ndarray, name: str) -> np.ndarray:
    """(T, 3) of one joint."""
    return joints[:, INDEX[name]]


def at(name: str, phase: str, count: int = 101) -> tuple[np.ndarray, int]:
    """An action's joints on a fine clock, and the frame of one of its named moments."""
    motion = ACTIONS[name]
    return motion.joints(count), round(motion.phases[phase] * (count if motion.loop else count - 1))


def test_the_overhead_blow_comes_from_behind_and_ends_in_front() -> None:
    joints, windup = at("overhead", "windup")
    hit = at("overhead", "hit")[1]
    tip, head = of(joints, "weapon_tip"), of(joints, "head")
    assert tip[windup, Z] < head[windup, Z] - 0.15 and tip[hit, Z] > head[hit, Z] + 0.3
    assert of(joints, "l_wrist")[windup, Y] > head[windup, Y] < of(joints, "r_wrist")[windup, Y]
    assert windup < np.linalg.norm(np.diff(tip, axis=0), axis=-1).argmax() < hit + 6


def test_the_archer_aims_ahead_and_draws_to_the_jaw() -> None:
    joints, full = at("shoot", "full_draw")
    nock, release = at("shoot", "nock")[1], at("shoot", "release")[1]
    bow, string = of(joints, "l_wrist"), of(joints, "r_wrist")
    aim = bow[full] - of(joints, "l_shoulder")[full]
    assert aim[Z] > 0.95 * np.linalg.norm(aim), "the bow arm points at the target"
    assert np.linalg.norm(bow[nock] - string[nock]) < 0.6 * np.linalg.norm(bow[full] - string[full])
    assert np.linalg.norm(string[full] - of(joints, "head")[full]) < 0.22
    assert string[release + 6, Z] < string[release, Z] - 0.03, "the hand flies back"


@pytest.mark.parametrize("energy", [0.4, 1.0, 1.6])
def test_a_spin_is_a_whole_turn_and_kicks_towards_the_target(energy: float) -> None:
    motion = ACTIONS["spin_kick"]
    joints = motion.joints(101, Style(energy=energy))
    across = of(joints, "l_hip") - of(joints, "r_hip")
    heading = np.unwrap(np.arctan2(across[:, Z], across[:, X]))
    assert abs(heading[-1] - heading[0]) == pytest.approx(2 * np.pi, abs=0.05)
    foot = of(joints, "r_ankle")
    assert foot[:, Z].argmax() == pytest.approx(round(motion.phases["hit"] * 100), abs=6)
    if energy >= 1:
        assert foot[:, Y].max() > 0.35 and foot[:, Z].max() > 0.25


def test_falling_never_touches_and_landing_meets_the_ground_with_its_weight() -> None:
    assert ACTIONS["fall"].joints(24)[..., Y].min() > 0.05
    joints, contact = at("land", "contact")
    squash = at("land", "squash")[1]
    assert joints[0, :, Y].min() > 0.05 and joints[contact + 1, :, Y].min() < 0.01
    height = of(joints, "pelvis")[:, Y]
    assert height[contact] > height[squash] + 0.15 and height[-1] > height[squash] + 0.15


def test_climbing_holds_on_with_one_hand_and_the_other_foot() -> None:
    joints = ACTIONS["climb"].joints(40)
    hands, feet = (of(joints, "r_wrist")[:, Y], of(joints, "r_ankle")[:, Y])
    rising = np.diff(hands[2:18])
    assert (rising < 0).all(), "the body passes the hand that holds"
    planted = np.diff(feet[22:38])
    assert (planted < 0).all() and planted.std() < 0.35 * abs(planted.mean()), "and the foot carries at one speed"


def test_who_sits_sits_on_the_ground() -> None:
    for style in (Style(), Style(0.4), Style(1.6)):
        sat = ACTIONS["sit"].joints(20, style)
        assert of(sat, "pelvis")[-1, Y] < 0.1 and of(sat, "crown")[-1, Y] > 0.4
        assert of(sat, "l_knee")[-1, Y] > of(sat, "pelvis")[-1, Y] + 0.1
        assert np.abs(sat[-1] - sat[-2]).max() < 0.05, "settled"


def test_footsteps_are_named_where_feet_come_down() -> None:
    """These are the moments at which an engine plays the sound of a step."""
    for name in ("walk", "run", "sneak"):
        joints = ACTIONS[name].joints(40)
        for phase, side in (("contact", "r"), ("other_contact", "l")):
            frame = round(ACTIONS[name].phases[phase] * 40) % 40
            low = np.minimum(of(joints, f"{side}_toe")[:, Y], of(joints, f"{side}_ankle")[:, Y] - STANDARD.ankle)
            assert low[(frame + 1) % 40] < 0.02 < low[frame - 4], (name, phase)
