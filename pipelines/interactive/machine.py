"""What the character does while its body moves: states, their phases, and the blend from one to the next.

idle <-> walk <-> run        by speed over the ground
jump -> fall -> land         by the body's flight
attack, hurt                 by key; they run to their end, hurt interrupts everything
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from .actions import LEAP, Action
from .physics import TICK, Body
from .repertoire import FASTEST, Repertoire

State = Literal["idle", "walk", "run", "jump", "fall", "land", "attack", "hurt"]

STILL = 0.15
"""m/s below which the character stands."""
TROT = (2.2, 2.8)
"""m/s: below the first it walks, above the second it runs, in between it goes on as it does."""
BLEND = 0.12
"""Seconds from one state's pose to the next one's."""
LANDING = 0.22
"""Seconds of the squash after a fall; walking on cuts it short."""
AIR = {"take_off": 0.3, "apex": 0.47, "reach": 0.64, "touch": 0.68, "end": 0.95}
"""Phases of the library's jump that flight is read onto."""


@dataclass(frozen=True)
class Act:
    """What is played now, and what it is blended out of."""

    state: State = "idle"
    action: str = "idle"
    phase: float = 0.0
    since: float = 1.0
    """Seconds in this state."""
    before: tuple[str, float] = ("idle", 0.0)
    """Action and phase that the state before was left at."""
    keys: int = 0
    """Held keys of the step before: attack and hurt answer to being pressed, not to being held."""


def perform(act: Act, body: Body, action: Action, known: Repertoire) -> Act:
    """The act one tick later, of a body that has just moved."""
    pressed = Action(action.keys & ~act.keys)
    state = _next(act, body, pressed, known)
    if state != act.state or (state == "hurt" and pressed.held("hurt")):
        name = {"jump": "jump", "fall": "jump", "land": "jump", "attack": known.attack}.get(state, state)
        gaits = act.state in ("walk", "run") and state in ("walk", "run")
        phase = act.phase if gaits or (act.action == name and state in ("jump", "fall", "land")) else 0.0
        act = Act(state, name, phase, 0.0, (act.action, act.phase))
    return replace(act, phase=_phase(act, body, known), since=act.since + TICK, keys=action.keys)


def joints(act: Act, known: Repertoire) -> np.ndarray:
    """float32 (21, 3) of the act, eased out of the one before."""
    now = known.joints(act.action, act.phase)
    share = min(act.since / BLEND, 1.0)
    if share >= 1 or act.before[0] == act.action:
        return now
    share = share * share * (3 - 2 * share)
    return known.joints(*act.before) * np.float32(1 - share) + now * np.float32(share)


def _next(act: Act, body: Body, pressed: Action, known: Repertoire) -> State:
    if pressed.held("hurt"):
        return "hurt"
    if act.state == "hurt" and act.since < known.seconds["hurt"]:
        return "hurt"
    if pressed.held("attack") and act.state != "attack":
        return "attack"
    if act.state == "attack" and act.since < known.seconds[known.attack]:
        return "attack"
    if not body.grounded:
        return "jump" if body.vy > 0 else "fall"
    speed = abs(body.vx)
    if act.state in ("jump", "fall"):
        return "land" if speed < TROT[0] else "run"
    if act.state == "land" and act.since < LANDING and speed < STILL:
        return "land"
    if speed < STILL:
        return "idle"
    if act.state == "run":
        return "run" if speed > TROT[0] else "walk"
    return "run" if speed > TROT[1] else "walk"


def _phase(act: Act, body: Body, known: Repertoire) -> float:
    if act.state in ("walk", "run"):
        pace = min(abs(body.vx) / known.strides[act.state], FASTEST)
        forwards = body.vx * body.facing >= 0
        return float((act.phase + (pace if forwards else -pace) * TICK) % 1.0)
    if act.state == "idle":
        return (act.phase + TICK / known.seconds["idle"]) % 1.0
    if act.state == "jump":
        return AIR["apex"] - (AIR["apex"] - AIR["take_off"]) * min(body.vy / LEAP, 1.0)
    if act.state == "fall":
        return AIR["apex"] + (AIR["reach"] - AIR["apex"]) * min(-body.vy / LEAP, 1.0)
    if act.state == "land":
        return AIR["touch"] + (AIR["end"] - AIR["touch"]) * min(act.since / LANDING, 1.0)
    return min(act.since / known.seconds[act.action], 1.0)
