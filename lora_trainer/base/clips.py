"""One training clip: a mannequin's still art made into a puppet, and what the mannequin really looks like in action."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from lora_trainer.mannequin import View, render, sample_character, sample_shading, sample_view, stance
from lora_trainer.mannequin.stance import act
from pipelines.backend import Batch
from pipelines.embedded.backend import observe
from pipelines.embedded.conditions import PIXELS, at_size
from pipelines.embedded.denoiser import EmbeddedDenoiser
from pipelines.embedded.items import pack
from pipelines.figure import ANCHOR, Figure, Placement
from pipelines.pose.motion import ACTIONS
from pipelines.pose.skeleton import PoseTrack
from pipelines.rig import build_puppet

ART = 128
"""Side of the mannequin's art in pixels: the puppet is cut at twice the network's size, as from real art."""

FRAMES = 8

SAME_VIEW, NEAR_VIEW = 0.7, 0.95
"""Cumulative shares: the action seen as the art is; turned by up to 35 degrees; seen from anywhere."""

ERROR = 0.008
"""Spread of the joints' error, in cells, as a detector or a hurried artist makes it; for half of the clips."""


def _turned(view: View, rng: np.random.Generator) -> View:
    lot = rng.random()
    if lot < SAME_VIEW:
        return view
    if lot < NEAR_VIEW:
        return replace(view, azimuth=view.azimuth + float(rng.uniform(-0.6, 0.6)))
    return replace(sample_view(rng), scale=view.scale)


def make_clip(rng: np.random.Generator, network: EmbeddedDenoiser) -> Batch:
    """A random character, view, manner and action as a training item at the network's size.

    The puppet is cut with joints that are a little wrong and posed by joints that are right.
    """
    action = str(rng.choice(sorted(ACTIONS)))
    motion = ACTIONS[action]
    mannequin, style, view = sample_character(rng), sample_shading(rng), sample_view(rng)
    art = render(mannequin, stance(rng, mannequin.body), view, style, ART)
    acting = _turned(view, rng)
    truth = render(mannequin, act(rng, action, FRAMES, mannequin.body), acting, style, ART)
    joints = np.concatenate([art.track.joints[0, :, :2] * ART, art.track.confidence[0, :, None]], axis=1)
    if rng.random() < 0.5:
        joints[:, :2] += rng.standard_normal((len(joints), 2)) * ERROR * ART
    figure = Figure(art.frames[0], joints.astype(np.float32), view.facing)
    standard = Placement(1 / ART, (ANCHOR[0] * ART, ANCHOR[1] * ART))
    track = PoseTrack(truth.track.joints, truth.track.confidence, motion.fps, motion.loop)
    seen = observe(build_puppet(figure, PIXELS, standard), figure, track, action)
    return pack(replace(seen, facing=acting.facing), at_size(truth.frames, PIXELS), network)
