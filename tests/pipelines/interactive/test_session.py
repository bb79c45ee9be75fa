"""Whole plays: what the character does, that it does it again, and that it stays who it is."""

from __future__ import annotations

from itertools import groupby, pairwise

import numpy as np
import pytest

from pipelines.clip import Clip
from pipelines.errors import RequestError
from pipelines.interactive.actions import Action, byte_of
from pipelines.interactive.drift import OPENING, PATIENCE, DriftWatch
from pipelines.interactive.history import History
from pipelines.interactive.puppet import PuppetSource
from pipelines.interactive.session import FRAME, Cast, Session, Shown
from pipelines.interactive.sheet import SheetSource
from pipelines.interactive.source import Drawn, Moment, thumbnail
from pipelines.pose.retarget import rest_track
from pipelines.pose.skeleton import INDEX
from pipelines.rig import build_puppet, draw
from pipelines.rig.draw import ready as made_ready
from tests.pipelines.rig.conftest import doll


class Blank:
    """Draws one square; counts what it was asked for."""

    size = 8

    def __init__(self, colour: int = 200) -> None:
        self.moments: list[Moment] = []
        self.colour = colour

    def frame(self, moment: Moment, history: History) -> Drawn:
        self.moments.append(moment)
        frame = np.zeros((8, 8, 4), np.uint8)
        frame[2:, 1:5] = (self.colour, 0, 0, 255)
        return Drawn(frame, thumbnail(frame, 4))


def play(session: Session, script: list[tuple[str, int]]) -> list[Shown]:
    out = []
    for keys, frames in script:
        action = Action(byte_of(keys.split()))
        out += [session.step(action) for _ in range(frames)]
    return out


def states(shown: list[Shown]) -> list[str]:
    return [name for name, _ in groupby(one.act.state for one in shown)]


def test_what_the_keys_do(ready: Cast) -> None:
    session = Session(Blank())
    session.reset(ready)
    script = [("", 2), ("right", 20), ("", 12), ("jump", 2), ("", 40), ("right run", 30), ("", 20)]
    assert states(play(session, script)) == [
        "idle", "walk", "idle", "jump", "fall", "land", "idle", "walk", "run", "walk", "idle",
    ]  # fmt: skip
    assert states(play(session, [("attack", 10), ("attack", 20), ("", 9)])) == ["attack", "idle"]
    assert states(play(session, [("attack", 3), ("hurt", 2), ("", 30)])) == ["attack", "hurt", "idle"]


def test_runs_on_after_landing_without_a_squash(ready: Cast) -> None:
    session = Session(Blank())
    session.reset(ready)
    shown = play(session, [("right run", 40), ("right run jump", 2), ("right run", 40)])
    assert states(shown) == ["walk", "run", "jump", "fall", "run"]


def test_feet_keep_up_with_the_ground_and_walk_backwards_too(ready: Cast) -> None:
    session = Session(Blank())
    session.reset(ready)
    shown = play(session, [("right", 60)])
    stride = ready.known.strides["walk"]
    for before, after in pairwise(shown[40:]):
        step = (after.act.phase - before.act.phase) % 1.0
        assert step * stride == pytest.approx(after.body.x - before.body.x, rel=1e-3)
    back = play(session, [("", 20), ("back", 40)])
    assert (back[-1].act.phase - back[-2].act.phase) % 1.0 > 0.5, "the cycle runs backwards"


def test_looks_where_it_goes_and_the_camera_follows(ready: Cast) -> None:
    session = Session(Blank())
    first = session.reset(ready)
    shown = play(session, [("right", 3), ("left", 30)])
    assert shown[-1].body.side == -1 and shown[-1].camera[0] < shown[-1].body.x
    assert np.array_equal(shown[-1].frame, first.frame[:, ::-1]) and not np.array_equal(shown[-1].frame, first.frame)
    far = play(session, [("forward", 90)])
    assert abs(far[-1].camera[0] - far[-1].body.x) < 1.2, "even a sprinter stays in view"


def test_one_state_eases_into_the_next(ready: Cast) -> None:
    """No joint jumps, whatever is pressed, apart from the swing of an attack."""
    source = Blank()
    session = Session(source)
    session.reset(ready)
    play(session, [("", 5), ("right", 20), ("jump", 20), ("", 20), ("hurt", 12), ("left", 20), ("forward", 40)])
    joints = np.stack([moment.pose.joints[0, :, :2] for moment in source.moments])
    body = [INDEX[name] for name in ("pelvis", "chest", "head", "l_ankle", "r_ankle")]
    assert np.abs(np.diff(joints[:, body], axis=0)).max() < 0.12


def test_the_same_keys_give_the_same_frames(ready: Cast) -> None:
    script = [("right", 6), ("right jump", 8), ("attack", 8), ("left run", 8)]
    runs = []
    for _ in range(2):
        session = Session(PuppetSource(ready.puppet, 48))
        session.reset(ready)
        runs.append(play(session, script))
    for one, two in zip(*runs, strict=True):
        assert np.array_equal(one.frame, two.frame) and (one.body, one.act, one.camera) == (
            two.body,
            two.act,
            two.camera,
        )


