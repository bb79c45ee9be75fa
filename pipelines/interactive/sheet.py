"""A character's finished clips as a frame source: play the sheet that the engine will get, without any model."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ..clip import Clip
from ..errors import RequestError
from .history import History
from .source import Drawn, Moment, thumbnail

STANDS_FOR: Mapping[str, tuple[str, ...]] = {
    "walk": ("run", "sneak"),
    "run": ("walk", "sneak"),
    "jump": ("cheer",),
    "slash": ("thrust", "punch", "kick", "cast", "throw"),
    "punch": ("kick", "slash", "thrust", "cast", "throw"),
    "hurt": ("block", "die"),
}
"""What is played where a sheet lacks an action; last comes idle, then whatever there is."""


class SheetSource:
    """Shows the frame of the clip that is nearest to the moment's phase."""

    def __init__(self, clips: Mapping[str, Clip]) -> None:
        """`clips`: by action, all of one size. Raises `RequestError` when there is none."""
        if not clips:
            raise RequestError("There is nothing to play yet: animate an action first, for example idle and walk.")
        self.clips = dict(clips)
        self.size = next(iter(clips.values())).size
        self._ground = max(_lowest(clip.frames[0]) for clip in clips.values())

    def clip(self, action: str) -> Clip:
        """The action's own clip, or what stands for it."""
        for name in (action, *STANDS_FOR.get(action, ()), "idle"):
            if name in self.clips:
                return self.clips[name]
        return next(iter(self.clips.values()))

    def frame(self, moment: Moment, history: History) -> Drawn:
        """See `FrameSource.frame`."""
        clip = self.clip(moment.action)
        last = len(clip) if clip.loop else len(clip) - 1
        at = int(moment.phase % 1.0 * last) if clip.loop else round(min(moment.phase, 1.0) * last)
        frame = clip.frames[min(at, len(clip) - 1)]
        if clip.action == "jump":
            # The clip rises within its cell, and so does the body in the world: once is enough.
            rise = max(self._ground - _lowest(frame), 0)
            frame = np.concatenate([np.zeros_like(frame[:rise]), frame[: self.size - rise]])
        return Drawn(frame, thumbnail(frame))


def _lowest(frame: np.ndarray) -> int:
    """Row below the lowest opaque pixel of uint8 (S, S, 4)."""
    rows = np.nonzero((frame[..., 3] > 127).any(1))[0]
    return int(rows[-1]) + 1 if len(rows) else len(frame)
