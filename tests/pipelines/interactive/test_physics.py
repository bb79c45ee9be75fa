"""The body answers with limits, grace, and the same way every time."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipelines.interactive.actions import Action, byte_of
from pipelines.interactive.physics import TICK, Body, Limits, advance

LIMITS = Limits()
NOTHING, RIGHT, JUMP = Action(), Action(byte_of(["right"])), Action(byte_of(["jump"]))


def play(body: Body, actions: Iterable[Action], ground: float | None = 0.0) -> list[Body]:
    out = [body]
    for action in actions:
        out.append(advance(out[-1], action, LIMITS, ground))
    return out


def test_walks_within_its_limits_and_stops() -> None:
    bodies = play(Body(), [RIGHT] * 120)
    steps = [b.vx - a.vx for a, b in pairwise(bodies)]
    assert max(steps) <= LIMITS.acceleration * TICK + 1e-9
    assert bodies[-1].vx == pytest.approx(LIMITS.walk) and bodies[-1].x > 1.2
    stopped = play(bodies[-1], [NOTHING] * 30)
    assert stopped[-1].vx == 0 and stopped[-1].side == 1


def test_ahead_reaches_ten_metres_a_second_after_one() -> None:
    ahead = Action(byte_of(["forward"]))
    bodies = play(Body(), [ahead] * 240)
    assert bodies[60].vx < 6 and bodies[-1].vx == pytest.approx(10.0)
    left = play(Body(facing=-1, heading=180.0), [ahead] * 240)
    assert left[-1].vx == pytest.approx(-10.0) and left[-1].side == -1
    back = play(Body(), [Action(byte_of(["back"]))] * 120)
    assert back[-1].vx == pytest.approx(-LIMITS.walk) and back[-1].side == 1
    run = play(Body(), [Action(byte_of(["right", "run"]))] * 240)
    assert run[-1].vx == pytest.approx(LIMITS.run)


def test_turning_takes_time() -> None:
    bodies = play(Body(), [Action(byte_of(["left"]))] * 40)
    turned = next(number for number, body in enumerate(bodies) if body.side == -1)
    assert 0.05 < turned * TICK < 0.2 and bodies[-1].heading == 180


def test_a_jump_is_a_launch_under_gravity() -> None:
    bodies = play(Body(), [JUMP] * 240)
    assert bodies[1].vy == pytest.approx(5.0 - LIMITS.gravity * TICK)
    assert max(body.y for body in bodies) == pytest.approx(25 / (2 * LIMITS.gravity), rel=0.03)
    landed = next(number for number, body in enumerate(bodies[2:], 2) if body.grounded)
    assert landed * TICK == pytest.approx(10 / LIMITS.gravity, abs=0.03)
    assert all(body.y == 0 and body.grounded for body in bodies[landed:]), "held down it jumps once"


def test_a_jump_is_remembered_just_before_landing() -> None:
    up = play(Body(), [JUMP, *[NOTHING] * 300])
    landing = next(number for number, body in enumerate(up[2:], 2) if body.grounded)
    for early, jumps in ((0.05, True), (0.3, False)):
        press = landing - round(early / TICK)
        keys = [JUMP, *[NOTHING] * (press - 2), JUMP, *[NOTHING] * round(early / TICK + 6)]
        assert (play(Body(), keys)[-1].vy > 0) is jumps


def test_just_after_the_edge_a_jump_still_works_and_only_once() -> None:
    for late, jumps in ((0.06, True), (0.2, False)):
        fall = play(Body(y=3.0), [NOTHING] * round(late / TICK), ground=None)[-1]
        assert not fall.grounded and fall.vy < 0
        leapt = advance(fall, JUMP, LIMITS, None)
        assert (leapt.vy > 0) is jumps
        again = advance(advance(leapt, NOTHING, LIMITS, None), JUMP, LIMITS, None)
        assert again.vy < leapt.vy


def test_the_view_follows_the_mouse_to_the_tenth() -> None:
    bodies = play(Body(), [Action(0, yaw=123, pitch=-7)] * 60)
    assert (bodies[-1].yaw, bodies[-1].pitch) == (123, -7)
    assert bodies[1].yaw == round(LIMITS.look * TICK * 10)


def test_a_floor_above_is_passed_from_below() -> None:
    bodies = play(Body(y=-0.5, airborne=0.1, jumped=True, vy=5.0), [NOTHING] * 100)
    assert max(body.y for body in bodies) > 0.3 and bodies[-1].y == 0 and bodies[-1].grounded


@settings(max_examples=30, deadline=None)
@given(st.lists(st.integers(0, 255), min_size=1, max_size=120))
def test_the_same_keys_give_the_same_run(keys: list[int]) -> None:
    actions = [Action(key) for key in keys]
    bodies = play(Body(), actions)
    assert bodies == play(Body(), actions)
    for body in bodies:
        assert body.y >= 0 and abs(body.vx) <= LIMITS.sprint + LIMITS.run and 0 <= body.heading <= 180
        assert body.grounded is (body.airborne == 0) and not (body.grounded and body.vy)
