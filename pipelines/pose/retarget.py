"""Motions of a standard body, or of a figure in a video, put on a drawn figure.

The figure keeps its own proportions: every bone keeps its drawn length but for mild foreshortening (field report 36:
an adult's lengths on a child stretch forearms). Feet are solved from where they stand, so that they stay planted.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Protocol

import numpy as np
from scipy.ndimage import gaussian_filter1d

from ..figure import Figure, Placement, sole_line
from ..rig.bones import Bones
from ..rig.parts import bones_of
from .body import STANDARD, Body, pose_joints
from .motion import REST, Style
from .placing import (
    SHORTEST,
    angle_of,
    keep_above_ground,
    keep_in_cell,
    place_arm,
    place_legs,
    place_trunk,
    turned,
    unit,
    wrap,
)
from .skeleton import INDEX, N_JOINTS, PARENT, PoseTrack

VIEW = {"right": 1.36, "left": -1.36, "front": 0.75, "back": np.pi - 0.75}
"""Turn of the body away from the viewer, in radians. Sideways a little less than a right angle, so that far limbs
show; front and back art acts in three-quarter view, or a walk would be nothing but lifted feet."""


def seen(joints: np.ndarray, yaw: float) -> np.ndarray:
    """(..., 3) body axes to picture axes: x right, y down, z towards the viewer, of a body turned by `yaw` to the
    right."""
    left, up, ahead = joints[..., 0], joints[..., 1], joints[..., 2]
    cos, sin = np.cos(yaw), np.sin(yaw)
    return np.stack([left * cos + ahead * sin, -up, ahead * cos - left * sin], -1)


def body_of(bones: Bones, sole: float) -> Body:
    """A body with the drawn figure's proportions, for a motion to be solved on."""
    xy, tall = bones.xy, bones.height

    def length(one: str, two: str, usual: float) -> float:
        pairs = [(f"{side}_{one}", f"{side}_{two}") for side in "lr"]
        drawn = [
            float(np.hypot(*(xy[INDEX[b]] - xy[INDEX[a]])))
            for a, b in pairs
            if bones.known[INDEX[a]] and bones.known[INDEX[b]]
        ]
        return max(max(drawn) / tall, 0.25 * usual) if drawn else usual

    ankles = [sole - xy[INDEX[name], 1] for name in ("l_ankle", "r_ankle") if bones.known[INDEX[name]]]
    ankle = float(np.clip(min(ankles) / tall, 0.01, 0.12)) if ankles else STANDARD.ankle
    foot = length("ankle", "toe", STANDARD.foot)
    return replace(
        STANDARD,
        thigh=length("hip", "knee", STANDARD.thigh),
        shin=length("knee", "ankle", STANDARD.shin),
        ankle=ankle,
        foot=max(float(np.sqrt(max(foot**2 - ankle**2, 0))), 0.03),
    )


def rest_track(figure: Figure, placement: Placement, frames: int = 1) -> PoseTrack:
    """The drawn pose held for `frames` frames; confidence is the figure's own."""
    bones = bones_of(figure)
    depth = seen(pose_joints(_standing(), STANDARD), VIEW[figure.facing])[0, :, 2]
    joints = np.concatenate(
        [placement.to_cell(bones.xy), (depth * bones.height * placement.scale)[:, None].astype(np.float32)], -1
    )
    confidence = np.where(bones.known, np.maximum(figure.joints[:, 2], 0.5 * bones.known), 0)
    return PoseTrack(np.repeat(joints[None], frames, 0), np.repeat(confidence[None].astype(np.float32), frames, 0))


def _standing() -> dict[str, np.ndarray]:
    return {name: np.full(1, value) for name, value in REST.items()}


class Played(Protocol):
    """What can be acted: a motion of the library, or a recording."""

    @property
    def loop(self) -> bool: ...

    def joints(self, frames: int, style: Style = ..., body: Body = ...) -> np.ndarray: ...


def fit(
    motion: Played,
    figure: Figure,
    placement: Placement,
    frames: int,
    fps: float,
    energy: float = 1.0,
    strength: float = 1.0,
) -> PoseTrack:
    """The motion acted by the figure, in cells, facing as drawn.

    `energy`: size of the movement, 0.3..1.6. `strength`: 0 stays in the drawn stance, 1 acts in full.
    """
    bones = bones_of(figure)
    sole = sole_line(figure.art[..., 3])
    body = body_of(bones, sole)
    yaw, tall = VIEW[figure.facing], bones.height
    moved = seen(motion.joints(frames, Style(energy=energy), body).astype(np.float64), yaw) * tall
    stood = seen(pose_joints(_standing(), body).astype(np.float64), yaw)[0] * tall
    out = np.zeros((frames, N_JOINTS, 3))
    out[..., 2] = moved[..., 2]
    place_trunk(out, moved, stood, bones, strength)
    away = motion.loop and _strays(moved, stood, tall)
    place_legs(out, moved, stood, bones, away, strength, figure.facing)
    for side in "lr":
        place_arm(out, moved, stood, bones, side, motion.loop, strength)
    _ride(out, bones)
    keep_above_ground(out, bones, sole)
    edges = placement.to_art(np.array([[0.02, 0.0], [0.98, 0.0]]))[:, 0]
    keep_in_cell(out, bones, float(edges[0]), float(edges[1]))
    cells = placement.to_cell(out[..., :2])
    joints = np.concatenate([cells, (out[..., 2:] * placement.scale).astype(np.float32)], -1)
    known = np.where(bones.known, np.maximum(figure.joints[:, 2], 0.5), 0).astype(np.float32)
    return PoseTrack(joints, np.repeat(known[None], frames, 0), fps, motion.loop)


