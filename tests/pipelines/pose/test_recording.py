"""Recorded motion on our skeleton."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from pipelines.pose.body import STANDARD, Body
from pipelines.pose.bvh import MotionFileError, parse_bvh, read_bvh
from pipelines.pose.recording import Recording, plain, recorded
from pipelines.pose.skeleton import INDEX, PARENT
from tests.pipelines.pose.bvh_files import Turns, bvh

X, Y, Z = 0, 1, 2
ARMS_DOWN: Turns = {"LeftArm": (-85, 0, 0), "RightArm": (85, 0, 0)}
CHILD = replace(STANDARD, thigh=0.17, shin=0.16, spine=0.24, upper_arm=0.12, forearm=0.11, skull=0.12, crown=0.13)
CAPTURES = Path(__file__).parents[4] / "shared" / "data" / "motion" / "bvh"


def read(frames: list[Turns], **options: object) -> Recording:
    return recorded(parse_bvh(bvh(frames, **options)))  # type: ignore[arg-type]


def of(joints: np.ndarray, name: str) -> np.ndarray:
    return joints[:, INDEX[name]]


def soles(joints: np.ndarray, body: Body = STANDARD) -> np.ndarray:
    """(T,) height of the lower foot above the ground."""
    feet = [
        of(joints, f"{side}_{name}")[:, Y] - off for side in "lr" for name, off in (("ankle", body.ankle), ("toe", 0))
    ]
    return np.min(feet, axis=0)


@pytest.mark.parametrize("body", [STANDARD, CHILD], ids=["standard", "child"])
def test_one_who_stands_stands_on_the_ground_with_the_bodys_own_bones(body: Body) -> None:
    joints = read([ARMS_DOWN] * 4).joints(3, body=body)
    assert joints.shape == (3, 21, 3) and joints.dtype == np.float32
    np.testing.assert_allclose(soles(joints, body), 0, atol=0.012)
    assert of(joints, "crown")[0, Y] == pytest.approx(body.height, abs=0.03)
    bones = {"l_knee": body.thigh, "r_ankle": body.shin, "r_elbow": body.upper_arm, "l_wrist": body.forearm}
    bones |= {"chest": body.spine, "weapon_tip": body.weapon, "l_shoulder": body.shoulder, "crown": body.crown}
    for name, length in bones.items():
        bone = joints[:, INDEX[name]] - joints[:, PARENT[INDEX[name]]]
        np.testing.assert_allclose(np.linalg.norm(bone, axis=-1), length, atol=1e-5, err_msg=name)
    assert of(joints, "l_wrist")[0, X] > 0 > of(joints, "r_wrist")[0, X] and of(joints, "l_toe")[0, Z] > 0.05


@pytest.mark.parametrize(
    "rename",
    [
        {"Hips": "mixamorig:Hips", "Left": "mixamorig:Left", "Right": "mixamorig:Right"},
        {"LeftShoulder": "LeftCollar", "RightShoulder": "RightCollar", "ForeArm": "Elbow", "Arm": "Shoulder"}
        | {"Hand": "Wrist", "UpLeg": "Hip", "LeftLeg": "LeftKnee", "RightLeg": "RightKnee", "Foot": "Ankle"},
        {f"{side}{old}": f"{new}.{side[0].lower()}" for side in ("Left", "Right") for old, new in
         {"Shoulder": "clavicle", "ForeArm": "lowerarm", "Arm": "upperarm", "Hand": "wrist", "UpLeg": "upperleg",
          "Leg": "lowerleg", "Foot": "foot", "ToeBase": "toes"}.items()},
    ],
    ids=["Mixamo", "CMU", "KayKit"],
)  # fmt: skip
def test_names_of_other_programs_mean_the_same(rename: dict[str, str]) -> None:
    frames: list[Turns] = [ARMS_DOWN, {"LeftArm": (60, 0, 0), "RightUpLeg": (0, -50, 0)}, ARMS_DOWN]
    np.testing.assert_allclose(read(frames, rename=rename).track, read(frames).track, atol=1e-6)


def test_sides_are_read_from_every_way_of_writing_them() -> None:
    assert plain("mixamorig:LeftForeArm") == ("l", "forearm") == plain("forearm.L") == plain("l_forearm")
    assert plain("RightUpLeg") == ("r", "upleg") and plain("RThigh") == ("r", "thigh")
    assert plain("LowerBack") == ("", "lowerback") and plain("Hips") == ("", "hips") and plain("rump") == ("", "rump")


@pytest.mark.parametrize("turn", [0, 90, 200])
def test_whichever_way_the_actor_looked_he_looks_ahead(turn: float) -> None:
    still = read([ARMS_DOWN] * 5).track
    np.testing.assert_allclose(read([{**ARMS_DOWN, "Hips": (0, 0, turn)}] * 5).track, still, atol=1e-4)
    fallen_axes = parse_bvh(bvh([ARMS_DOWN] * 5))
    z_up = replace(fallen_axes, places=fallen_axes.places[..., [2, 0, 1]])
    np.testing.assert_allclose(recorded(z_up).track, still, atol=1e-4)


def test_travel_is_left_to_the_engine_but_a_lunge_stays() -> None:
    walker = read([{**ARMS_DOWN, "root": (0, 95, 20.0 * t)} for t in range(60)])
    assert np.abs(of(walker.track, "pelvis")[20:40, Z]).max() < 0.01
    lunge = read([{**ARMS_DOWN, "root": (0, 95, 30.0 * (28 <= t < 31))} for t in range(60)])
    assert of(lunge.track, "pelvis")[:, Z].max() > 0.1


def test_a_leap_leaves_the_ground_and_a_step_of_the_stage_does_not() -> None:
    leap = read([{**ARMS_DOWN, "root": (0, 95 + 40 * (30 <= t < 34), 0)} for t in range(60)])
    height = soles(leap.track.astype(np.float64))
    assert height[31] > 0.15 and abs(height[:25]).max() < 0.01
    stage = read([{**ARMS_DOWN, "root": (0, 95 + 30 * (t > 60), 0)} for t in range(120)])
    assert abs(soles(stage.track.astype(np.float64))[[5, 40, 90, 115]]).max() < 0.02


def test_frames_are_spread_over_the_recording_and_a_loop_leaves_out_its_end() -> None:
    raised = read([{"LeftArm": (-85 + 15 * t, 0, 0)} for t in range(11)])
    assert raised.seconds == pytest.approx(1.1)
    hand = of(raised.joints(6), "l_wrist")[:, Y]
    assert (np.diff(hand) > 0).all()
    np.testing.assert_allclose(raised.joints(11)[[0, -1]], raised.joints(2), atol=1e-6)
    np.testing.assert_allclose(raised.joints(1)[0], raised.joints(2)[0], atol=1e-6)
    looped = replace(raised, loop=True)
    np.testing.assert_allclose(looped.joints(11), raised.joints(11), atol=1e-6)
    assert of(looped.joints(5), "l_wrist")[-1, Y] < hand[-1] - 0.01


def test_a_head_that_ends_at_an_ear_still_has_its_crown_on_top() -> None:
    capture = parse_bvh(bvh([ARMS_DOWN] * 3))
    end = [bone.name for bone in capture.bones].index("Head/end")
    ear = capture.places.copy()
    ear[:, end] = ear[:, end - 1] + (20, 0, 0)
    np.testing.assert_allclose(recorded(replace(capture, places=ear)).track, recorded(capture).track, atol=1e-5)


def test_a_figure_that_cannot_be_told_apart_is_refused() -> None:
    with pytest.raises(MotionFileError, match="left wrist"):
        read([{}], rename={"LeftHand": "LeftThing"})
    flat = parse_bvh(bvh([{}]))
    with pytest.raises(MotionFileError, match="no length"):
        recorded(replace(flat, places=flat.places * 0))


@pytest.mark.skipif(not CAPTURES.is_dir(), reason="the captures are not here")
@pytest.mark.parametrize("name", ["cmu1_jumping_jacks", "fair1_zombie", "rokoko_jesse_dance"])
def test_real_captures_stand_upright_and_look_ahead(name: str) -> None:
    joints = recorded(read_bvh(CAPTURES / f"{name}.bvh")).joints(40)
    body = joints[:, :19]
    assert np.isfinite(joints).all() and body[..., Y].min() > -0.02 and body[..., Y].max() < 1.6
    assert (of(joints, "crown")[:, Y] > of(joints, "pelvis")[:, Y] + 0.3).all()
    ahead = np.cross(of(joints, "l_hip") - of(joints, "r_hip"), [0, 1, 0])
    assert (ahead[:, Z] > 0).mean() > 0.9
    assert np.percentile(soles(joints), 20) < 0.03
