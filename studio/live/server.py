"""The socket beside the page: who may play, who waits in line, frames out and keys in.

A page gets an unguessable ticket with its own login (in `studio.ui.tabs.live`), bound to an owner and a character;
the socket asks for the ticket and that it is opened from our own page. So no login code is written twice.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import urlsplit

from fastapi import APIRouter, WebSocket, WebSocketDisconnect

from pipelines.errors import LibraryError

from ..studio import Studio
from . import wire
from .play import Play

ROUTE = "/live/ws"
TICKETS = 4096
"""Tickets kept; the oldest go first."""
LIVES = 12 * 3600.0
"""Seconds that a ticket is good for."""
SEATS = {"local": 4, "studio": 3, "space": 2}
"""Plays at once by profile; more wait in line."""
LOST = 15.0
"""Seconds without any word from a page (it says "here" every 5) until its seat is given on."""

FORBIDDEN, UNKNOWN, REPLACED = 4403, 4401, 4409
"""Close codes: foreign page; ticket not known (ask the page for a new one); the same page connected again."""


@dataclass(frozen=True)
class Ticket:
    owner: str
    character: str
    made: float


class LiveServer:
    """Tickets and running plays of one process."""

    def __init__(self, studio: Studio, seats: int | None = None, play: Callable[..., Play] = Play) -> None:
        self.studio, self._make = studio, play
        self.seats = SEATS[studio.settings.profile] if seats is None else seats
        self._tickets: OrderedDict[str, Ticket] = OrderedDict()
        self._sockets: dict[str, WebSocket] = {}
        self._playing: set[str] = set()
        self._line: list[str] = []

    def ticket(self, owner: str, character: str) -> str:
        """For one page that shows one character. Raises `LibraryError` when it is not the owner's."""
        self.studio.desk(owner).library.character(character)
        code = secrets.token_urlsafe(32)
        self._tickets[code] = Ticket(owner, character, time.monotonic())
        while len(self._tickets) > TICKETS:
            self._tickets.popitem(last=False)
        return code

    def routes(self) -> APIRouter:
        """To be included before the page is mounted."""
        router = APIRouter()
        router.add_api_websocket_route(ROUTE, self.serve)
        return router

    async def serve(self, socket: WebSocket) -> None:
        """One connection, from its greeting to its end."""
        await socket.accept()
        code = socket.query_params.get("ticket", "")
        ticket = self._tickets.get(code)
        if not own_page(socket.headers.get("origin"), socket.headers.get("host")):
            return await socket.close(FORBIDDEN)
        if ticket is None or time.monotonic() - ticket.made > LIVES:
            return await socket.close(UNKNOWN)
        before = self._sockets.pop(code, None)
        self._sockets[code] = socket
        if before is not None:
            with contextlib.suppress(RuntimeError):
                await before.close(REPLACED)
        with contextlib.suppress(WebSocketDisconnect, RuntimeError):
            await self._seated(socket, code, ticket)
        if self._sockets.get(code) is socket:
            del self._sockets[code]
        with contextlib.suppress(RuntimeError):
            await socket.close()
        return None

    async def _seated(self, socket: WebSocket, code: str, ticket: Ticket) -> None:
        me = f"{code} {secrets.token_hex(4)}"
        self._line.append(me)
        try:
            told = -1
            while len(self._playing) >= self.seats or self._line[0] != me:
                place = self._line.index(me) + 1
                if place != told:
                    told = place
                    await socket.send_bytes(wire.packed({"t": "waiting", "place": place}))
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(socket.receive_text(), 0.5)  # raises when the page has gone
            self._line.remove(me)
            self._playing.add(me)
            await self._play(socket, ticket)
        finally:
            self._playing.discard(me)
            if me in self._line:
                self._line.remove(me)

    async def _play(self, socket: WebSocket, ticket: Ticket) -> None:
        loop, news = asyncio.get_running_loop(), asyncio.Event()

        def wake() -> None:
            with contextlib.suppress(RuntimeError):  # the loop may be closed already
                loop.call_soon_threadsafe(news.set)

        try:
            play = self._make(self.studio.desk(ticket.owner), ticket.character)
        except LibraryError as error:
            return await socket.send_bytes(wire.packed({"t": "sorry", "text": str(error)}))
        play.start(wake)
        reading = asyncio.create_task(self._listen(socket, play, wake))
        try:
            at = 0
            while not (play.over or reading.done()):
                await news.wait()
                news.clear()
                number, body, told = play.fetch(at)
                for message in told:
                    await socket.send_bytes(wire.packed(message))
                if body:
                    at = number
                    await socket.send_bytes(body)
            for message in play.fetch(at)[2]:
                await socket.send_bytes(wire.packed(message))
        finally:
            play.stop()
            reading.cancel()
        return None

    @staticmethod
    async def _listen(socket: WebSocket, play: Play, wake: Callable[[], None]) -> None:
        try:
            while True:
                # A page that neither closes nor speaks has lost its network.
                message = wire.asked(await asyncio.wait_for(socket.receive_text(), LOST))
                if message is None:
                    return
                if message.get("t") != "here":
                    play.hear(message)
        except (WebSocketDisconnect, TimeoutError, RuntimeError, KeyError):
            return
        finally:
            wake()


def own_page(origin: str | None, host: str | None) -> bool:
    """Whether a browser opened the socket from a page of this very address; other sites may not play."""
    return bool(origin and host) and urlsplit(str(origin)).netloc.lower() == str(host).lower()
