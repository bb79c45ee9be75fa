"""Where a figure stands in its cell."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipelines.figure import ANCHOR, BODY_SHARE, Figure, place, sole_line
from pipelines.pose.skeleton import INDEX, JOINTS, MIRROR, N_JOINTS, PARENT, PoseTrack


def figure(crown: float | None = 10) -> Figure:
    art = np.zeros((100, 60, 4), np.uint8)
    art[10:90, 20:40] = 255
    joints = np.zeros((N_JOINTS, 3), np.float32)
    joints[INDEX["pelvis"]] = (30, 55, 1)
    if crown is not None:
        joints[INDEX["crown"]] = (30, crown, 1)
    return Figure(art, joints)


def test_the_sole_stands_on_the_anchor_and_the_body_has_its_share():
    at = place(figure())
    assert at.to_cell(np.array([30.0, 90.0])) == pytest.approx(ANCHOR)
    assert at.to_cell(np.array([30.0, 10.0]))[1] == pytest.approx(ANCHOR[1] - BODY_SHARE)


def test_a_hat_above_the_crown_does_not_shrink_the_body():
    assert place(figure(crown=20)).scale == pytest.approx(BODY_SHARE / 70)


def test_without_a_crown_the_silhouette_decides():
    assert place(figure(crown=None)).scale == pytest.approx(BODY_SHARE / 80)


def test_a_speck_below_the_feet_does_not_lift_the_body():
    """Field report 22."""
    alpha = figure().art[..., 3].copy()
    alpha = np.repeat(np.repeat(alpha, 4, 0), 4, 1)
    alpha[395, 100] = 255
    assert sole_line(alpha) == 360


@given(st.floats(-200, 200), st.floats(-200, 200))
def test_to_art_is_the_inverse_of_to_cell(x, y):
    at = place(figure())
    assert at.to_art(at.to_cell(np.array([x, y]))) == pytest.approx([x, y], abs=0.01)


def test_the_mirror_is_its_own_inverse_and_parents_come_first_in_the_chain():
    assert [MIRROR[MIRROR[i]] for i in range(N_JOINTS)] == list(range(N_JOINTS))
    assert MIRROR[INDEX["l_toe"]] == INDEX["r_toe"]
    assert MIRROR[INDEX["weapon_tip"]] == INDEX["weapon_tip"]
    for number in range(N_JOINTS):
        seen, at = set(), number
        while PARENT[at] >= 0:
            assert at not in seen
            seen.add(at)
            at = PARENT[at]
        assert JOINTS[at] == "pelvis"


def test_a_mirrored_track_keeps_names_with_limbs():
    joints = np.random.default_rng(0).random((2, N_JOINTS, 3)).astype(np.float32)
    track = PoseTrack(joints, np.ones((2, N_JOINTS), np.float32))
    assert np.allclose(track.mirrored().joints[..., 0], 1 - joints[..., 0])
    assert np.allclose(track.mirrored().mirrored().joints, joints, atol=1e-6)
