"""A clip: the frames of one action, lossless, with what later stages must not have to guess."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from .errors import RequestError
from .pose.skeleton import N_JOINTS, Facing


@dataclass(frozen=True)
class Clip:
    """Frames of one action on the character's cell."""

    frames: np.ndarray
    """uint8 (T, S, S, 4), straight alpha, sRGB; RGB is 0 where alpha is 0."""
    fps: float
    action: str
    facing: Facing = "right"
    loop: bool = False
    anchor: tuple[float, float] = (0.5, 0.86)
    """Ground point in cells; the same for all actions of a character."""
    durations_ms: tuple[int, ...] | None = None
    """Per frame; None means every frame lasts `1000 / fps`."""
    origin: dict[str, Any] = field(default_factory=dict)
    """How it was made (backend, seed, steps, adapter, guidance): enough to make it again. JSON-ready."""
    joints: np.ndarray | None = None
    """float32 (T, 21, 2) of the pose that was drawn, in cells, x right and y down, NaN for a joint that is not there;
    None where nobody knows it."""

    def __post_init__(self) -> None:
        if self.frames.dtype != np.uint8 or self.frames.ndim != 4 or self.frames.shape[3] != 4 or not len(self.frames):
            raise RequestError(
                f"A clip needs uint8 RGBA frames (T, H, W, 4); got {self.frames.dtype} {self.frames.shape}."
            )
        if self.durations_ms is not None and len(self.durations_ms) != len(self.frames):
            raise RequestError(f"{len(self.durations_ms)} durations for {len(self.frames)} frames; give one for each.")
        if self.joints is not None and self.joints.shape != (len(self.frames), N_JOINTS, 2):
            raise RequestError(
                f"Joints of shape {self.joints.shape} for {len(self.frames)} frames; give (T, {N_JOINTS}, 2)."
            )

    def __len__(self) -> int:
        return len(self.frames)

    @property
    def size(self) -> int:
        """Side of the square cell in pixels."""
        return int(self.frames.shape[1])

    def milliseconds(self) -> tuple[int, ...]:
        """Duration of every frame in ms; rounding never accumulates over the clip."""
        if self.durations_ms is not None:
            return self.durations_ms
        ends = [round(1000 * (i + 1) / self.fps) for i in range(len(self.frames))]
        return tuple(end - start for start, end in zip([0, *ends[:-1]], ends, strict=True))

    def save(self, folder: Path) -> None:
        """Writes `0000.png`..., `joints.npy` if known and, last, `clip.json`: without that a clip is not finished."""
        from PIL import Image

        folder.mkdir(parents=True, exist_ok=True)
        for number, frame in enumerate(self.frames):
            Image.fromarray(frame).save(folder / f"{number:04d}.png")
        about = {
            "count": len(self),
            "fps": self.fps,
            "action": self.action,
            "facing": self.facing,
            "loop": self.loop,
            "anchor": list(self.anchor),
            "durations_ms": list(self.durations_ms) if self.durations_ms else None,
            "origin": self.origin,
        }
        if self.joints is not None:
            np.save(folder / "joints.npy", self.joints.astype(np.float32), allow_pickle=False)
        (folder / "clip.json").write_text(json.dumps(about, indent=1), encoding="utf-8")

    @classmethod
    def load(cls, folder: Path) -> Clip:
        """Inverse of `save`. Raises `RequestError` when the folder holds no finished clip."""
        from PIL import Image

        try:
            about = json.loads((folder / "clip.json").read_text(encoding="utf-8"))
        except FileNotFoundError as error:
            raise RequestError(f"{folder.name} holds no finished clip; generate the action again.") from error
        frames = np.stack(
            [np.asarray(Image.open(folder / f"{i:04d}.png").convert("RGBA")) for i in range(about["count"])]
        )
        durations: Sequence[int] | None = about["durations_ms"]
        return cls(
            frames,
            about["fps"],
            about["action"],
            about["facing"],
            about["loop"],
            (about["anchor"][0], about["anchor"][1]),
            tuple(durations) if durations else None,
            about["origin"],
            np.load(folder / "joints.npy", allow_pickle=False) if (folder / "joints.npy").is_file() else None,
        )


def clean(frames: np.ndarray) -> np.ndarray:
    """Copy of uint8 (..., 4) with RGB set to 0 where alpha is 0."""
    return frames * (frames[..., 3:] > 0)
