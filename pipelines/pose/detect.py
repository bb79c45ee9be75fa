"""Joints of drawn figures: any style, any creature with a body, no photographs needed for training."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from PIL import Image
from scipy.signal import savgol_filter

from ..errors import MissingWeightsError, NoFigureError
from .skeleton import FACINGS, INDEX, MIRROR, N_JOINTS, PARENT, Facing

if TYPE_CHECKING:
    from .joint_net import JointNet

WEIGHTS = Path(__file__).parent / "weights" / "detector"

MARGIN = 1.12
"""Side of the square crop over the longer side of the silhouette's box."""

SWAP = [*MIRROR]
SWAP[INDEX["weapon_tip"]], SWAP[INDEX["offhand_tip"]] = INDEX["offhand_tip"], INDEX["weapon_tip"]
"""Joints after a flip of the picture: sides change names, and what the right hand held the left hand holds."""

_DOUBT = np.where([name.endswith("_tip") for name in INDEX], 0.5, 0.3)
"""Presence below this means that the character has no such joint."""


@dataclass(frozen=True)
class Detection:
    """What was found in one picture."""

    joints: np.ndarray
    """float32 (21, 3): x, y in pixels of the picture and a confidence 0..1; 0 where there is no such joint."""
    facing: Facing
    certainty: float = 1.0
    """How sure the facing is, 0..1."""


@dataclass(frozen=True)
class _Crop:
    left: float
    top: float
    side: float


def crop_of(alpha: np.ndarray) -> _Crop | None:
    """Square around what is opaque in alpha (H, W) uint8; None where nothing is."""
    solid = alpha > 127
    if not solid.any():
        solid = alpha > 0
    rows, columns = np.nonzero(solid.any(1))[0], np.nonzero(solid.any(0))[0]
    if not len(rows):
        return None
    side = max(rows[-1] - rows[0] + 1, columns[-1] - columns[0] + 1, 8) * MARGIN
    middle = (columns[0] + columns[-1] + 1) / 2, (rows[0] + rows[-1] + 1) / 2
    return _Crop(middle[0] - side / 2, middle[1] - side / 2, side)


def _cut(art: np.ndarray, crop: _Crop, size: int) -> np.ndarray:
    """float32 (4, size, size) premultiplied, the crop resampled without fringes."""
    side, left, top = int(np.ceil(crop.side)), int(np.floor(crop.left)), int(np.floor(crop.top))
    # Pasted on an empty square, because the crop may reach over the picture's edge.
    square = Image.new("RGBa", (side + 1, side + 1))
    square.paste(Image.fromarray(art).convert("RGBa"), (-left, -top))
    inside = (crop.left - left, crop.top - top)
    box = (*inside, inside[0] + min(crop.side, side), inside[1] + min(crop.side, side))
    small = square.resize((size, size), Image.Resampling.BILINEAR, box=box)
    return np.asarray(small, np.float32).transpose(2, 0, 1) / 255


