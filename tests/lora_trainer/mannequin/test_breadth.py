"""The variety that the data engine promises: bodies, hands, and what moves by itself."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from lora_trainer.mannequin import Shading, View, render, sample_character, stance
from lora_trainer.mannequin.anatomy import KINDS, sample_anatomy
from lora_trainer.mannequin.bones import BONE, frames_of
from lora_trainer.mannequin.character import Mannequin, left_handed
from lora_trainer.mannequin.solid import PART_ID
from pipelines.pose.motion import ACTIONS, REST
from pipelines.pose.skeleton import INDEX

PLAIN = Shading(outline=0, antialias=False)


def both_hands_full() -> Mannequin:
    people = (sample_character(np.random.default_rng(seed)) for seed in range(200))
    return next(p for p in people if p.weapon == "sword" and p.offhand == "shield")


def test_every_kind_of_body_is_drawn_from_its_own_proportions() -> None:
    rng = np.random.default_rng(0)
    limbs = {
        kind: np.mean([(b.leg + b.upper_arm + b.forearm) for b in (sample_anatomy(rng, kind).body for _ in range(40))])
        for kind in KINDS
    }
    assert max(limbs, key=lambda kind: limbs[kind]) == "long-limbed" and limbs["long-limbed"] > 1.1 * limbs["adult"]
    assert min(limbs, key=lambda kind: limbs[kind]) in ("chibi", "creature")
    found = {sample_anatomy(np.random.default_rng(seed)).kind for seed in range(200)}
    assert found == set(KINDS)


def test_the_left_handed_hold_the_same_things_in_the_other_hands() -> None:
    right = both_hands_full()
    left = left_handed(right)
    assert (left.weapon, left.offhand) == ("shield", "sword")
    assert (left.body.weapon, left.body.offhand) == (right.body.offhand, right.body.weapon)
    assert left_handed(left) == right
    assert replace(left.body, weapon=0, offhand=0) == replace(right.body, weapon=0, offhand=0)
    shields = [[s for s in p.solids if s.bone == bone] for p, bone in ((right, "offhand"), (left, "weapon"))]
    for one, other in zip(*shields, strict=True):
        assert other.centre == (-one.centre[0], *one.centre[1:]), "the face of the shield looks outwards on both sides"
    parts = render(left, stance(np.random.default_rng(4), left.body), View(0.3), PLAIN, 128).parts
    assert (parts == PART_ID["weapon"]).sum() > 40 and (parts == PART_ID["offhand"]).sum() > 40


def test_a_share_of_characters_is_left_handed() -> None:
    people = [sample_character(np.random.default_rng(seed)) for seed in range(300)]
    lefties = [p for p in people if p.offhand in ("sword", "axe", "staff", "spear", "club", "hammer")]
    assert 0.02 < len(lefties) / len(people) < 0.15
    assert {"bow", "shield"} & {p.weapon for p in people}, "what others hold in the left"


def test_cape_and_long_hair_stay_behind_when_the_body_leaps() -> None:
    """Secondary motion: what hangs trails the root, and later than the root moves."""
    joints = np.repeat(ACTIONS["slash"].joints(1), 9, 0)
    step = np.array([0, 0, 0, 0, 0.1, 0.2, 0.2, 0.2, 0.2])
    joints[..., 2] += step[:, None]
    axes = frames_of(joints)[1]
    for name in ("cape", "locks", "hem"):
        behind = -axes[:, BONE[name], 2, 1]  # forward part of the direction in which it hangs
        assert behind[4] < behind[0] - 0.03, f"{name} trails"
        assert behind[6] < behind[0] - 0.005, f"{name} is late: the body already stands"
        assert behind[8] == pytest.approx(behind[0], abs=1e-6), f"{name} comes to rest"


def test_long_hair_is_part_of_the_head() -> None:
    people = [sample_character(np.random.default_rng(seed), "adult") for seed in range(60)]
    locks = [s for p in people for s in p.solids if s.other_bone == "locks"]
    assert len(locks) >= 4 and {s.part_id for s in locks} == {PART_ID["head"]}


def test_who_lies_or_sits_keeps_no_habit_that_lifts_a_limb() -> None:
    from lora_trainer.mannequin.stance import act

    for action in ("die", "sit"):
        ends = [act(np.random.default_rng(seed), action, 8)[-1] for seed in range(6)]
        arms = np.array([end[INDEX["l_wrist"], 1] - end[INDEX["l_shoulder"], 1] for end in ends])
        assert np.ptp(arms) < 0.06, action
    assert set(REST) == set(ACTIONS["idle"].channels(np.zeros(1)))
