"""The socket of live play: who is let in, who waits, what comes out; real sockets, a real play of a small hero."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from typing import Any

import cv2
import numpy as np
import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient, WebSocketTestSession
from starlette.websockets import WebSocketDisconnect

from pipelines.clip import Clip
from pipelines.errors import LibraryError, RequestError
from pipelines.interactive.actions import BIT, Action, byte_of
from pipelines.interactive.physics import TICK
from pipelines.interactive.scripts import CLOUDS, SCRIPTS, action_at, seconds
from studio.library import Character
from studio.live import stage, wire
from studio.live.play import Play
from studio.live.server import FORBIDDEN, REPLACED, ROUTE, UNKNOWN, LiveServer, own_page
from studio.studio import Desk, Studio

HOME = {"origin": "http://testserver"}


class Page:
    """A browser's end of the socket."""

    def __init__(self, socket: WebSocketTestSession) -> None:
        self.socket = socket

    def say(self, **message: Any) -> None:
        self.socket.send_text(json.dumps(message))

    def until(self, kind: str, **wanted: Any) -> tuple[dict[str, Any], bytes]:
        """The next message of a kind in which these values stand."""
        for _ in range(2000):
            head, body = wire.unpacked(self.socket.receive_bytes())
            if head["t"] == kind and all(head.get(name) == value for name, value in wanted.items()):
                return head, body
        raise AssertionError(f"no {kind} {wanted}")


@pytest.fixture
def live(studio: Studio) -> LiveServer:
    return LiveServer(studio, seats=2)


@pytest.fixture
def client(live: LiveServer) -> Iterator[TestClient]:
    app = FastAPI()
    app.include_router(live.routes())
    with TestClient(app) as opened:
        yield opened


def opened(client: TestClient, ticket: str, headers: dict[str, str] = HOME) -> Any:
    return client.websocket_connect(f"{ROUTE}?ticket={ticket}", headers=headers)


def test_plays_from_the_first_frame_to_a_kept_clip(
    client: TestClient, live: LiveServer, desk: Desk, hero: Character
) -> None:
    with opened(client, live.ticket(desk.owner, hero.id)) as socket:
        page = Page(socket)
        page.until("warming")
        ready, _ = page.until("ready")
        assert ready["modes"] == ["puppet", "model", "teacher"] and ready["mode"] == "puppet"
        page.say(t="mode", mode="puppet")
        head, body = page.until("frame", state="idle")
        shown = cv2.imdecode(np.frombuffer(body, np.uint8), cv2.IMREAD_UNCHANGED)
        assert shown.shape == (ready["size"], ready["size"], 4) and (shown[..., 3] > 0).mean() > 0.05
        page.say(t="record", on=True)
        page.say(t="input", seq=7, keys=BIT["right"])
        head, _ = page.until("frame", state="walk", seq=7)
        assert head["keys"] == BIT["right"] and head["side"] == 1
        further, _ = page.until("frame", seq=7)
        assert further["x"] > head["x"] and further["tick"] > head["tick"]
        page.say(t="input", seq=8, keys=0)
        page.until("frame", state="idle", seq=8)
        page.say(t="record", on=False)
        clip = page.until("record", on=False)[0]["clip"]
        page.say(t="mode", mode="nonsense")
        assert "cannot be played" in page.until("sorry")[0]["text"]
    kept = Clip.load(desk.library.within(hero.id, "clips") / clip)
    assert kept.fps == stage.FPS and len(kept) >= 1 and kept.origin["mode"] == "puppet"
    assert "sheet" in stage.modes(desk, hero.id)


def test_pause_single_steps_and_scripts(client: TestClient, live: LiveServer, desk: Desk, hero: Character) -> None:
    with opened(client, live.ticket(desk.owner, hero.id)) as socket:
        page = Page(socket)
        page.until("ready")
        page.until("frame")
        page.say(t="step")
        time.sleep(0.3)
        page.say(t="record", on=True)  # its answer ends the frames that were on their way
        page.until("record")
        page.say(t="step")
        one, _ = page.until("frame")
        page.say(t="step")
        assert page.until("frame")[0]["tick"] == one["tick"] + 3
        page.say(t="pause", on=False)
        page.say(t="script", name="tour")
        page.until("frame", keys=BIT["right"], state="walk")
        page.say(t="reset")
        assert page.until("frame")[0]["x"] < 0.5


def test_strangers_stay_outside(client: TestClient, live: LiveServer, desk: Desk, hero: Character) -> None:
    ticket = live.ticket(desk.owner, hero.id)
    for given, headers, code in (
        (ticket, {"origin": "https://elsewhere.example"}, FORBIDDEN),
        (ticket, {}, FORBIDDEN),
        ("guess", HOME, UNKNOWN),
        ("", HOME, UNKNOWN),
    ):
        with opened(client, given, headers) as socket, pytest.raises(WebSocketDisconnect) as closed:
            socket.receive_bytes()
        assert closed.value.code == code
    assert own_page("http://Studio:7860", "studio:7860") and not own_page("http://studio:7861", "studio:7860")


