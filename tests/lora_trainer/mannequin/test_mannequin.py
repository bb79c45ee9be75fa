"""The data engine: what it draws is true, and the same again from the same seed."""

from __future__ import annotations

import numpy as np
import pytest

from lora_trainer.mannequin import Shading, View, clip, render, sample_character, sample_shading, stance, still
from lora_trainer.mannequin.anatomy import KINDS
from lora_trainer.mannequin.bones import BONE, BONES, frames_of
from lora_trainer.mannequin.camera import sample_view
from lora_trainer.mannequin.character import unarmed
from lora_trainer.mannequin.solid import PART_ID
from lora_trainer.mannequin.stance import act
from pipelines.figure import ANCHOR, BODY_SHARE
from pipelines.pose.motion import ACTIONS
from pipelines.pose.skeleton import FACINGS, INDEX

SIZE = 64
PLAIN = Shading(outline=0, antialias=False)


def test_same_seed_same_pixels_other_seed_other_character() -> None:
    first, again, other = (clip(np.random.default_rng(seed), "walk", 3, SIZE) for seed in (5, 5, 6))
    assert np.array_equal(first.frames, again.frames) and np.array_equal(first.track.joints, again.track.joints)
    assert not np.array_equal(first.frames, other.frames)


@pytest.mark.parametrize("kind", KINDS)
def test_joints_lie_inside_the_silhouette(kind: str) -> None:
    """Trunk, head and leg joints are covered by paint from every side, on every kind of body."""
    inside = total = 0
    for seed in range(4):
        rng = np.random.default_rng(seed)
        person = sample_character(rng, kind)  # type: ignore[arg-type] # pytest passes a plain str
        for facing in FACINGS:
            drawn = render(person, stance(rng, person.body), sample_view(rng, facing), PLAIN, SIZE)
            for name in ("pelvis", "chest", "head", "l_knee", "r_knee", "l_ankle", "r_ankle"):
                x, y = (drawn.track.joints[0, INDEX[name], :2] * SIZE).astype(int)
                patch = drawn.frames[0, max(y - 1, 0) : y + 2, max(x - 1, 0) : x + 2, 3]
                inside, total = inside + bool(patch.any()), total + 1
    assert inside / total > 0.97


def test_frames_are_lossless_straight_alpha_with_matching_parts() -> None:
    for seed in range(6):
        drawn = still(np.random.default_rng(seed), SIZE)
        alpha = drawn.frames[..., 3]
        assert drawn.frames.dtype == np.uint8 and drawn.parts.dtype == np.int16
        assert (drawn.frames[..., :3][alpha == 0] == 0).all()
        assert np.array_equal(drawn.parts >= 0, alpha > 0)
        assert alpha.max() == 255


def test_parts_carry_the_names_of_the_rig() -> None:
    person = unarmed(sample_character(np.random.default_rng(3), "adult"))
    drawn = render(person, stance(np.random.default_rng(0), person.body), View(), PLAIN, SIZE)
    found = set(np.unique(drawn.parts)) - {-1}
    assert {PART_ID["torso"], PART_ID["head"], PART_ID["r_upper_leg"], PART_ID["r_foot"]} <= found
    assert PART_ID["weapon"] not in found
    head = drawn.track.joints[0, INDEX["head"], :2] * SIZE
    assert drawn.parts[0, int(head[1]), int(head[0])] == PART_ID["head"]


def test_framing_is_the_cell_contract() -> None:
    """The ground point stands on the anchor and the body takes its share, whatever the view (field report 22)."""
    person = unarmed(sample_character(np.random.default_rng(11), "adult"))
    joints = ACTIONS["idle"].joints(1, body=person.body)
    for azimuth in (np.pi / 2, 0.0, -np.pi / 2, np.pi):
        drawn = render(person, joints, View(azimuth), PLAIN, 128)
        crown, toe = (drawn.track.joints[0, INDEX[name]] for name in ("crown", "r_toe"))
        assert toe[1] - crown[1] == pytest.approx(BODY_SHARE, abs=0.03)
        lowest = np.nonzero(drawn.frames[0, ..., 3].any(1))[0][-1] + 1
        assert abs(lowest / 128 - ANCHOR[1]) < 0.03
    for seed in range(20):
        assert 0.93 * BODY_SHARE < sample_view(np.random.default_rng(seed)).scale < 1.07 * BODY_SHARE


