"""Every pixel belongs to the part that an artist would give it to."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from pipelines.figure import Figure
from pipelines.pose.skeleton import INDEX, N_JOINTS
from pipelines.rig.parts import PART, PARTS, part_map

NEAR = 6


def _at(labels: np.ndarray, figure: Figure, one: str, two: str, share: float = 0.5) -> str:
    a, b = figure.joints[INDEX[one], :2], figure.joints[INDEX[two], :2]
    x, y = (a + (b - a) * share).astype(int)
    return PARTS[labels[y, x]].name


def test_every_bone_lies_in_its_own_part(figure: Figure) -> None:
    labels = part_map(figure)
    assert labels.dtype == np.int16 and labels.shape == figure.art.shape[:2]
    assert ((labels == -1) == (figure.art[..., 3] == 0)).all()
    for part in PARTS:
        if part.name == "offhand":
            assert not (labels == PART["offhand"]).any()
            continue
        start, end = part.bone
        x, y = (figure.joints[start, :2] * 0.4 + figure.joints[end, :2] * 0.6).astype(int)
        assert PARTS[labels[y, x]].name == part.name


def test_cut_follows_the_outline_between_arm_and_trunk(figure: Figure) -> None:
    labels = part_map(figure)
    red = (np.abs(figure.art[..., :3].astype(int) - (200, 60, 60)).max(-1) < 10) & (figure.art[..., 3] == 255)
    blue = (np.abs(figure.art[..., :3].astype(int) - (110, 150, 230)).max(-1) < 10) & (figure.art[..., 3] == 255)
    arm = np.isin(labels, [PART["r_upper_arm"], PART["r_lower_arm"]])
    assert (labels[red] == PART["torso"]).mean() > 0.97  # no trunk glued to a limb
    assert arm[blue].mean() > 0.97


def test_missing_joints_merge_into_the_parent(figure: Figure) -> None:
    joints = figure.joints.copy()
    for name in ("r_shoulder", "r_elbow", "r_wrist", "weapon_tip", "l_toe", "r_toe"):
        joints[INDEX[name], 2] = 0
    labels = part_map(replace(figure, joints=joints))
    present = {PARTS[number].name for number in np.unique(labels) if number >= 0}
    assert not present & {"r_upper_arm", "r_lower_arm", "weapon", "l_foot", "r_foot"}
    assert _at(labels, figure, "l_ankle", "l_toe", 0.9) == "l_lower_leg"


def test_no_joints_at_all_still_gives_a_map(figure: Figure) -> None:
    labels = part_map(replace(figure, joints=np.zeros((N_JOINTS, 3), np.float32)))
    assert set(np.unique(labels)) <= {-1, PART["torso"], PART["head"]}


def test_painted_parts_win(figure: Figure) -> None:
    painted = np.full(figure.art.shape[:2], -1, np.int16)
    painted[40:60, 110:130] = PART["torso"]
    labels = part_map(replace(figure, parts=painted))
    assert (labels[45:55, 115:125] == PART["torso"]).all()
    assert labels[35, 120] == PART["head"]


def test_joint_outside_the_art_falls_back_to_the_nearest_pixel(figure: Figure) -> None:
    joints = figure.joints.copy()
    joints[INDEX["l_elbow"], :2] += (30, 0)
    joints[INDEX["l_wrist"], :2] += (30, 0)
    labels = part_map(replace(figure, joints=joints))
    assert np.isin(labels, [PART["l_upper_arm"], PART["l_lower_arm"]]).sum() > 50


@pytest.mark.parametrize("shape", [(1, 1), (3, 40), (40, 3)])
def test_tiny_and_empty_art(shape: tuple[int, int]) -> None:
    empty = np.zeros((*shape, 4), np.uint8)
    joints = np.zeros((N_JOINTS, 3), np.float32)
    assert (part_map(Figure(empty, joints)) == -1).all()
    solid = np.full((*shape, 4), 255, np.uint8)
    assert (part_map(Figure(solid, joints)) >= 0).all()


def test_island_takes_the_part_nearby(figure: Figure) -> None:
    art = figure.art.copy()
    art[4:9, 116:124] = (250, 0, 0, 255)  # a jewel that floats above the head
    labels = part_map(replace(figure, art=art))
    assert labels[6, 120] == PART["head"]
