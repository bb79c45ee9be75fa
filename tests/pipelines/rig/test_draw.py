"""A puppet that stands still is the drawing; one that acts stays whole."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from pipelines.figure import ANCHOR, Figure, Placement, place
from pipelines.pose.motion import ACTIONS
from pipelines.pose.retarget import fit, rest_track
from pipelines.pose.skeleton import INDEX, N_JOINTS
from pipelines.rig import PARTS, build_puppet, draw
from pipelines.rig.order import stack


def scaled(figure: Figure, placement: Placement, size: int) -> np.ndarray:
    """The art itself in the cell, float premultiplied (S, S, 4), by a finely sampled warp and an area average."""
    pre = figure.art.astype(np.float32) / 255
    pre[..., :3] *= pre[..., 3:]
    fine = size * max(1, int(np.ceil(1 / (size * placement.scale))))
    zoom = fine * placement.scale
    shift = np.asarray(ANCHOR) * fine - np.asarray(placement.ground) * zoom + 0.5 * zoom - 0.5
    warped = cv2.warpAffine(pre, np.array([[zoom, 0, shift[0]], [0, zoom, shift[1]]]), (fine, fine))
    return cv2.resize(warped, (size, size), interpolation=cv2.INTER_AREA)


def pre(frame: np.ndarray) -> np.ndarray:
    out = frame.astype(np.float32) / 255
    out[..., :3] *= out[..., 3:]
    return out


@pytest.mark.parametrize("size", [64, 128, 256])
@pytest.mark.parametrize("hint", [None, 64])
def test_rest_pose_is_the_drawing(figure: Figure, size: int, hint: int | None) -> None:
    if hint and size > hint:
        pytest.skip("drawn larger than promised")
    placement = place(figure)
    result = draw(build_puppet(figure, hint), rest_track(figure, placement), size)
    error = ((pre(result.frames[0]) - scaled(figure, placement, size)) ** 2).mean()
    assert -10 * np.log10(error) > 30


def test_shapes_and_straight_alpha(figure: Figure) -> None:
    placement = place(figure)
    result = draw(build_puppet(figure), fit(ACTIONS["walk"], figure, placement, 5, 10), 96)
    assert result.frames.shape == (5, 96, 96, 4) and result.frames.dtype == np.uint8
    assert result.parts.dtype == np.int16 and result.confidence.dtype == np.uint8
    clear = result.frames[..., 3] == 0
    assert (result.frames[clear] == 0).all()
    assert (result.parts[clear] == -1).all() and (result.parts[~clear] >= 0).all()
    assert (result.confidence[clear] == 255).all()
    assert set(np.unique(result.parts)) <= set(range(-1, len(PARTS)))
    assert 0 < ((result.frames[..., 3] > 0) & (result.frames[..., 3] < 255)).mean() < 0.1  # soft edges are kept


@pytest.mark.parametrize("action", ["walk", "run", "jump", "slash"])
def test_no_holes_and_nothing_falls_off(figure: Figure, action: str) -> None:
    placement = place(figure)
    result = draw(build_puppet(figure), fit(ACTIONS[action], figure, placement, 8, 10), 192)
    area = (figure.art[..., 3] > 127).sum() * (placement.scale * 192) ** 2
    for frame in result.frames:
        solid = (frame[..., 3] > 127).astype(np.uint8)
        assert 0.65 * area < solid.sum() < 1.2 * area  # limbs overlap, but neither vanish nor swell
        _, _, stats, _ = cv2.connectedComponentsWithStats(solid)
        sizes = np.sort(stats[1:, cv2.CC_STAT_AREA])
        assert sizes[-1] > 0.985 * sizes.sum()  # one piece
        outside, _, areas, _ = cv2.connectedComponentsWithStats(1 - solid, connectivity=4)
        pinholes = [areas[k, cv2.CC_STAT_AREA] for k in range(1, outside) if areas[k, cv2.CC_STAT_AREA] < 6]
        assert len(pinholes) <= 3  # no cracks along seams


def test_sword_stays_in_the_hand(figure: Figure) -> None:
    placement = place(figure)
    track = fit(ACTIONS["slash"], figure, placement, 8, 10)
    result = draw(build_puppet(figure), track, 128)
    weapon = next(number for number, part in enumerate(PARTS) if part.name == "weapon")
    for parts, joints in zip(result.parts, track.joints, strict=True):
        rows, columns = np.nonzero(parts == weapon)
        assert len(rows)
        wrist = joints[INDEX["r_wrist"], :2] * 128
        assert np.hypot(columns + 0.5 - wrist[0], rows + 0.5 - wrist[1]).min() < 8


def test_fill_is_marked_as_a_guess(figure: Figure) -> None:
    placement = place(figure)
    puppet = build_puppet(figure)
    rest = draw(puppet, rest_track(figure, placement), 128)
    moved = draw(puppet, fit(ACTIONS["run"], figure, placement, 8, 10), 128)
    inside = rest.frames[0, ..., 3] == 255
    assert np.quantile(rest.confidence[0][inside], 0.03) > 200
    assert (moved.confidence < 128).any()


def test_order_is_one_for_the_clip_and_follows_depth() -> None:
    z = np.zeros((4, N_JOINTS))
    known = np.ones(N_JOINTS, bool)
    for name in ("l_shoulder", "l_elbow", "l_wrist"):
        z[:, INDEX[name]] = -0.1
    order = stack(z, known, "l")
    assert order.index("l_arm") < order.index("torso") < order.index("head") < order.index("r_arm")
    assert order.index("weapon") == order.index("r_arm") - 1
    assert order.index("l_leg") < order.index("r_leg") < order.index("torso")
    assert stack(-z * 0, known, "r").index("r_leg") < stack(-z * 0, known, "r").index("l_leg")
    # A little behind is not behind: the near arm stays in front.
    close = stack(z * 0.1, known, "")
    assert close.index("l_arm") > close.index("torso")
    assert close.index("l_plate") == close.index("l_arm") + 1


def test_joint_unknown_to_the_track_rides_on_its_parent(figure: Figure) -> None:
    placement = place(figure)
    track = rest_track(figure, placement)
    confidence, joints = track.confidence.copy(), track.joints.copy()
    for name in ("l_wrist", "weapon_tip"):
        confidence[:, INDEX[name]] = 0
        joints[:, INDEX[name]] = 0
    puppet = build_puppet(figure)
    one = draw(puppet, replace(track, confidence=confidence, joints=joints), 128).frames
    two = draw(puppet, track, 128).frames
    assert np.abs(one.astype(int) - two).mean() < 0.5


def test_art_without_joints_is_drawn_whole(figure: Figure) -> None:
    bare = replace(figure, joints=np.zeros((N_JOINTS, 3), np.float32))
    placement = Placement(0.0025, (120.0, 240.0))
    result = draw(build_puppet(bare, placement=placement), rest_track(bare, placement), 128)
    assert (result.frames[0, ..., 3] > 0).sum() > 500