def test_a_ticket_is_for_ones_own_character_only(live: LiveServer, studio: Studio, hero: Character) -> None:
    with pytest.raises(LibraryError):
        live.ticket("somebody else", hero.id)


def test_more_than_there_are_seats_wait_in_line(studio: Studio, desk: Desk, hero: Character) -> None:
    live = LiveServer(studio, seats=1)
    app = FastAPI()
    app.include_router(live.routes())
    tickets = [live.ticket(desk.owner, hero.id) for _ in range(3)]
    with TestClient(app) as client, opened(client, tickets[2]) as last:
        Page(last).until("ready")
        with opened(client, tickets[0]) as first, opened(client, tickets[1]) as second:
            assert Page(first).until("waiting")[0]["place"] == 1
            assert Page(second).until("waiting")[0]["place"] == 2
            last.close()
            Page(first).until("frame")
            assert Page(second).until("waiting")[0]["place"] == 1


def test_the_same_page_again_takes_the_place_of_its_lost_socket(
    client: TestClient, live: LiveServer, desk: Desk, hero: Character
) -> None:
    ticket = live.ticket(desk.owner, hero.id)
    with opened(client, ticket) as first:
        Page(first).until("frame")
        with opened(client, ticket) as second:
            Page(second).until("frame")
            with pytest.raises(WebSocketDisconnect) as closed:
                Page(first).until("nothing")
            assert closed.value.code == REPLACED


def test_sleeps_when_nobody_plays(desk: Desk, hero: Character) -> None:
    play = Play(desk, hero.id, idle=0.2)
    told: list[str] = []
    play.start(lambda: told.extend(message["t"] for message in play.fetch(0)[2]))
    end = time.monotonic() + 20
    while not play.over and time.monotonic() < end:
        time.sleep(0.02)
    assert told[-1] == "asleep" and play.over


def test_a_held_key_keeps_it_awake_until_it_is_let_go(desk: Desk, hero: Character) -> None:
    play = Play(desk, hero.id, idle=0.5)
    play.hear({"t": "input", "seq": 1, "keys": 8})
    play.start(lambda: None)
    newest(play, after=0)
    time.sleep(1.5)
    assert not play.over
    play.hear({"t": "input", "seq": 2, "keys": 0})
    end = time.monotonic() + 20
    while not play.over and time.monotonic() < end:
        time.sleep(0.02)
    assert play.over


def test_the_newest_input_wins_and_frames_are_replaced(desk: Desk, hero: Character) -> None:
    play = Play(desk, hero.id)
    play.start(lambda: None)
    for seq in range(1, 50):
        play.hear({"t": "input", "seq": seq, "keys": seq % 2})
    first, body = newest(play, after=0)
    later, other = newest(play, after=first + 2)  # nobody fetched the ones between: they are gone
    play.stop()
    assert wire.unpacked(body)[0]["seq"] == wire.unpacked(other)[0]["seq"] == 49
    assert later > first + 2 and play.fetch(later + 1000)[1] == b""


def newest(play: Play, after: int) -> tuple[int, bytes]:
    end = time.monotonic() + 30
    while time.monotonic() < end:
        number, body, _ = play.fetch(after)
        if body:
            return number, body
        time.sleep(0.02)
    raise AssertionError("no frame came")


@pytest.mark.parametrize("text", ["", "[]", "{", "x" * 3000, "7", '"' * 9])
def test_what_no_page_sends_is_no_message(text: str) -> None:
    assert wire.asked(text) is None


def test_input_out_of_range_counts_as_not_pressed() -> None:
    for keys in (-1, 256, "5", 2.5, True, None):
        assert wire.action({"keys": keys}) == Action()
    assert wire.action({"keys": 255, "yaw": -123, "pitch": 10**9}) == Action(255, -123, 0)


def test_what_is_packed_is_unpacked() -> None:
    assert wire.unpacked(wire.packed({"t": "é"}, b"\0\1")) == ({"t": "é"}, b"\0\1")


def test_a_sheet_needs_clips_and_an_empty_recording_is_refused(desk: Desk, hero: Character) -> None:
    with pytest.raises(RequestError, match="animate an action first"):
        stage.source(desk, hero.id, stage.ready(desk, hero.id), "sheet")
    with pytest.raises(RequestError, match="Nothing was recorded"):
        stage.keep(desk, hero.id, [], "puppet")


def test_the_preset_runs_ahead_and_jumps_every_second() -> None:
    held = [action_at(CLOUDS, tick) for tick in range(round(10 / TICK))]
    assert all(action is not None and action.held("forward") for action in held)
    starts = [n for n in range(1, len(held)) if held[n].held("jump") and not held[n - 1].held("jump")]  # type: ignore
    assert [round(start * TICK, 1) for start in starts] == [second + 0.9 for second in range(10)]
    for script in SCRIPTS.values():
        assert action_at(script, round(seconds(script) / TICK) + 1) is None
        assert all(0 <= byte_of(keys.split()) < 256 for keys, _ in script)