def test_near_hides_far() -> None:
    """Facing right the right leg is near: its paint lies over the left one's."""
    person = unarmed(sample_character(np.random.default_rng(4), "adult"))
    joints = ACTIONS["walk"].joints(8, body=person.body)[2:3]
    right = render(person, joints, View(np.pi / 2), PLAIN, 128).parts
    left = render(person, joints, View(-np.pi / 2), PLAIN, 128).parts
    near, far = PART_ID["r_upper_leg"], PART_ID["l_upper_leg"]
    assert (right == near).sum() > (right == far).sum() and (left == far).sum() > (left == near).sum()


def test_view_names_its_facing() -> None:
    named = {0.0: "front", 60.0: "right", 100.0: "right", -45.0: "left", 175.0: "back", 200.0: "back"}
    for degrees, facing in named.items():
        assert View(np.radians(degrees)).facing == facing


def test_absent_joints_have_no_confidence() -> None:
    people = [sample_character(np.random.default_rng(seed)) for seed in range(60)]
    armless = [p for p in people if not p.anatomy.has_arms]
    assert armless and all(p.confidence[INDEX["l_elbow"]] == 0 and p.weapon is None for p in armless)
    share = np.mean([p.weapon is not None for p in people])
    assert 0.3 < share < 0.75
    for person in people:
        assert (person.confidence[INDEX["weapon_tip"]] > 0) == (person.weapon is not None)
        assert person.body.height == pytest.approx(1, abs=1e-6)


def test_weapon_paint_reaches_the_tip() -> None:
    reached = 0
    people = [p for p in (sample_character(np.random.default_rng(seed)) for seed in range(40)) if p.weapon][:12]
    for number, person in enumerate(people):
        drawn = render(person, stance(np.random.default_rng(number), person.body), View(), PLAIN, 160)
        x, y = (drawn.track.joints[0, INDEX["weapon_tip"], :2] * 160).astype(int)
        if not (4 <= x < 156 and 4 <= y < 156):
            reached += 1
            continue
        reached += bool((drawn.parts[0, y - 4 : y + 5, x - 4 : x + 5] == PART_ID["weapon"]).any())
    assert reached >= len(people) - 1


def test_bone_frames_are_rotations_that_follow_their_bones() -> None:
    joints = act(np.random.default_rng(1), "slash", 9)
    origins, axes = frames_of(joints)
    assert axes.shape == (9, len(BONES), 3, 3)
    np.testing.assert_allclose(axes.transpose(0, 1, 3, 2) @ axes, np.broadcast_to(np.eye(3), axes.shape), atol=1e-5)
    np.testing.assert_allclose(np.linalg.det(axes), 1, atol=1e-5)
    elbow = joints[:, INDEX["r_elbow"]]
    forearm = joints[:, INDEX["r_wrist"]] - elbow
    along = -axes[:, BONE["r_lower_arm"], :, 1] * np.linalg.norm(forearm, axis=-1, keepdims=True)
    np.testing.assert_allclose(along, forearm, atol=1e-4)
    np.testing.assert_allclose(origins[:, BONE["r_lower_arm"]], elbow, atol=1e-6)


def test_manners_differ_and_pixel_art_has_hard_edges() -> None:
    person = sample_character(np.random.default_rng(2))
    joints = stance(np.random.default_rng(2), person.body)
    hard = render(person, joints, View(), Shading(antialias=False), SIZE).frames
    soft = render(person, joints, View(), Shading(antialias=True), SIZE).frames
    assert set(np.unique(hard[..., 3])) == {0, 255} and len(np.unique(soft[..., 3])) > 2
    flat = render(person, joints, View(), Shading(bands=1, outline=0, antialias=False, levels=4), SIZE).frames[0]
    lit = render(person, joints, View(), Shading(bands=0, outline=0, antialias=False), SIZE).frames[0]
    assert len(np.unique(flat[flat[..., 3] > 0], axis=0)) < len(np.unique(lit[lit[..., 3] > 0], axis=0)) / 3
    lined = render(person, joints, View(), Shading(outline=2, line=(1, 0, 0), antialias=False), SIZE).frames
    assert (lined[..., 3] > 0).sum() > (hard[..., 3] > 0).sum() * 0.99
    assert ((lined[..., :3] == (255, 0, 0)).all(-1)).sum() > 40
    assert len({sample_shading(np.random.default_rng(seed)) for seed in range(8)}) == 8


def test_unknown_action_is_refused() -> None:
    with pytest.raises(KeyError):
        clip(np.random.default_rng(0), "moonwalk", 2, SIZE)
