"""Joints from films of people: OpenPose and DWPose through controlnet_aux, where their weights are on this machine.

The shipped detector (`detect.py`) is for drawings. Real people in a phone video are found better by these.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import MissingWeightsError, NoFigureError
from .detect import steady
from .skeleton import INDEX, N_JOINTS, Facing

OPENPOSE_BODY = (
    "nose",
    "neck",
    "r_shoulder",
    "r_elbow",
    "r_wrist",
    "l_shoulder",
    "l_elbow",
    "l_wrist",
    "r_hip",
    "r_knee",
    "r_ankle",
    "l_hip",
    "l_knee",
    "l_ankle",
    "r_eye",
    "l_eye",
    "r_ear",
    "l_ear",
)
"""The 18 body key points of OpenPose and DWPose, in their order; left and right of the person."""

Finder = Callable[[np.ndarray], np.ndarray]
"""RGB uint8 (H, W, 3) to people (N, 18, 3): x, y in pixels and confidence 0..1."""


@dataclass(frozen=True)
class Source:
    """One detector of people and the files that it needs."""

    title: str
    files: dict[str, str]
    """File name -> where it comes from."""
    load: Callable[[Path, str], Finder]


def weights_folder() -> Path:
    """`SPRIGHTLY_WEIGHTS`/pose, else `weights/pose` in the user's data folder."""
    named = os.environ.get("SPRIGHTLY_WEIGHTS")
    if named:
        return Path(named) / "pose"
    from platformdirs import user_data_path

    return user_data_path("sprightly", appauthor=False) / "weights" / "pose"


def _openpose(folder: Path, device: str) -> Finder:
    from controlnet_aux.open_pose.body import Body

    body = Body(str(folder / "body_pose_model.pth"))  # torch.load reads tensors only, never code
    body.to(device)

    def find(picture: np.ndarray) -> np.ndarray:
        import torch

        with torch.no_grad():
            results = Body.format_body_result(*body(picture[:, :, ::-1].copy()))
        people = np.zeros((len(results), len(OPENPOSE_BODY), 3), np.float32)
        for number, result in enumerate(results):
            for joint, point in enumerate(result.keypoints):
                if point is not None:
                    people[number, joint] = (point.x, point.y, max(0.3, min(1.0, point.score)))
        return people

    return find


def _dwpose(folder: Path, device: str) -> Finder:
    try:
        import mmdet.apis  # noqa: F401
        import mmpose.apis  # noqa: F401
    except ImportError as error:
        raise MissingWeightsError(
            "DWPose needs the OpenMMLab packages: pip install openmim, then "
            "mim install 'mmcv>=2.0.1' 'mmdet>=3.1.0' 'mmpose>=1.1.0'. Or read the joints with OpenPose."
        ) from error
    from controlnet_aux import DWposeDetector

    whole = DWposeDetector(
        det_ckpt=str(folder / "yolox_l.pth"), pose_ckpt=str(folder / "dw-ll_ucoco_384.pth"), device=device
    ).pose_estimation

    def find(picture: np.ndarray) -> np.ndarray:
        places, scores = whole(picture[:, :, ::-1].copy())
        return np.concatenate([places[:, :18], scores[:, :18, None]], axis=-1).astype(np.float32)

    return find


SOURCES: dict[str, Source] = {
    "openpose": Source(
        "OpenPose", {"body_pose_model.pth": "https://huggingface.co/lllyasviel/Annotators (209 MB)"}, _openpose
    ),
    "dwpose": Source(
        "DWPose",
        {
            "yolox_l.pth": "https://github.com/open-mmlab/mmdetection, YOLOX-l (217 MB)",
            "dw-ll_ucoco_384.pth": "https://huggingface.co/wanghaofan/dw-ll_ucoco_384 (407 MB)",
        },
        _dwpose,
    ),
}
"""A new detector is one function and one row."""


