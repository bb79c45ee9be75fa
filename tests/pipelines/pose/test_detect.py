"""The joint detector: what it makes of pictures, and how it calms an animation."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from pipelines.errors import MissingWeightsError, NoFigureError
from pipelines.pose.detect import SWAP, WEIGHTS, JointDetector, crop_of, faced, in_hands, steady, unswapped
from pipelines.pose.draw import view_of
from pipelines.pose.joint_net import JointNet, decode
from pipelines.pose.motion import ACTIONS
from pipelines.pose.skeleton import FACINGS, INDEX, JOINTS, PARENT

EXAMPLES = Path(__file__).parents[3] / "examples" / "art"


@pytest.fixture(scope="module")
def detector() -> JointDetector:
    torch.set_num_threads(1)
    return JointDetector.load()


def example(name: str) -> tuple[np.ndarray, np.ndarray, str]:
    """Art, joints (21, 3) with -1 where there is none, and facing of an example character."""
    truth = json.loads((EXAMPLES / f"{name}.json").read_text(encoding="utf-8"))
    joints = np.full((21, 3), -1, np.float32)
    for joint, place in truth["joints"].items():
        if place is not None:
            joints[INDEX[joint]] = (*place, 1)
    return np.asarray(Image.open(EXAMPLES / f"{name}.png").convert("RGBA")), joints, truth["facing"]


def test_weights_are_small_enough_for_the_repository() -> None:
    assert sum(path.stat().st_size for path in WEIGHTS.iterdir()) < 9_000_000
    assert {path.name for path in WEIGHTS.iterdir()} == {"config.json", "diffusion_pytorch_model.safetensors"}


@pytest.mark.parametrize("name", ["knight", "witch", "robot"])
def test_finds_the_trunk_and_legs_of_art_it_never_saw(detector: JointDetector, name: str) -> None:
    art, truth, facing = example(name)
    found = detector.detect(art)
    reach = 0.12 * np.ptp(np.nonzero((art[..., 3] > 127).any(1))[0])
    core = [INDEX[j] for j in ("pelvis", "chest", "neck", "head", "l_knee", "r_knee", "l_ankle", "r_ankle")]
    near = np.linalg.norm(found.joints[core, :2] - truth[core, :2], axis=-1) < reach
    assert near.mean() > 0.85
    assert found.facing == facing
    assert found.joints.shape == (21, 3) and found.joints.dtype == np.float32
    assert ((found.joints[:, 2] >= 0) & (found.joints[:, 2] <= 1)).all() and 0 <= found.certainty <= 1


def test_scale_and_place_of_the_picture_do_not_matter(detector: JointDetector) -> None:
    art, _, _ = example("knight")
    first = detector.detect(art).joints
    small = np.asarray(Image.fromarray(art).convert("RGBa").resize((256, 256)).convert("RGBA"))
    moved = np.zeros((300, 420, 4), np.uint8)
    moved[30:286, 100:356] = small
    again = detector.detect(moved).joints
    core = [INDEX[j] for j in ("pelvis", "chest", "head", "l_ankle", "r_ankle")]
    np.testing.assert_allclose((again[core, :2] - (100, 30)) * 4, first[core, :2], atol=45)


def test_a_flipped_picture_is_found_flipped(detector: JointDetector) -> None:
    """Names are anatomical, so a mirror exchanges the sides, and the facing turns round."""
    art, _, _ = example("knight")
    plain, mirror = detector.detect(art), detector.detect(np.ascontiguousarray(art[:, ::-1]))
    assert (plain.facing, mirror.facing) == ("right", "left")
    expected = plain.joints[SWAP]
    np.testing.assert_allclose(art.shape[1] - mirror.joints[:, 0], expected[:, 0], atol=2)
    np.testing.assert_allclose(mirror.joints[:, 1], expected[:, 1], atol=2)


def test_empty_pictures_are_refused_with_a_cure(detector: JointDetector) -> None:
    with pytest.raises(NoFigureError, match="transparent"):
        detector.detect(np.zeros((40, 30, 4), np.uint8))
    with pytest.raises(NoFigureError, match="empty"):
        detector.track(np.zeros((3, 40, 30, 4), np.uint8))


def test_missing_weights_are_named(tmp_path: Path) -> None:
    with pytest.raises(MissingWeightsError, match="Reinstall"):
        JointDetector.load(folder=tmp_path)


@pytest.mark.parametrize("shape", [(1, 1), (3, 200), (500, 2)])
def test_odd_pictures_give_finite_joints(detector: JointDetector, shape: tuple[int, int]) -> None:
    assert np.isfinite(detector.detect(np.full((*shape, 4), 255, np.uint8)).joints).all()


def test_an_animation_is_tracked_over_a_gap(detector: JointDetector) -> None:
    art, _, _ = example("knight")
    small = np.asarray(Image.fromarray(art).convert("RGBa").resize((128, 128)).convert("RGBA"))
    frames = np.stack([np.roll(small, shift, 1) for shift in (0, 1, 2, 3, 4, 5)])
    frames[2] = 0
    track = detector.track(frames)
    assert track.shape == (6, 21, 3) and track.dtype == np.float32
    assert not track[2, :, 2].any() and track[1, :, 2].any()
    step = np.diff(track[:, INDEX["pelvis"], 0])
    assert step.mean() == pytest.approx(1, abs=0.35) and np.abs(np.diff(track[:, :4, 1], axis=0)).max() < 4


def test_save_and_load_give_the_same_network(tmp_path: Path) -> None:
    torch.manual_seed(1)
    network = JointNet(size=32, width=16).eval()
    network.save_pretrained(tmp_path)
    again = JointDetector.load(folder=tmp_path).network
    picture = torch.rand(2, 4, 32, 32)
    with torch.inference_mode():
        for one, other in zip(network.forward(picture), again.forward(picture), strict=True):
            torch.testing.assert_close(one, other)
    maps, presence, facing = network.forward(picture)
    assert maps.shape == (2, 21, 16, 16) and presence.shape == (2, 21) and facing.shape == (2, len(FACINGS))


@settings(max_examples=30, deadline=None)
@given(x=st.floats(3, 28), y=st.floats(3, 28))
def test_decoding_finds_the_middle_of_a_blob(x: float, y: float) -> None:
    grid = torch.arange(32) + 0.5
    blob = -((grid[None] - x) ** 2 + (grid[:, None] - y) ** 2) / (2 * 1.2**2)
    place, mass = decode(blob[None, None])
    assert torch.allclose(place[0, 0], torch.tensor([x, y]), atol=0.3) and mass[0, 0] > 0.5


def test_crop_is_square_and_ignores_nothing_but_air() -> None:
    alpha = np.zeros((50, 80), np.uint8)
    assert crop_of(alpha) is None
    alpha[10:30, 20:24] = 255
    crop = crop_of(alpha)
    assert crop is not None and crop.side == pytest.approx(20 * 1.12)
    assert crop.left + crop.side / 2 == pytest.approx(22) and crop.top + crop.side / 2 == pytest.approx(20)


def walking() -> np.ndarray:
    """(24, 21, 3) true joints of a walk, in pixels, all present."""
    track = view_of(ACTIONS["walk"].joints(24))
    return np.concatenate([track.joints[..., :2] * 128, track.confidence[..., None]], -1)


def test_smoothing_removes_jitter_and_keeps_the_walk() -> None:
    true = walking()
    noisy = true.copy()
    noisy[..., :2] += np.random.default_rng(0).normal(0, 1.5, noisy[..., :2].shape)
    noisy[11, INDEX["r_wrist"]] += (40, 40, -0.6)
    calm = steady(noisy)
    assert np.abs(calm - true)[..., :2].mean() < np.abs(noisy - true)[..., :2].mean()
    assert np.linalg.norm(calm[11, INDEX["r_wrist"], :2] - true[11, INDEX["r_wrist"], :2]) < 8
    fast = true.copy()
    fast[12, INDEX["r_wrist"], :2] += 30  # sure of itself: a fast move, not a stray
    assert np.linalg.norm(steady(fast, 9, 0)[12, INDEX["r_wrist"], :2] - fast[12, INDEX["r_wrist"], :2]) < 1
    swing = np.ptp(true[:, INDEX["r_ankle"], 0])
    assert np.ptp(calm[:, INDEX["r_ankle"], 0]) > 0.8 * swing
    for joint in (INDEX["r_knee"], INDEX["l_elbow"], INDEX["head"]):
        length = np.linalg.norm(calm[:, joint, :2] - calm[:, PARENT[joint], :2], axis=-1)
        assert length.max() / length.min() < 1.12 / 0.69


def test_toes_help_to_tell_the_facing() -> None:
    joints = walking()[0]
    doubt = np.full(4, 0.25, np.float32)
    assert FACINGS[int(faced(doubt, joints).argmax())] == "right"
    turned = joints * (-1, 1, 1)
    assert FACINGS[int(faced(doubt, turned).argmax())] == "left"
    sure = np.array([0.03, 0.03, 0.9, 0.04], np.float32)
    assert FACINGS[int(faced(sure, joints).argmax())] == "front"
    assert faced(doubt, joints).sum() == pytest.approx(1)


def test_a_sword_seen_twice_stays_in_the_hand_that_holds_it() -> None:
    joints = np.zeros((21, 3), np.float32)
    joints[:, :2] = (50, 50)
    joints[INDEX["head"], :2], joints[INDEX["l_toe"], :2] = (50, 10), (50, 90)
    joints[INDEX["r_wrist"]], joints[INDEX["l_wrist"]] = (30, 60, 1), (70, 60, 1)
    alpha = np.zeros((100, 100), np.uint8)
    alpha[58:63, 5:32] = 255
    weapon, offhand = INDEX["weapon_tip"], INDEX["offhand_tip"]
    joints[weapon], joints[offhand] = (6, 60, 0.6), (7, 61, 0.8)
    once = in_hands(joints, alpha)
    assert once[weapon, 2] > 0 and once[offhand, 2] == 0
    joints[weapon, 2] = 0  # found as an off-hand thing only, though it is in the right hand
    assert in_hands(joints, alpha)[weapon, 2] > 0
    joints[weapon], joints[offhand] = (6, 60, 0.6), (95, 60, 0.8)
    assert (in_hands(joints, alpha)[[weapon, offhand], 2] > 0).all(), "two things in two hands stay"
    assert (in_hands(np.zeros((21, 3), np.float32), alpha) == 0).all()


def test_exchanged_limbs_are_put_right() -> None:
    true = walking()
    broken = true.copy()
    left = [i for i, name in enumerate(JOINTS) if name in ("l_hip", "l_knee", "l_ankle", "l_toe")]
    right = [i for i, name in enumerate(JOINTS) if name in ("r_hip", "r_knee", "r_ankle", "r_toe")]
    broken[13, left + right] = true[13, right + left]
    np.testing.assert_array_equal(unswapped(broken), true)
    np.testing.assert_array_equal(unswapped(true), true)
