"""Recorded motion as the motion library plays its own: on our 21 joints, on the spot, on any body."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.ndimage import gaussian_filter1d, minimum_filter1d

from .body import STANDARD, Body
from .bvh import Capture, MotionFileError
from .motion import Style
from .skeleton import INDEX, N_JOINTS, PARENT

NAMES: dict[str, tuple[str, ...]] = {
    "shoulder": ("upperarm", "uparm", "arm", "shoulder"),
    "elbow": ("lowerarm", "forearm", "loarm", "elbow"),
    "wrist": ("wrist", "hand"),
    "hip": ("upleg", "upperleg", "thigh", "hip"),
    "knee": ("lowerleg", "loleg", "leg", "shin", "calf", "knee"),
    "ankle": ("foot", "ankle"),
    "toe": ("toebase", "toes", "toe", "ball"),
}
"""What Mixamo, CMU, KayKit, Rigify, Unreal and older files call a limb's joints, the surest name first."""

ON_THE_SPOT = 0.6
"""Seconds: a path or a turn slower than this is travel, which the engine does, not the animation."""

LEAP = 1.6
"""Seconds: nobody is longer in the air."""

_SIDE = (
    (re.compile(r"^(left|right)[_. ]?(.+)$", re.I), 1, 2),
    (re.compile(r"^([LR])[_. ]?([A-Z].*)$"), 1, 2),
    (re.compile(r"^([lr])[_.](.+)$", re.I), 1, 2),
    (re.compile(r"^(.+)[_. ]([lr]|left|right)$", re.I), 2, 1),
)


def plain(name: str) -> tuple[str, str]:
    """Side ("l", "r" or "") and the name in small letters alone: "mixamorig:LeftForeArm" is ("l", "forearm")."""
    name = name.rsplit(":", 1)[-1]
    for pattern, side, rest in _SIDE:
        found = pattern.match(name)
        if found:
            return found[side][0].lower(), re.sub(r"[^a-z]", "", found[rest].lower())
    return "", re.sub(r"[^a-z/]", "", name.lower())


@dataclass(frozen=True)
class Recording:
    """A recorded motion, played as it was recorded."""

    track: np.ndarray
    """float32 (T, 21, 3) in body axes (x left, y up, z forward) and heights of the recorded body, on the ground."""
    fps: float
    loop: bool = False

    @property
    def seconds(self) -> float:
        return len(self.track) / self.fps

    def joints(self, frames: int, style: Style = Style(), body: Body = STANDARD) -> np.ndarray:
        """float32 (frames, 21, 3) on a body's own bones, evenly spread over the recording. No style changes it.

        Bones point as they were recorded; pelvis and feet go as high as the body's legs are long.
        """
        last = len(self.track) - 1
        times = np.arange(frames) * (len(self.track) / frames if self.loop else last / max(frames - 1, 1))
        low = np.minimum(np.floor(times).astype(int), last)
        part = (times - low)[:, None, None]
        track = self.track.astype(np.float64)
        seen = (
            track[low] * (1 - part) + track[(low + 1) % len(track) if self.loop else np.minimum(low + 1, last)] * part
        )
        own, legs = _lengths(body), body.leg / STANDARD.leg
        out = np.zeros_like(seen)
        out[:, 0] = seen[:, 0] * legs
        for number, parent in enumerate(PARENT):
            if parent >= 0:
                out[:, number] = out[:, parent] + _unit(seen[:, number] - seen[:, parent]) * own[number]
        feet = [INDEX[f"{side}_{name}"] for side in "lr" for name in ("ankle", "toe")]
        clear = (seen[:, feet, 1] - _soles(STANDARD)).min(1) * legs
        out[..., 1] += (clear - (out[:, feet, 1] - _soles(body)).min(1))[:, None]
        return out.astype(np.float32)


def _unit(vector: np.ndarray) -> np.ndarray:
    return vector / np.maximum(np.linalg.norm(vector, axis=-1, keepdims=True), 1e-9)


def _soles(body: Body) -> np.ndarray:
    """Height of ankle and toes, left and right, above the sole of a flat foot."""
    return np.array([body.ankle, 0.0, body.ankle, 0.0])


def _lengths(body: Body) -> np.ndarray:
    """(21,) distance of every joint from its parent; that of the hips from the pelvis joint is slanted."""
    arm = [body.shoulder, body.upper_arm, body.forearm]
    leg = [float(np.hypot(body.hip, body.pelvis)), body.thigh, body.shin]
    toe = float(np.hypot(body.foot, body.ankle))
    trunk = [0.0, body.spine, body.neck, body.skull]
    return np.array([*trunk, *arm, *arm, *leg, *leg, toe, toe, body.crown, body.weapon, body.offhand])


def recorded(capture: Capture) -> Recording:
    """A capture as a motion of our skeleton. Raises `MotionFileError` when limbs cannot be told by their names."""
    return Recording(_grounded(_upright(_named(capture), capture.fps), capture.fps).astype(np.float32), capture.fps)