def test_a_slow_source_skips_frames_and_never_time(ready: Cast) -> None:
    sessions = [Session(Blank()), Session(Blank())]
    for session, ticks in zip(sessions, (FRAME, 5 * FRAME), strict=True):
        session.reset(ready)
        for _ in range(60 * FRAME // ticks):
            session.step(Action(byte_of(["right", "jump"])), ticks)
    assert sessions[0].body == sessions[1].body and sessions[0].act == sessions[1].act


def test_falls_where_there_is_no_ground(ready: Cast) -> None:
    session = Session(Blank())
    session.reset(ready, lambda x: 0.0 if x < 0.5 else None)
    shown = play(session, [("right", 60)])
    assert shown[-1].body.y < -0.5 and shown[-1].act.state == "fall"


def test_the_history_fills_keeps_its_anchor_and_starts_afresh_with_a_source(ready: Cast) -> None:
    session = Session(Blank(), history=4)
    session.reset(ready)
    assert [one.remembered for one in play(session, [("", 6)])] == [2, 3, 4, 4, 4, 4]
    session.play_with(Blank(10))
    assert session.step(Action()).remembered == 1


def test_drift_is_seen_and_brought_back() -> None:
    reference = np.zeros((8, 8, 4), np.uint8)
    reference[2:, 1:5] = (200, 0, 0, 255)
    other = reference.copy()
    other[2:, 1:5, :3] = (0, 200, 0)
    soft = reference.copy()
    soft[2:5, 1:5, 3] = 120
    watch = DriftWatch(reference)
    assert all(watch.see(reference)[0].worst == 0 for _ in range(OPENING))
    assert watch.see(other)[0].palette == 1 and watch.see(soft)[0].alpha == pytest.approx(0.5)
    told = [watch.see(other)[1] for _ in range(2 * PATIENCE)]
    assert sum(told) == watch.anchored == 2 and told[PATIENCE - 3]
    watch.see(reference)
    assert not any(watch.see(other)[1] for _ in range(PATIENCE - 1)), "a swing is no drift"


def test_a_drifting_source_is_re_anchored_by_the_session(ready: Cast) -> None:
    source = Blank()
    session = Session(source)
    session.watch = DriftWatch(session.reset(ready).frame)
    play(session, [("", OPENING)])
    source.colour = 20
    shown = play(session, [("", PATIENCE + 1)])
    assert shown[-1].anchored == 1 and min(one.remembered for one in shown) == 2


def test_a_long_play_stays_the_same_character(ready: Cast) -> None:
    """Drift over 300 frames against the first hundred."""
    session = Session(PuppetSource(ready.puppet, 48))
    session.reset(ready)
    beat = [("forward", 25), ("forward jump", 5), ("left", 30), ("attack", 20), ("right run", 20)]
    shown = [one.drift for _ in range(3) for one in play(session, beat)]
    for name in ("palette", "alpha"):
        values = [getattr(one, name) for one in shown]
        assert np.mean(values[OPENING:]) <= 2 * np.mean(values[:OPENING]) and session.watch.anchored == 0


def clip(action: str, value: int, frames: int = 4, loop: bool = True) -> Clip:
    pixels = np.zeros((frames, 8, 8, 4), np.uint8)
    for number in range(frames):
        pixels[number, 1 : 7 - (number if action == "jump" else 0)] = (value, number, 0, 255)
    return Clip(pixels, 12, action, loop=loop)


def test_a_sheet_plays_its_clips_and_what_stands_for_them(ready: Cast) -> None:
    sheet = SheetSource({"idle": clip("idle", 1), "run": clip("run", 2), "jump": clip("jump", 3, loop=False)})
    session = Session(sheet)
    session.reset(ready)
    shown = play(session, [("", 1), ("right", 10), ("jump", 2), ("", 6)])
    seen = [int(one.frame[3, 4, 0]) for one in shown]
    assert [value for value, _ in groupby(seen)] == [1, 2, 3] and sheet.clip("walk").action == "run"
    bottoms = {int(np.nonzero(one.frame[:, 4, 3])[0].max()) for one in shown}
    assert bottoms == {6}, "the world lifts the jump, the cell does not lift it again"
    assert sheet.clip("slash").action == "idle"
    with pytest.raises(RequestError, match="animate an action first"):
        SheetSource({})


def test_phases_find_their_frames() -> None:
    sheet = SheetSource({"walk": clip("walk", 5), "hurt": clip("hurt", 6, 3, loop=False)})

    def frame(action: str, phase: float) -> int:
        return int(sheet.frame(Moment(None, action, phase, np.zeros(6)), History()).frame[3, 3, 1])  # type: ignore

    assert [frame("walk", phase) for phase in (0, 0.24, 0.26, 0.99, 1.0)] == [0, 0, 1, 3, 0]
    assert [frame("hurt", phase) for phase in (0, 0.2, 0.5, 1.0, 3.0)] == [0, 0, 1, 2, 2]


def test_layers_made_ready_draw_the_same_frames() -> None:
    """A cast's puppet is reduced once, not at every frame; what is drawn is the same."""
    figure = doll(scale=2)
    puppet = build_puppet(figure)
    track = rest_track(figure, puppet.placement)
    assert np.array_equal(draw(puppet, track, 48).frames, draw(made_ready(puppet, 48), track, 48).frames)
    assert made_ready(puppet, 48).layers[0].rgba.size < puppet.layers[0].rgba.size
