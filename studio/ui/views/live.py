"""What the live canvas is given: a ticket to play one character, and its words."""

from __future__ import annotations

from typing import Any

from ...live.server import LiveServer
from ...studio import Desk
from ..live_words import LIVE_WORDS


def value(live: LiveServer, desk: Desk, character: str) -> dict[str, Any]:
    """The `LiveCanvas` value. Raises `LibraryError` when the character is not the desk's."""
    who = desk.library.character(character)
    return {"ticket": live.ticket(desk.owner, who.id), "character": who.id, "name": who.name, "words": LIVE_WORDS}
