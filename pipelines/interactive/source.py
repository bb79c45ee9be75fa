"""Whoever draws the frames of live play: the puppet, a sheet, the student or its teacher."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from ..pose.skeleton import PoseTrack
from .history import History


@dataclass(frozen=True)
class Moment:
    """What one frame shows."""

    pose: PoseTrack
    """One frame, placed in the cell, facing as the art is drawn; the session mirrors what comes back."""
    action: str
    """Name from the motion library."""
    phase: float
    """0..1 through that action."""
    control: np.ndarray
    """float32 (6,): velocity in m/s (x right, y up, z ahead) and rotation in degrees (pitch, yaw, roll)."""


@dataclass(frozen=True)
class Drawn:
    """What a source answers."""

    frame: np.ndarray
    """uint8 (S, S, 4) straight alpha, RGB 0 where alpha is 0."""
    hidden: np.ndarray
    """float32 (C, h, w): what the session pushes into the history."""


class FrameSource(Protocol):
    """Draws one frame at a time. A pure function of its arguments: the same play gives the same pictures."""

    size: int
    """Side of the square cell in pixels."""

    def frame(self, moment: Moment, history: History) -> Drawn:
        """Draws a moment. Reads the history and never writes to it."""


def thumbnail(frame: np.ndarray, side: int = 16) -> np.ndarray:
    """float32 (4, side, side): the frame small and premultiplied, the hidden state of sources that have no network."""
    import cv2

    values = frame.astype(np.float32) / 255
    values[..., :3] *= values[..., 3:]
    return np.ascontiguousarray(cv2.resize(values, (side, side), interpolation=cv2.INTER_AREA).transpose(2, 0, 1))
