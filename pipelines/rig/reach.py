"""How far a figure reaches when it acts: one scale for all of its actions (field notes 3b.2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ..figure import ANCHOR, BODY_SHARE, Figure, place
from ..pose.motion import Motion
from ..pose.retarget import fit
from .draw import draw
from .puppet import build_puppet

SMALLEST_SHARE = 0.4
"""A figure is never drawn smaller than this; what still reaches out is cut, and the quality marks say so."""

PIXELS = 96
"""Side of the trial frames; they are drawn at a third of the usual scale, so that nothing leaves them."""


def fitting_share(figure: Figure, motions: Sequence[Motion], margin: float = 0.015) -> float:
    """The largest body share, up to `BODY_SHARE`, at which no frame of the motions comes within `margin` of the edge.

    Measured on drawn frames, not on joints: hats, capes and blades count. Takes about 10 ms a motion.
    """
    trial = replace(figure, body_share=BODY_SHARE / 3, pixel_art=False)
    puppet, placement = build_puppet(trial, PIXELS), place(trial)
    solid = np.zeros((PIXELS, PIXELS), bool)
    for motion in motions:
        frames = draw(puppet, fit(motion, trial, placement, 8, motion.fps), PIXELS).frames
        solid |= (frames[..., 3] > 24).any(axis=0)
    rows, columns = (np.nonzero(solid.any(axis=axis))[0] for axis in (1, 0))
    if not len(rows):
        return BODY_SHARE
    room = (ANCHOR[0] - margin, 1 - ANCHOR[0] - margin, ANCHOR[1] - margin, 1 - ANCHOR[1] - margin)
    taken = (
        ANCHOR[0] - columns[0] / PIXELS,
        (columns[-1] + 1) / PIXELS - ANCHOR[0],
        ANCHOR[1] - rows[0] / PIXELS,
        (rows[-1] + 1) / PIXELS - ANCHOR[1],
    )
    fits = min(have / need for have, need in zip(room, taken, strict=True) if need > 0)
    return float(np.clip(trial.body_share * fits, SMALLEST_SHARE, BODY_SHARE))
