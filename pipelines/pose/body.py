"""A body of bone lengths, and its joints from channel curves. Arms by forward, legs by two-bone inverse kinematics."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from .skeleton import INDEX, N_JOINTS


@dataclass(frozen=True)
class Body:
    """Bone lengths in body heights (crown of the standing body at about 1)."""

    thigh: float = 0.24
    shin: float = 0.235
    ankle: float = 0.045
    """Height of the ankle joint above the sole."""
    foot: float = 0.115
    """Ankle to toes along the ground."""
    heel: float = 0.04
    """Ankle back to the heel along the ground."""
    hip: float = 0.05
    """Half the distance between the hips."""
    pelvis: float = 0.02
    """Pelvis joint above the line through the hips."""
    spine: float = 0.275
    neck: float = 0.045
    skull: float = 0.07
    """Neck to the centre of the skull."""
    crown: float = 0.075
    """Centre of the skull to its top."""
    shoulder: float = 0.11
    """Half the distance between the shoulders."""
    upper_arm: float = 0.165
    forearm: float = 0.15
    weapon: float = 0.42
    """Wrist to the tip of what the right hand holds."""
    offhand: float = 0.2
    """Wrist to the far end of what the left hand holds."""
    girth: float = 0.075
    """Half the depth of the trunk: how high the pelvis lies when the body is on the ground."""

    @property
    def leg(self) -> float:
        """Hip to ankle when stretched."""
        return self.thigh + self.shin

    @property
    def height(self) -> float:
        """Sole to crown when standing upright."""
        return self.ankle + self.leg + self.pelvis + self.spine + self.neck + self.skull + self.crown


STANDARD = Body()
"""An adult of about six and a half heads."""

TOE_OUT = 0.16
"""Feet turn out a little, in radians."""


def _turn(axis: int, angle: np.ndarray) -> np.ndarray:
    """(T,) angles to rotation matrices (T, 3, 3) about x, y or z, right-handed."""
    one, two = (axis + 1) % 3, (axis + 2) % 3
    matrix = np.zeros((len(angle), 3, 3))
    matrix[:, axis, axis] = 1
    matrix[:, one, one] = matrix[:, two, two] = np.cos(angle)
    matrix[:, two, one] = np.sin(angle)
    matrix[:, one, two] = -matrix[:, two, one]
    return matrix


def _unit(vector: np.ndarray) -> np.ndarray:
    return vector / np.maximum(np.linalg.norm(vector, axis=-1, keepdims=True), 1e-9)


def _soft_min(a: np.ndarray, b: np.ndarray, width: float) -> np.ndarray:
    """Minimum with a rounded corner of the given width."""
    gap = np.clip(0.5 + 0.5 * (b - a) / width, 0, 1)
    return b + (a - b) * gap - width * gap * (1 - gap)


def _foot(channel: Mapping[str, np.ndarray], side: str, body: Body) -> tuple[np.ndarray, np.ndarray]:
    """Ankle position (T, 3) and the vector from ankle to toes (T, 3).

    The foot rolls over its heel or its toes, whichever is down, so no pitch can push it through the ground.
    """
    sign = 1.0 if side == "l" else -1.0
    pitch = channel[f"{side}_pitch"]
    ahead = np.array([sign * np.sin(TOE_OUT), 0.0, np.cos(TOE_OUT)])
    up = np.array([0.0, 1.0, 0.0])
    turned_ahead = np.cos(pitch)[:, None] * ahead - np.sin(pitch)[:, None] * up
    turned_up = np.cos(pitch)[:, None] * up + np.sin(pitch)[:, None] * ahead
    pivot = np.where(pitch > 0, body.foot, -body.heel)[:, None]
    flat = np.stack(
        [
            sign * (body.hip + channel[f"{side}_apart"] * body.leg),
            channel[f"{side}_lift"].clip(min=0) * body.leg,
            channel[f"{side}_step"] * body.leg,
        ],
        -1,
    )
    ankle = flat + pivot * ahead + turned_up * body.ankle - turned_ahead * pivot
    return ankle, turned_ahead * body.foot - turned_up * body.ankle


def _leg(hip: np.ndarray, ankle: np.ndarray, pole: np.ndarray, body: Body) -> tuple[np.ndarray, np.ndarray]:
    """Knee and reachable ankle, each (T, 3), the knee bending towards `pole` (T, 3)."""
    reach = ankle - hip
    length = np.linalg.norm(reach, axis=-1, keepdims=True)
    direction = reach / np.maximum(length, 1e-9)
    longest, shortest = body.leg * 0.9995, abs(body.thigh - body.shin) + 0.12 * body.leg
    length = np.clip(length, shortest, longest)
    along = (body.thigh**2 - body.shin**2 + length**2) / (2 * length)
    aside = np.sqrt(np.maximum(body.thigh**2 - along**2, 0))
    bend = _unit(pole - direction * (pole * direction).sum(-1, keepdims=True))
    return hip + direction * along + bend * aside, hip + direction * length


def _held(direction: np.ndarray, wrist: np.ndarray, length: float) -> np.ndarray:
    """Tip of a held thing (T, 3); one that would dig into the ground lies along it instead."""
    lowest = np.clip((0.012 - wrist[:, 1]) / length, -1, 1)
    height = np.maximum(direction[:, 1], lowest)
    flat = _unit(np.where([True, False, True], direction, 0)) * np.sqrt(1 - height**2)[:, None]
    flat[:, 1] = height
    return wrist + flat * length


def pose_joints(channel: Mapping[str, np.ndarray], body: Body = STANDARD) -> np.ndarray:
    """float32 (T, 21, 3) body axes from channel curves, each (T,); channels as in `motion.REST`."""
    frames = len(channel["rise"])
    out = np.zeros((frames, N_JOINTS, 3))
    up, left, down = np.eye(3)[1], np.eye(3)[0], -np.eye(3)[1]
    hips = _turn(1, channel["yaw"]) @ _turn(0, channel["lean"]) @ _turn(2, -channel["roll"])
    feet = {side: _foot(channel, side, body) for side in "lr"}

    height = (body.leg + body.ankle + body.pelvis) * (1 + channel["rise"])
    pelvis = np.stack([channel["sway"] * body.leg, np.maximum(height, body.girth), channel["travel"] * body.leg], -1)
    for side, sign in (("l", 1.0), ("r", -1.0)):
        # A foot on the ground holds the pelvis down to where its leg still reaches.
        offset = hips @ (sign * body.hip * left - body.pelvis * up)
        aside = np.hypot(*(feet[side][0] - pelvis - offset)[:, [0, 2]].T)
        ceiling = feet[side][0][:, 1] + np.sqrt(np.maximum((0.999 * body.leg) ** 2 - aside**2, 0)) - offset[:, 1]
        airborne = channel[f"{side}_lift"] * 20
        held = _soft_min(pelvis[:, 1], ceiling, 0.01 * body.leg)
        pelvis[:, 1] = np.maximum(
            np.where(airborne < 1, held + (pelvis[:, 1] - held) * airborne.clip(0, 1), pelvis[:, 1]), body.girth
        )

    half = hips @ _turn(1, channel["twist"] / 2) @ _turn(0, channel["bend"] / 2) @ _turn(2, -channel["tilt"] / 2)
    chest = hips @ _turn(1, channel["twist"]) @ _turn(0, channel["bend"]) @ _turn(2, -channel["tilt"])
    head = chest @ _turn(1, channel["turn"]) @ _turn(0, channel["nod"]) @ _turn(2, -channel["cock"])
    out[:, INDEX["pelvis"]] = pelvis
    out[:, INDEX["chest"]] = pelvis + half @ up * body.spine
    out[:, INDEX["neck"]] = out[:, INDEX["chest"]] + chest @ up * body.neck
    out[:, INDEX["head"]] = out[:, INDEX["neck"]] + head @ up * body.skull
    out[:, INDEX["crown"]] = out[:, INDEX["head"]] + head @ up * body.crown

    for side, sign, held_length, tip in (
        ("l", 1.0, body.offhand, "offhand_tip"),
        ("r", -1.0, body.weapon, "weapon_tip"),
    ):
        shoulder = out[:, INDEX["chest"]] + chest @ (sign * body.shoulder * left)
        upper = chest @ _turn(0, -channel[f"{side}_swing"]) @ _turn(2, sign * channel[f"{side}_out"])
        upper = upper @ _turn(1, sign * channel[f"{side}_roll"])
        lower = upper @ _turn(0, -channel[f"{side}_elbow"])
        elbow = shoulder + upper @ down * body.upper_arm
        wrist = elbow + lower @ down * body.forearm
        hand = lower @ _turn(0, -channel[f"{side}_wrist"])
        out[:, INDEX[f"{side}_shoulder"]], out[:, INDEX[f"{side}_elbow"]] = shoulder, elbow
        out[:, INDEX[f"{side}_wrist"]] = wrist
        out[:, INDEX[tip]] = _held(hand @ down, wrist, held_length)

        hip = pelvis + hips @ (sign * body.hip * left - body.pelvis * up)
        pole = hips @ np.array([sign * 0.12, 0.0, 1.0])
        ankle, toes = feet[side]
        knee, ankle = _leg(hip, ankle, pole, body)
        out[:, INDEX[f"{side}_hip"]], out[:, INDEX[f"{side}_knee"]] = hip, knee
        out[:, INDEX[f"{side}_ankle"]], out[:, INDEX[f"{side}_toe"]] = ankle, ankle + toes
    return np.einsum("tij,tkj->tki", _turn(1, channel["spin"]), out).astype(np.float32)