def _named(capture: Capture) -> np.ndarray:
    """(T, 21, 3) in the file's axes."""
    table: dict[tuple[str, str], int] = {}
    for number, bone in enumerate(capture.bones):
        table.setdefault(plain(bone.name), number)
    places = capture.places

    def find(side: str, names: Sequence[str]) -> int | None:
        return next((table[side, name] for name in names if (side, name) in table), None)

    out = np.zeros((len(places), N_JOINTS, 3))
    missing: list[str] = []
    for side in "lr":
        for joint in ("shoulder", "elbow", "wrist", "hip", "knee", "ankle"):
            found = find(side, NAMES[joint])
            if found is not None:
                out[:, INDEX[f"{side}_{joint}"]] = places[:, found]
            else:
                missing.append(f"{'left' if side == 'l' else 'right'} {joint}")
    if missing:
        raise MotionFileError(
            f"The motion file has no joint that is called like a {', '.join(missing[:4])}. "
            "Export it with the names of Mixamo, CMU or KayKit."
        )
    hips = (out[:, INDEX["l_hip"]] + out[:, INDEX["r_hip"]]) / 2
    chest = (out[:, INDEX["l_shoulder"]] + out[:, INDEX["r_shoulder"]]) / 2
    along = chest - hips
    out[:, INDEX["chest"]] = chest
    out[:, INDEX["pelvis"]] = hips + along * (STANDARD.pelvis / (STANDARD.pelvis + STANDARD.spine))
    head = find("", ("head", "skull"))
    skull = places[:, head] if head is not None else chest + along * 0.16
    end = next((n for n, bone in enumerate(capture.bones) if bone.parent == head and "/end" in bone.name), None)
    up = _unit(skull - chest)
    if end is not None and head is not None:
        crown = _unit(places[:, end] - skull)
        # Some suits end the head at an ear. Heads nod, but not all the time at a right angle.
        up = crown if (crown * up).sum(-1).mean() > 0.5 else up
    size = np.linalg.norm(along, axis=-1, keepdims=True) / (STANDARD.pelvis + STANDARD.spine)
    out[:, INDEX["neck"]] = skull
    out[:, INDEX["head"]] = skull + up * size * STANDARD.skull
    out[:, INDEX["crown"]] = skull + up * size * (STANDARD.skull + STANDARD.crown)
    for side, tip in (("l", "offhand_tip"), ("r", "weapon_tip")):
        wrist, elbow, ankle = (out[:, INDEX[f"{side}_{joint}"]] for joint in ("wrist", "elbow", "ankle"))
        out[:, INDEX[tip]] = wrist + (wrist - elbow)  # what a hand holds was not recorded
        toe = find(side, NAMES["toe"])
        across = out[:, INDEX["l_hip"]] - out[:, INDEX["r_hip"]]
        ahead = _unit(np.cross(across, along)) * size * STANDARD.foot
        out[:, INDEX[f"{side}_toe"]] = ankle + ahead if toe is None else places[:, toe]
    return out


def _upright(raw: np.ndarray, fps: float) -> np.ndarray:
    """File axes to body axes: y is where the head is, z where the body looks. Turning slower than `ON_THE_SPOT` is
    taken out, so that one who walks to and fro keeps looking where the drawing looks."""
    stature = (raw[:, INDEX["crown"]] - (raw[:, INDEX["l_ankle"]] + raw[:, INDEX["r_ankle"]]) / 2).mean(0)
    axis = int(np.abs(stature).argmax())
    up = np.eye(3)[axis] * (-1 if stature[axis] < 0 else 1)
    side = np.eye(3)[(axis + 1) % 3]
    level = raw @ np.stack([side, up, np.cross(side, up)], -1)
    across = level[:, INDEX["l_hip"]] - level[:, INDEX["r_hip"]]
    heading = _slow(np.unwrap(np.arctan2(across[:, 2], across[:, 0]))[:, None], fps)[:, 0]
    cos, sin = np.cos(heading)[:, None], np.sin(heading)[:, None]
    level = level - _slow(level[:, 0] * [1, 0, 1], fps)[:, None]
    turned_x = level[..., 0] * cos + level[..., 2] * sin
    level[..., 2] = level[..., 2] * cos - level[..., 0] * sin
    level[..., 0] = turned_x
    return level


def _slow(curve: np.ndarray, fps: float) -> np.ndarray:
    """(T, N) without what is quicker than `ON_THE_SPOT`."""
    return gaussian_filter1d(curve, max(ON_THE_SPOT * fps, 1e-3), 0, mode="nearest", truncate=3)


def _grounded(track: np.ndarray, fps: float) -> np.ndarray:
    """In body heights of the standard body, feet on the ground."""
    bone = np.linalg.norm(np.diff(track[:, [INDEX[f"r_{name}"] for name in ("hip", "knee", "ankle")]], axis=1), axis=-1)
    leg = float(np.median(bone.sum(1)))
    if leg < 1e-6:
        raise MotionFileError("The motion file's legs have no length; export it again.")
    track = track * (STANDARD.leg / leg)
    feet = [INDEX[f"{side}_{name}"] for side in "lr" for name in ("ankle", "toe")]
    low = (track[:, feet, 1] - _soles(STANDARD)).min(1)
    # Sensors drift and stages have steps: the ground is where a foot was within the time of a leap.
    ground = minimum_filter1d(low, max(1, round(LEAP * fps)), mode="nearest")
    track[..., 1] -= _slow(ground[:, None], fps / 2)
    return track
