"""Layers are whole: no ghosts, no threads, and an outline where the art has one."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest
from scipy.ndimage import distance_transform_edt

from pipelines.figure import Figure, place
from pipelines.pose.motion import ACTIONS
from pipelines.pose.retarget import fit
from pipelines.pose.skeleton import INDEX
from pipelines.rig import build_puppet, draw
from pipelines.rig.cels import cels_of, whole_cels
from pipelines.rig.draw import chain_points
from pipelines.rig.layers import GUESSED
from pipelines.rig.outline import outline_of

DARK = (20, 16, 30)


@pytest.mark.parametrize("action", ["slash", "run", "jump"])
def test_half_transparent_pixels_only_fringe_firm_ones(figure: Figure, action: str) -> None:
    frames = draw(build_puppet(figure), fit(ACTIONS[action], figure, place(figure), 8, 10), 192).frames
    for alpha in frames[..., 3]:
        faint = (alpha > 10) & (alpha < 200)
        assert distance_transform_edt(alpha < 200)[faint].max() <= 2.9


def test_no_layer_has_loose_threads(figure: Figure) -> None:
    for layer in build_puppet(figure).layers:
        _, _, stats, _ = cv2.connectedComponentsWithStats((layer.rgba[..., 3] > 0.5).astype(np.uint8))
        sizes = np.sort(stats[1:, cv2.CC_STAT_AREA])
        assert sizes[0] > 0.003 * sizes[-1], layer.name


def test_outline_is_measured(figure: Figure) -> None:
    found = outline_of(figure.art, 210)
    assert found is not None and 1 <= found.width <= 5
    assert np.abs(np.array(found.colour) * 255 - DARK).max() < 30
    flat = figure.art.copy()
    flat[flat[..., 3] > 0, :3] = (200, 60, 60)
    assert outline_of(flat, 210) is None


def test_filled_edges_carry_the_outline(figure: Figure) -> None:
    layers = {layer.name: layer for layer in build_puppet(figure).layers}
    checked = 0
    for name in ("torso", "r_leg"):
        layer = layers[name]
        alpha = layer.rgba[..., 3]
        solid = (alpha > 0.98).astype(np.uint8)
        edge = (solid > 0) & (cv2.erode(solid, np.ones((3, 3), np.uint8)) == 0) & (layer.confidence == GUESSED)
        checked += int(edge.sum())
        assert np.median(layer.rgba[edge][:, :3].mean(-1)) < 0.25, name
    assert checked > 20


def test_nothing_of_the_trunk_sticks_out_under_an_arm(figure: Figure) -> None:
    layer = next(layer for layer in build_puppet(figure).layers if layer.name == "torso")
    below_neck = int(figure.joints[INDEX["chest"], 1] - layer.origin[1])
    solid = (layer.rgba[..., 3] > 0.5).astype(np.uint8)
    drawn = ((layer.confidence != GUESSED) & (solid > 0)).astype(np.uint8)
    points = cv2.findNonZero(drawn)
    hull = np.zeros_like(solid)
    cv2.fillConvexPoly(hull, cv2.convexHull(points), 1)
    outside = (solid > 0) & (cv2.dilate(hull, np.ones((5, 5), np.uint8)) == 0)
    assert not outside[below_neck:].any()


def test_an_area_between_lines_goes_whole_to_one_layer() -> None:
    visible = np.ones((40, 40), bool)
    lines = np.zeros((40, 40), bool)
    lines[19:21] = True
    labels = np.zeros((40, 40), np.int16)
    labels[14:] = 1  # the cut runs through the upper area
    seeds = np.full((40, 40), -1, np.int16)
    seeds[5, 5:30] = 0
    seeds[32, 5:30] = 1
    out = whole_cels(labels, seeds, cels_of(visible, lines), np.array([0, 1]), (), 4.0)
    assert (out[:18] == 0).all() and (out[23:] == 1).all()
    fixed = whole_cels(labels, seeds, cels_of(visible, lines), np.array([0, 1]), (1,), 4.0)
    assert (fixed[15:18] == 1).all()


def test_a_shoulder_plate_turns_half_as_far_as_its_arm(figure: Figure) -> None:
    arm = next(layer for layer in build_puppet(figure).layers if layer.name == "r_arm")
    plate = replace(arm, name="r_plate", chain=arm.chain[:2])
    rest = figure.joints[:, :2].astype(float)
    posed = rest.copy()
    shoulder, elbow = arm.chain[:2]
    bone = rest[elbow] - rest[shoulder]
    posed[elbow] = rest[shoulder] + (bone[1], -bone[0])  # a quarter turn
    _, shown = chain_points(plate, rest, posed)
    turned = shown[1] - shown[0]
    angle = np.arctan2(turned[1], turned[0]) - np.arctan2(bone[1], bone[0])
    assert abs(abs((angle + np.pi) % (2 * np.pi) - np.pi) - np.pi / 4) < 1e-6
    assert np.allclose(shown[0], rest[shoulder])
