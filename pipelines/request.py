"""What to draw: one value that every backend understands."""

from __future__ import annotations

from dataclasses import dataclass

from .adapter import Adapter
from .errors import RequestError
from .figure import Figure
from .pose.skeleton import Facing, PoseTrack


@dataclass(frozen=True)
class GenerateRequest:
    """One action of one character. Nothing in it is clamped: a backend refuses what it cannot do."""

    figure: Figure
    action: str
    """Name from the motion library ("walk"), or any word for a text-driven backend."""
    facing: Facing = "right"
    frames: int = 8
    fps: float = 12.0
    loop: bool = False
    size: int = 128
    """Side of the square cell in pixels."""
    pose: PoseTrack | None = None
    """Pose guidance fitted to the figure, one pose a frame; None: the backend moves by action and facing alone."""
    prompt: str = ""
    """Character part of the caption; text-driven backends put the action part before it."""
    steps: int = 1
    """Drawing steps, 1..100. The embedded model is truest with one; see its model card."""
    seed: int = 0
    adapter: Adapter | None = None
    adapter_scale: float = 1.0
    """Strength of the character's look, 0..2."""

    def __post_init__(self) -> None:
        if not 1 <= self.frames <= 240:
            raise RequestError(f"An action has 1 to 240 frames; got {self.frames}.")
        if not 16 <= self.size <= 2048:
            raise RequestError(f"A cell is 16 to 2048 pixels wide; got {self.size}.")
        if not 0 < self.fps <= 60:
            raise RequestError(f"Frame rates go from 1 to 60; got {self.fps:g}.")
        if not 0 <= self.adapter_scale <= 2:
            raise RequestError(f"The strength of the look goes from 0 to 2; got {self.adapter_scale:g}.")
        if not 1 <= self.steps <= 100:
            raise RequestError(f"Steps go from 1 to 100; got {self.steps}.")
        if self.pose is not None and len(self.pose) != self.frames:
            raise RequestError(
                f"The pose guidance has {len(self.pose)} poses for {self.frames} frames; give one for each."
            )