class JointDetector:
    """Finds the 21 joints of a cut-out figure and the way it faces."""

    def __init__(self, network: JointNet, device: str = "cpu") -> None:
        self.network, self.device = network.to(device).eval(), device

    @classmethod
    def load(cls, device: str = "cpu", folder: Path = WEIGHTS) -> JointDetector:
        """The shipped weights. Raises MissingWeightsError where they are not."""
        from .joint_net import JointNet

        if not (folder / "config.json").exists():
            raise MissingWeightsError(f"The joint detector's weights are missing from {folder}. Reinstall the program.")
        return cls(JointNet.from_pretrained(folder).float(), device)

    def detect(self, art: np.ndarray) -> Detection:
        """Joints of one cut-out picture, uint8 (H, W, 4). Raises NoFigureError for an empty one."""
        joints, beliefs = self._find(art[None])
        if not joints[0, :, 2].any():
            raise NoFigureError(
                "There is nothing in this picture: every pixel is transparent. Cut it out again, or use another."
            )
        belief = faced(beliefs[0], joints[0])
        best = int(belief.argmax())
        return Detection(in_hands(joints[0], art[..., 3]), FACINGS[best], float(belief[best]))

    def track(self, frames: np.ndarray) -> np.ndarray:
        """float32 (T, 21, 3): joints in pixels through an animation, uint8 (T, H, W, 4), calmed over time.

        Empty frames are bridged with confidence 0. Raises NoFigureError when all are empty.
        """
        joints, beliefs = self._find(frames)
        seen = joints[..., 2].any(1)
        if not seen.any():
            raise NoFigureError("Every frame of this animation is empty. Export it with the figure visible.")
        facing = Counter(FACINGS[int(belief.argmax())] for belief in beliefs[seen]).most_common(1)[0][0]
        times = np.arange(len(joints))
        for joint in range(N_JOINTS):
            found = joints[:, joint, 2] > 0
            if found.mean() < 0.5 * seen.mean():
                joints[:, joint, 2] = 0
            if found.any():
                for axis in (0, 1):
                    joints[:, joint, axis] = np.interp(times, times[found], joints[found, joint, axis])
        return steady(unswapped(joints) if facing in ("left", "right") else joints)

    def _find(self, frames: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Joints (T, 21, 3) in pixels, all 0 for an empty frame, and beliefs in `FACINGS` (T, 4)."""
        import torch

        from .joint_net import decode

        size = int(self.network.config["size"])
        out = np.zeros((len(frames), N_JOINTS, 3), np.float32)
        beliefs = np.zeros((len(frames), len(FACINGS)), np.float32)
        crops = [crop_of(frame[..., 3]) for frame in frames]
        full = [(t, crop) for t, crop in enumerate(crops) if crop is not None]
        for start in range(0, len(full), 16):
            some = full[start : start + 16]
            batch = torch.from_numpy(np.stack([_cut(frames[t], crop, size) for t, crop in some])).to(self.device)
            with torch.inference_mode():
                plain, flipped = self.network(batch), self.network(batch.flip(-1))
                maps = (plain[0] + flipped[0][:, SWAP].flip(-1)) / 2
                presence = ((plain[1] + flipped[1][:, SWAP]) / 2).sigmoid().cpu().numpy()
                facing = ((plain[2] + flipped[2][:, [1, 0, 2, 3]]) / 2).softmax(-1).cpu().numpy()
                places, mass = (value.cpu().numpy() for value in decode(maps))
            confidence = presence * (0.4 + 0.6 * np.minimum(1, mass * 1.6))
            for row, (t, crop) in enumerate(some):
                out[t, :, :2] = (crop.left, crop.top) + places[row] * crop.side / maps.shape[-1]
                out[t, :, 2] = np.where(presence[row] >= _DOUBT, confidence[row], 0)
                beliefs[t] = facing[row]
        return out, beliefs


def faced(belief: np.ndarray, joints: np.ndarray) -> np.ndarray:
    """Belief (4,) in `FACINGS`, weighed with where the toes point: feet are drawn sideways more clearly than faces."""
    tall = max(float(np.ptp(joints[:, 1])), 1e-6)
    toes = [joints[INDEX[f"{side}_toe"], 0] - joints[INDEX[f"{side}_ankle"], 0] for side in "lr"]
    sideways = float(np.clip(np.mean(toes) / (0.06 * tall), -1, 1))
    weighed = belief * np.exp(np.array([1.0, -1.0, 0.0, 0.0]) * 1.2 * sideways)
    return weighed / max(float(weighed.sum()), 1e-9)


def in_hands(joints: np.ndarray, alpha: np.ndarray) -> np.ndarray:
    """Joints (21, 3) with each held thing in the one hand that paint connects it to; alpha (H, W) uint8.

    One thing seen as both weapon and off-hand thing stays with one hand only.
    """
    joints = joints.copy()
    weapon, offhand = INDEX["weapon_tip"], INDEX["offhand_tip"]
    tall = max(float(np.ptp(joints[:19, 1])), 1e-6)

    def grip(wrist: str, tip: np.ndarray) -> float:
        start = joints[INDEX[wrist]]
        if start[2] == 0:
            return -1.0
        line = start[:2] + (tip[:2] - start[:2]) * np.linspace(0, 1, 24)[:, None]
        column, row = line.round().astype(int).T.clip(0, np.array(alpha.shape)[::-1, None] - 1)
        reach = float(np.linalg.norm(tip[:2] - start[:2])) / tall
        return float((alpha[row, column] > 127).mean()) - 0.5 * reach

    tips = [tip for tip in (weapon, offhand) if joints[tip, 2] > 0]
    if len(tips) == 2 and np.linalg.norm(joints[weapon, :2] - joints[offhand, :2]) < 0.12 * tall:
        tips = [max(tips, key=lambda tip: joints[tip, 2])]
    if len(tips) == 1:
        held = joints[tips[0]].copy()
        right, left = grip("r_wrist", held), grip("l_wrist", held)
        sure = 0.0 if joints[weapon, 2] > 0 and joints[offhand, 2] > 0 else 0.25
        owner = tips[0] if abs(right - left) <= sure else weapon if right > left else offhand
        joints[[weapon, offhand], 2] = 0
        joints[owner] = held
    return joints


def unswapped(joints: np.ndarray) -> np.ndarray:
    """Undoes exchanges of left and right limbs between frames, where that is by far the shorter way."""
    joints = joints.copy()
    for limb in (("hip", "knee", "ankle", "toe"), ("shoulder", "elbow", "wrist")):
        left, right = ([INDEX[f"{side}_{name}"] for name in limb] for side in "lr")
        for t in range(1, len(joints)):
            guess = 2 * joints[t - 1] - joints[t - 2] if t > 1 else joints[t - 1]
            keep = np.linalg.norm(joints[t, left + right, :2] - guess[left + right, :2], axis=-1).sum()
            swap = np.linalg.norm(joints[t, right + left, :2] - guess[left + right, :2], axis=-1).sum()
            if swap < 0.4 * keep:
                joints[t, left + right] = joints[t, right + left]
    return joints


def steady(joints: np.ndarray, stretch: float = 1.1, shrink: float = 0.7) -> np.ndarray:
    """Joints (T, 21, 3) without jitter: trembling smoothed, strays replaced, bones near one length.

    Real moves of a sprite are large from frame to frame; only what is small against the body is taken for trembling
    (Savitzky-Golay). A bone may shrink to `shrink` of its length, as when turning to the viewer, but hardly stretch.
    """
    joints = joints.astype(np.float64)
    body = float(np.median(np.ptp(joints[:, :19, :2], axis=1).max(-1)))
    if len(joints) >= 5 and body > 0:
        path, trust = joints[..., :2], joints[..., 2]
        between = (path[:-2] + path[2:]) / 2
        off = np.linalg.norm(path[1:-1] - between, axis=-1)
        gap = np.linalg.norm(path[2:] - path[:-2], axis=-1)
        stray = (off > 0.12 * body) & (gap < 0.5 * off) & (trust[1:-1] < 0.8 * (trust[:-2] + trust[2:]) / 2)
        path[1:-1] = np.where(stray[..., None], between, path[1:-1])
        smooth = savgol_filter(path, 5, 2, axis=0)
        large = np.linalg.norm(path - smooth, axis=-1, keepdims=True) / (0.03 * body)
        joints[..., :2] = smooth + (path - smooth) * large.clip(0, 1)
    out = joints.copy()
    for joint in _outwards():
        parent = PARENT[joint]
        bone = joints[:, joint, :2] - joints[:, parent, :2]
        length = np.linalg.norm(bone, axis=-1)
        usual = float(np.median(length))
        wanted = np.clip(length, shrink * usual, stretch * usual)
        out[:, joint, :2] = out[:, parent, :2] + bone * (wanted / np.maximum(length, 1e-6))[:, None]
    return out.astype(np.float32)


def _outwards() -> list[int]:
    """Joints but the pelvis, parents before children."""
    order = [0]
    for parent in order:
        order += [joint for joint in range(N_JOINTS) if PARENT[joint] == parent]
    return order[1:]
