"""A trunk that an arm hides in the drawing is still there when the arm moves away."""

from __future__ import annotations

import cv2
import numpy as np

from pipelines.figure import Figure, place
from pipelines.pose.motion import ACTIONS
from pipelines.pose.retarget import fit
from pipelines.pose.skeleton import INDEX, N_JOINTS
from pipelines.rig import build_puppet, draw

SPOTS = {
    "pelvis": (120, 150), "chest": (120, 96), "neck": (120, 80), "head": (122, 54), "crown": (122, 26),
    "r_shoulder": (120, 96), "r_elbow": (119, 124), "r_wrist": (122, 152),
    "r_hip": (120, 154), "r_knee": (121, 190), "r_ankle": (119, 222), "r_toe": (138, 230),
}  # fmt: skip


def _side_view() -> Figure:
    """Seen from the side: the near arm is as wide as the trunk and covers it from shoulder to hip."""
    art = np.zeros((256, 256, 4), np.uint8)
    for names, colour, width in (
        (("r_hip", "r_knee", "r_ankle", "r_toe"), (150, 110, 70), 18),
        (("neck", "pelvis"), (200, 60, 60), 20),
        (("head", "head"), (240, 200, 170), 46),
        (("r_shoulder", "r_elbow", "r_wrist"), (110, 150, 230), 22),
    ):
        path = np.array([SPOTS[name] for name in names], np.int32).reshape(-1, 1, 2)
        for extra, paint in ((4, (20, 16, 30)), (0, colour)):
            cv2.polylines(art, [path], False, (*paint, 255), width + extra)
    joints = np.zeros((N_JOINTS, 3), np.float32)
    for name, spot in SPOTS.items():
        joints[INDEX[name]] = (*spot, 1)
    return Figure(art, joints, "right")


def test_the_body_stays_in_one_piece_when_the_arm_that_covers_it_is_raised() -> None:
    figure = _side_view()
    track = fit(ACTIONS["cheer"], figure, place(figure), 8, 10)
    frames = draw(build_puppet(figure), track, 192).frames
    for frame, joints in zip(frames, track.joints, strict=True):
        spine = np.linspace(joints[INDEX["pelvis"], :2], joints[INDEX["chest"], :2], 30) * 192
        column, row = np.round(spine).astype(int).T
        assert (frame[row, column, 3] > 200).all()


def test_at_rest_nothing_of_it_shows() -> None:
    figure = _side_view()
    art = figure.art[..., 3] > 127
    for layer in build_puppet(figure).layers:
        if layer.name == "torso":
            left, top = (int(value) for value in layer.origin)
            rows, columns = np.nonzero(layer.rgba[..., 3] > 0.5)
            assert art[np.clip(rows + top, 0, 255), np.clip(columns + left, 0, 255)].all()
