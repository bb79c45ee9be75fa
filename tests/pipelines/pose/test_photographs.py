"""People in films: real OpenPose code with random weights, and the way from its key points to the skeleton."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from pipelines.errors import MissingWeightsError, NoFigureError
from pipelines.pose.photographs import OPENPOSE_BODY, PeopleDetector, facing_of, from_body18, largest
from pipelines.pose.skeleton import INDEX

PLACES = {
    "nose": (58, 20),
    "neck": (50, 40),
    "r_shoulder": (44, 40),
    "r_elbow": (40, 55),
    "r_wrist": (42, 70),
    "l_shoulder": (56, 40),
    "l_elbow": (60, 55),
    "l_wrist": (62, 70),
    "r_hip": (46, 75),
    "r_knee": (45, 95),
    "r_ankle": (44, 115),
    "l_hip": (54, 75),
    "l_knee": (56, 95),
    "l_ankle": (58, 115),
    "r_eye": (56, 18),
    "l_eye": (60, 18),
    "r_ear": (50, 20),
    "l_ear": (58, 20),
}


def person() -> np.ndarray:
    return np.array([[*PLACES[name], 0.9] for name in OPENPOSE_BODY], np.float32)


def test_key_points_land_on_the_skeleton():
    joints = from_body18(person()[None])[0]
    assert joints[INDEX["l_wrist"], :2].tolist() == [62, 70]
    assert joints[INDEX["pelvis"], :2].tolist() == [50, 75]
    assert joints[INDEX["chest"], :2].tolist() == [50, 40]
    head, crown, neck = (joints[INDEX[name], 1] for name in ("head", "crown", "neck"))
    assert crown < head < neck < 40
    assert joints[INDEX["l_toe"], 2] == joints[INDEX["weapon_tip"], 2] == 0


def test_a_missing_ear_moves_no_hip_and_a_missing_head_has_no_crown():
    hidden = person()
    hidden[[0, 14, 15, 16, 17], 2] = 0
    joints = from_body18(hidden[None])[0]
    assert joints[INDEX["crown"], 2] == joints[INDEX["head"], 2] == 0
    assert joints[INDEX["pelvis"], :2].tolist() == [50, 75]


@pytest.mark.parametrize(("nose", "facing"), [(65, "right"), (35, "left"), (51, "front")])
def test_the_nose_tells_the_facing(nose, facing):
    seen = person()
    seen[0, 0] = nose
    assert facing_of(seen[None]) == facing


def test_somebody_without_a_nose_looks_away():
    seen = person()
    seen[0, 2] = 0
    assert facing_of(seen[None]) == "back"


def test_the_whole_person_is_chosen_and_a_hand_is_nobody():
    part = person()
    part[5:, 2] = 0
    assert largest(np.stack([part, person()])) is not None
    assert np.array_equal(largest(np.stack([part, person()])), person())
    assert largest(part[None]) is None
    assert largest(np.zeros((0, 18, 3), np.float32)) is None


def test_a_frame_without_anybody_takes_its_neighbour():
    frames = np.zeros((3, 8, 8, 4), np.uint8)
    answers = iter([person()[None], np.zeros((0, 18, 3), np.float32), person()[None] + np.float32([4, 0, 0])])
    joints, facing = PeopleDetector(lambda picture: next(answers)).track(frames)
    assert facing == "right"
    assert np.allclose(joints[1], joints[0])
    assert joints[2, INDEX["pelvis"], 0] == pytest.approx(54)


def test_missing_weights_name_file_place_and_origin(tmp_path):
    with pytest.raises(MissingWeightsError, match=r"body_pose_model.pth from https") as told:
        PeopleDetector.load("openpose", folder=tmp_path)
    assert str(tmp_path) in str(told.value)


def test_dwpose_says_what_else_it_needs(tmp_path):
    for name in ("yolox_l.pth", "dw-ll_ucoco_384.pth"):
        (tmp_path / name).write_bytes(b"x")
    with pytest.raises(MissingWeightsError, match="mim install"):
        PeopleDetector.load("dwpose", folder=tmp_path)


def test_real_openpose_loads_runs_and_never_returns_an_empty_pose_silently(tmp_path):
    """Field report 34. The real network with random weights sees nobody, and says so."""
    from controlnet_aux.open_pose.model import bodypose_model

    torch.manual_seed(0)
    weights = {name.split(".", 1)[1]: value for name, value in bodypose_model().state_dict().items()}
    torch.save(weights, tmp_path / "body_pose_model.pth")
    detector = PeopleDetector.load("openpose", folder=tmp_path)
    picture = np.random.default_rng(0).integers(0, 255, (1, 96, 64, 4), dtype=np.uint8)
    with pytest.raises(NoFigureError, match="choose Sprightly's own"):
        detector.track(picture)
