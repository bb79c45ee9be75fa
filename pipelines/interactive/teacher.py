"""The embedded model itself as a frame source: what the student learned from, for comparison (R97, R103)."""

from __future__ import annotations

import numpy as np

from ..adapter import Adapter
from ..errors import RequestError
from ..figure import Figure
from ..pose.retarget import rest_track
from ..rig import Puppet, draw
from .history import History
from .source import Drawn, Moment, thumbnail

STEPS = 4
"""Denoiser steps a frame."""


class TeacherSource:
    """Several denoiser steps for each frame, always from the same noise, so that texture stands still."""

    def __init__(
        self, figure: Figure, puppet: Puppet, size: int, adapter: Adapter | None, seed: int = 0, steps: int = STEPS
    ) -> None:
        """Loads the model; an adapter trained on other base weights is refused with `RequestError`."""
        from ..embedded.backend import EmbeddedBackend
        from ..embedded.conditions import PIXELS, joint_array

        self.figure, self.puppet, self.size, self.seed, self.steps = figure, puppet, size, seed, steps
        backend = EmbeddedBackend()
        self.pipeline = backend.pipeline
        if adapter is not None:
            if adapter.base != backend.base:
                raise RequestError("This look was trained on other base weights than the installed ones. Train again.")
            self.pipeline.load_lora_weights(str(adapter.folder), adapter_name="look")
        self.pixels = PIXELS
        rest = rest_track(figure, puppet.placement)
        self.reference = draw(puppet, rest, PIXELS).frames[0]
        self.reference_joints = joint_array(rest)[0]

    def frame(self, moment: Moment, history: History) -> Drawn:
        """See `FrameSource.frame`."""
        import torch

        from ..embedded.conditions import Observation, collate, joint_array
        from ..embedded.detail import apply, as_pixel_art

        large, small = draw(self.puppet, moment.pose, self.size), draw(self.puppet, moment.pose, self.pixels)
        seen = Observation(
            self.reference,
            self.reference_joints,
            small.frames,
            small.confidence,
            joint_array(moment.pose),
            moment.action,
            self.figure.facing,
            np.array([moment.phase], np.float32),
        )
        given = collate([seen], self.pipeline.denoiser)
        finish = self.pipeline(given, self.steps, torch.Generator().manual_seed(self.seed)).finish
        frames = apply(finish, small.frames, large.frames, large.confidence)
        if self.figure.pixel_art:
            keep = large.confidence > 127
            frames = np.where(keep[..., None], large.frames, as_pixel_art(frames, self.figure))
        return Drawn(frames[0], thumbnail(frames[0]))
