"""One play: a character, its body, a camera, and whoever draws the frames."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ..figure import Figure, Placement
from ..pose.retarget import rest_track
from ..rig import Puppet, build_puppet, draw
from ..rig.draw import ready
from .actions import Action, vector
from .drift import Drift, DriftWatch
from .history import USUAL, History
from .machine import Act, joints, perform
from .physics import TICK, Body, Limits, advance
from .repertoire import Repertoire, learn
from .source import FrameSource, Moment

FRAME = 4
"""Ticks of one `step`: 30 frames a second."""

LEAD, EASE, AWAY = 0.7, 5.0, 8.0
"""Metres that the camera looks ahead, how fast it follows (1/s), and metres from which it looks on."""

Ground = Callable[[float], float | None]
"""Height of the floor in metres at x; None where there is none."""


def flat(x: float) -> float | None:
    """The endless floor."""
    return 0.0


@dataclass(frozen=True)
class Cast:
    """A character made ready to play. Built once, shared by every source."""

    figure: Figure
    puppet: Puppet
    known: Repertoire
    reference: np.ndarray
    """uint8 (S, S, 4): as drawn, in the cell."""

    @property
    def size(self) -> int:
        return int(self.reference.shape[0])

    @property
    def native(self) -> int:
        """+1 where the art looks right (or at the viewer), -1 where it looks left."""
        return -1 if self.figure.facing == "left" else 1


def cast(figure: Figure, placement: Placement | None, size: int) -> Cast:
    """Cuts the figure into layers and fits its motions: seconds once, so that a frame takes milliseconds."""
    puppet = ready(build_puppet(figure, size, placement), size)
    reference = draw(puppet, rest_track(figure, puppet.placement), size).frames[0]
    return Cast(figure, puppet, learn(figure, puppet.placement), reference)


@dataclass(frozen=True)
class Shown:
    """One frame and all that the page tells about it."""

    frame: np.ndarray
    """uint8 (S, S, 4), mirrored when the character looks the other way than it was drawn."""
    body: Body
    act: Act
    camera: tuple[float, float]
    """x and y in metres of the middle of the view over the start of the ground."""
    drift: Drift
    anchored: int
    """How often the drift watch has gone back to the reference."""
    weights: np.ndarray
    """float32 (n,): what the history was read with, anchor first."""
    remembered: int
    """Frames in the history."""
    tick: int


class Session:
    """Deterministic: the same cast, source and actions give the same frames."""

    def __init__(self, source: FrameSource, history: int = USUAL, limits: Limits | None = None) -> None:
        self.source, self._length, self._given = source, history, limits

    def reset(self, character: Cast, scene: Ground = flat) -> Shown:
        """The character at the start of the scene, memory empty; its first frame becomes the anchor."""
        self.cast, self.ground = character, scene
        strides = character.known.strides
        # Somebody with short legs walks slower, or the feet would slide.
        self.limits = self._given or Limits(walk=min(max(2.2 * strides["walk"], 0.8), Limits.walk))
        self.body, self.act, self.camera, self.tick = Body(y=scene(0.0) or 0.0), Act(), (LEAD, 0.0), 0
        self.history, self.watch = History(self._length), DriftWatch(character.reference)
        self._keys = 0
        return self.draw()

    def step(self, action: Action, ticks: int = FRAME) -> Shown:
        """Moves on by `ticks` and draws."""
        self.advance(action, ticks)
        return self.draw()

    def advance(self, action: Action, ticks: int) -> None:
        """Moves on without drawing: a slow source skips frames, never time."""
        for _ in range(ticks):
            self.body = advance(self.body, action, self.limits, self.ground(self.body.x))
            self.act = perform(self.act, self.body, action, self.cast.known)
            self.camera = _follow(self.camera, self.body)
            self.tick += 1
        self._keys = action.keys

    def draw(self) -> Shown:
        """The present moment."""
        known = self.cast.known
        control = vector(self._keys, self.body.held)
        control[3:5] += np.float32(0.1) * np.array([self.body.pitch, self.body.yaw], np.float32)
        moment = Moment(known.pose(joints(self.act, known)), self.act.action, self.act.phase, control)
        drawn = self.source.frame(moment, self.history)
        drift, stray = self.watch.see(drawn.frame)
        if stray:
            self.history.reanchor()
        self.history.push(drawn.hidden)
        turned = self.body.side != self.cast.native
        return Shown(
            np.ascontiguousarray(drawn.frame[:, ::-1]) if turned else drawn.frame,
            self.body,
            self.act,
            self.camera,
            drift,
            self.watch.anchored,
            self.history.weights,
            len(self.history),
            self.tick,
        )

    def play_with(self, source: FrameSource) -> None:
        """Another source goes on from the same moment, with its own memory."""
        self.source = source
        self.history, self.watch = History(self._length), DriftWatch(self.cast.reference)


def _follow(camera: tuple[float, float], body: Body) -> tuple[float, float]:
    """Eases after the body, a little ahead of it, and looks where the mouse points."""

    def aside(tenths: int) -> float:
        return AWAY * math.tan(math.radians(max(-300, min(300, tenths)) / 10))

    share = 1 - math.exp(-EASE * TICK)
    goal = (body.x + LEAD * body.facing + aside(body.yaw), max(body.y - 1.2, 0.0) * 0.6 + aside(body.pitch))
    # A sprinter would run out of an easing camera: it moves along, and only the rest is eased.
    x = camera[0] + body.vx * TICK
    return x + (goal[0] - x) * share, camera[1] + (goal[1] - camera[1]) * share


__all__ = ["FRAME", "Cast", "Ground", "Session", "Shown", "cast", "flat"]
