"""How a body answers: kinematics under limits at a fixed time step; the same keys give the same run (R86, R124).

Side view: x along the ground, y up, metres and seconds. Not interpolation: speed follows a wish through acceleration
and friction, a jump is a launch under gravity, turning takes time. Grace after R106 and after platform games: a jump
still works just after an edge (coyote time) and is remembered just before landing (jump buffer).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from .actions import LEAP, Action, vector

TICK = 1 / 120
"""Seconds of one step; a frame is a whole number of them."""


@dataclass(frozen=True)
class Limits:
    """What the body can do."""

    walk: float = 1.7
    """m/s sideways without the run key."""
    run: float = 5.0
    """m/s sideways with it."""
    sprint: float = 10.0
    """m/s straight ahead, reached after a second (R98: "run at 10 m/s")."""
    acceleration: float = 14.0
    """m/s2 towards the wish."""
    friction: float = 18.0
    """m/s2 to a stop, on the ground."""
    air: float = 0.45
    """Share of both while in the air."""
    gravity: float = 12.0
    """m/s2. A jump of 5 m/s rises a metre and lasts 0.8 s."""
    fastest_fall: float = 20.0
    """m/s."""
    turn: float = 900.0
    """Degrees a second: a half turn takes a fifth of a second."""
    look: float = 360.0
    """Degrees a second that the view follows the mouse."""
    coyote: float = 0.1
    """Seconds after the ground is gone in which a jump still works."""
    buffer: float = 0.12
    """Seconds before landing in which a jump is remembered."""


@dataclass(frozen=True)
class Body:
    """State between two steps."""

    x: float = 0.0
    y: float = 0.0
    """Height of the soles over the ground."""
    vx: float = 0.0
    vy: float = 0.0
    heading: float = 0.0
    """Degrees: 0 looks right, 180 looks left."""
    facing: int = 1
    """+1 wants to look right, -1 left; `heading` follows."""
    yaw: int = 0
    """Tenths of a degree, where the view is; follows the mouse."""
    pitch: int = 0
    held: float = 0.0
    """Seconds that the present direction has been held."""
    airborne: float = 0.0
    """Seconds since the soles left the ground."""
    wish: float = 0.0
    """Seconds that a pressed jump is still remembered."""
    ready: bool = True
    """False until the jump key was let go: held down it jumps once."""
    jumped: bool = False
    """True in the air after a jump, False after merely losing the ground."""

    @property
    def grounded(self) -> bool:
        return self.airborne == 0.0

    @property
    def side(self) -> int:
        """+1 shown looking right, -1 left."""
        return 1 if self.heading < 90 else -1


def advance(body: Body, action: Action, limits: Limits = Limits(), ground: float | None = 0.0) -> Body:
    """The body one `TICK` later. `ground`: height of the floor under it, None where there is none."""
    ask = vector(action.keys, 1.0)
    moving = ask[0] != 0 or ask[2] != 0
    held = min(body.held + TICK, 1.0) if moving else 0.0
    facing = body.facing if ask[0] == 0 else (1 if ask[0] > 0 else -1)
    body = replace(body, held=held, facing=facing)
    body = _turned(body, action, limits)
    body = _moved(body, action, limits)
    return _leapt_and_fallen(body, action, limits, ground)


def wanted(action: Action, held: float, facing: int, limits: Limits) -> float:
    """m/s along x that the keys ask for after `held` seconds.

    Sideways keys walk, or run; straight ahead speeds up as long as it is held; straight back walks backwards.
    """
    velocity = vector(action.keys, held)
    most = limits.run if action.held("run") else limits.walk
    # The run key asks at once; without it the walking speed is soon reached anyway.
    side = _clip(float(vector(action.keys, 1.0)[0]), most)
    ahead = float(velocity[2])
    ahead = min(ahead, limits.sprint) if ahead > 0 else max(float(vector(action.keys, 1.0)[2]), -limits.walk)
    return side + facing * ahead


def _moved(body: Body, action: Action, limits: Limits) -> Body:
    goal = wanted(action, body.held, body.facing, limits)
    rate = limits.acceleration if abs(goal) > abs(body.vx) and goal * body.vx >= 0 else limits.friction
    if not body.grounded:
        rate *= limits.air
    vx = body.vx + _clip(goal - body.vx, rate * TICK)
    return replace(body, vx=vx, x=body.x + vx * TICK)


def _turned(body: Body, action: Action, limits: Limits) -> Body:
    target = 0.0 if body.facing > 0 else 180.0
    heading = body.heading + _clip(target - body.heading, limits.turn * TICK)
    most = round(limits.look * TICK * 10)
    yaw = body.yaw + max(-most, min(most, action.yaw - body.yaw))
    pitch = body.pitch + max(-most, min(most, action.pitch - body.pitch))
    return replace(body, heading=heading, yaw=yaw, pitch=pitch)


def _leapt_and_fallen(body: Body, action: Action, limits: Limits, ground: float | None) -> Body:
    pressed = action.held("jump")
    wish = limits.buffer if pressed and body.ready else max(body.wish - TICK, 0.0)
    may = body.grounded or (not body.jumped and body.airborne <= limits.coyote)
    vy, jumped, airborne = body.vy, body.jumped, body.airborne
    if wish > 0 and may:
        vy, jumped, wish, airborne = LEAP, True, 0.0, TICK
    elif body.grounded and (ground is None or body.y > ground):
        airborne = TICK
    if airborne > 0:
        vy = max(vy - limits.gravity * TICK, -limits.fastest_fall)
        airborne = airborne if airborne != body.airborne else airborne + TICK
    y = body.y + vy * TICK if airborne > 0 else body.y
    # Landing: only a floor that the soles were above counts; from below one passes it.
    if airborne > 0 and vy <= 0 and ground is not None and y <= ground <= body.y + 1e-9:
        y, vy, airborne, jumped = ground, 0.0, 0.0, False
    return replace(body, y=y, vy=vy, wish=wish, ready=not pressed, jumped=jumped, airborne=airborne)


def _clip(value: float, most: float) -> float:
    return max(-most, min(most, value))