class PeopleDetector:
    """The most visible person in every frame, on the one skeleton."""

    def __init__(self, find: Finder) -> None:
        self.find = find

    @classmethod
    def load(cls, name: str, device: str = "cpu", folder: Path | None = None) -> PeopleDetector:
        """Raises `MissingWeightsError` with what to download and where to put it."""
        source, folder = SOURCES[name], folder or weights_folder()
        missing = {file: origin for file, origin in source.files.items() if not (folder / file).is_file()}
        if missing:
            needs = "; ".join(f"{file} from {origin}" for file, origin in missing.items())
            raise MissingWeightsError(f"{source.title} is not on this machine. Put into {folder}: {needs}.")
        return cls(source.load(folder, device))

    def track(self, frames: np.ndarray) -> tuple[np.ndarray, Facing]:
        """uint8 (T, H, W, 4) to joints float32 (T, 21, 3) in pixels and the usual facing.

        Frames without a person take the neighbours' joints. Raises `NoFigureError` when no frame shows one
        (field report 34: never an empty pose without a word).
        """
        found = [largest(self.find(_on_grey(frame))) for frame in frames]
        seen = [number for number, person in enumerate(found) if person is not None]
        if not seen:
            raise NoFigureError(
                "No person was found in any frame. This detector knows filmed people; "
                "for drawings and sprites choose Sprightly's own."
            )
        people = np.stack([found[number] for number in seen])  # type: ignore[misc]
        joints = from_body18(people)
        nearest = np.abs(np.subtract.outer(np.arange(len(frames)), seen)).argmin(axis=1)
        return steady(joints[nearest]), facing_of(people)


def _on_grey(frame: np.ndarray) -> np.ndarray:
    alpha = frame[..., 3:].astype(np.float32) / 255
    return (frame[..., :3] * alpha + 128 * (1 - alpha)).round().astype(np.uint8)


def largest(people: np.ndarray) -> np.ndarray | None:
    """Of people (N, 18, 3) the one with the most joints, the taller where equal; None where there is none."""

    def rank(person: np.ndarray) -> tuple[int, float]:
        there = person[person[:, 2] > 0]
        return len(there), float(np.ptp(there[:, 1])) if len(there) else 0.0

    best: Any = max(people, key=rank, default=None)
    return best if best is not None and rank(best)[0] >= 6 else None


def from_body18(people: np.ndarray) -> np.ndarray:
    """Key points (T, 18, 3) on the one skeleton: float32 (T, 21, 3); toes and held things are not in them."""
    at = {name: people[:, number] for number, name in enumerate(OPENPOSE_BODY)}
    out = np.zeros((len(people), N_JOINTS, 3), np.float32)
    for name in OPENPOSE_BODY[2:14]:
        out[:, INDEX[name]] = at[name]
    out[:, INDEX["pelvis"]] = _middle(at["l_hip"], at["r_hip"])
    chest = out[:, INDEX["chest"]] = np.where(
        at["neck"][:, 2:] > 0, at["neck"], _middle(at["l_shoulder"], at["r_shoulder"])
    )
    skull = _middle(at["l_ear"], at["r_ear"], at["l_eye"], at["r_eye"], at["nose"])
    out[:, INDEX["head"]] = skull
    sure = np.minimum(chest[:, 2], skull[:, 2])[:, None]
    for name, share in (("neck", 0.45), ("crown", 1.6)):  # along chest to head
        place = chest[:, :2] + share * (skull[:, :2] - chest[:, :2])
        out[:, INDEX[name]] = np.where(sure > 0, np.concatenate([place, sure], axis=1), 0)
    return out


def _middle(*points: np.ndarray) -> np.ndarray:
    """Mean of the (T, 3) points that were found, confidence included; 0 where none was."""
    stack = np.stack(points)
    there = stack[..., 2:] > 0
    return (stack * there).sum(0) / np.maximum(there.sum(0), 1)


def facing_of(people: np.ndarray) -> Facing:
    """Where the people (T, 18, 3) mostly look: by the nose beside the ears, in shoulder-to-hip lengths."""
    nose, neck, hips = people[:, 0], people[:, 1], _middle(people[:, 8], people[:, 11])
    known = (nose[:, 2] > 0) & (neck[:, 2] > 0) & (hips[:, 2] > 0)
    if not known.any():
        return "back"
    trunk = np.maximum(np.abs(hips[known, 1] - neck[known, 1]), 1)
    lean = float(np.median((nose[known, 0] - neck[known, 0]) / trunk))
    return "front" if abs(lean) < 0.12 else "right" if lean > 0 else "left"
