"""The rig as a frame source: the character's own art, posed live. No network, the same on every computer."""

from __future__ import annotations

from ..rig import Puppet, draw
from .history import History
from .source import Drawn, Moment, thumbnail


class PuppetSource:
    """Draws each pose from the art alone."""

    def __init__(self, puppet: Puppet, size: int) -> None:
        self.puppet, self.size = puppet, size

    def frame(self, moment: Moment, history: History) -> Drawn:
        """See `FrameSource.frame`."""
        frame = draw(self.puppet, moment.pose, self.size).frames[0]
        return Drawn(frame, thumbnail(frame))