def _strays(moved: np.ndarray, stood: np.ndarray, tall: float) -> bool:
    """Whether a loop walks: feet that leave the stance by more than a twentieth of the body."""
    feet = [INDEX["l_ankle"], INDEX["r_ankle"]]
    return bool(np.abs(moved[:, feet] - stood[feet]).max() > 0.05 * tall)


def _ride(out: np.ndarray, bones: Bones) -> None:
    """Joints that the figure lacks ride on their parents."""
    for number in range(N_JOINTS):
        if not bones.known[number] and PARENT[number] >= 0:
            out[:, number, :2] = out[:, PARENT[number], :2]


def fit_track(track: PoseTrack, figure: Figure, placement: Placement, smooth: float = 0.8) -> PoseTrack:
    """Another figure's tracked joints put on this figure's bones. Both must face the same way.

    Directions come from the track, lengths from the drawing (foreshortened where the track shortens), the path of
    the pelvis in leg lengths, the ground from the track's lowest ankles. `smooth`: width of the temporal filter in
    frames.
    """
    bones, count = bones_of(figure), len(track)
    moved, found = _steady(track, smooth), track.confidence.max(0, initial=0) > 0
    out = np.zeros((count, N_JOINTS, 3))
    out[..., 2] = moved[..., 2] / placement.scale
    pelvis, chest = INDEX["pelvis"], INDEX["chest"]
    lean = np.zeros(count)
    if found[pelvis] and found[chest]:
        lean = wrap(
            angle_of((moved[:, chest] - moved[:, pelvis])[:, :2]) - angle_of(bones.xy[chest] - bones.xy[pelvis])
        )
    for number in range(
        N_JOINTS
    ):  # parents come before their children but for the toes, crown and tips, which come last
        parent = PARENT[number]
        if parent < 0:
            continue
        drawn = bones.xy[number] - bones.xy[parent]
        step = turned(drawn, lean)
        if parent not in (pelvis, chest) and found[number] and found[parent]:
            bone = (moved[:, number] - moved[:, parent])[:, :2]
            length = np.hypot(*bone.T)
            size = np.clip(length / max(float(np.quantile(length, 0.9)), 1e-6), SHORTEST, 1)
            step = unit(angle_of(bone)) * (np.hypot(*drawn) * size)[:, None]
        out[:, number, :2] = out[:, parent, :2] + step
    shift = np.zeros((count, 2))
    ankles = [INDEX[name] for name in ("l_ankle", "r_ankle") if found[INDEX[name]] and bones.known[INDEX[name]]]
    if found[pelvis]:
        hips = moved[:, ankles, 1].max(1) - moved[:, pelvis, 1] if ankles else np.ones(count)
        leg = max(float(np.quantile(hips, 0.9)), 1e-6)
        own = max(float(bones.xy[ankles, 1].max() - bones.xy[pelvis, 1]), 1e-6) if ankles else bones.height / 2
        shift[:, 0] = (moved[:, pelvis, 0] - moved[:, pelvis, 0].mean()) / leg * own
        if ankles:
            lowest = moved[:, ankles, 1].max(1)
            lift = (np.quantile(lowest, 0.9) - lowest).clip(min=0) / leg * own
            shift[:, 1] = bones.xy[ankles, 1].max() - out[:, ankles, 1].max(1) - lift - bones.xy[pelvis, 1]
    out[..., :2] += (bones.xy[pelvis] + shift)[:, None]
    joints = np.concatenate([placement.to_cell(out[..., :2]), (out[..., 2:] * placement.scale).astype(np.float32)], -1)
    return replace(
        track, joints=joints, confidence=np.where(bones.known, np.maximum(track.confidence, 0.1), 0).astype(np.float32)
    )


def _steady(track: PoseTrack, smooth: float) -> np.ndarray:
    """Joints filtered over time, sure ones counting more."""
    weight = np.maximum(track.confidence, 1e-3)[..., None]
    mode = "wrap" if track.loop else "nearest"
    return gaussian_filter1d(track.joints * weight, smooth, 0, mode=mode) / gaussian_filter1d(
        weight, smooth, 0, mode=mode
    )
