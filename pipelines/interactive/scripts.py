"""Input that plays by itself: the built-in preset, and any list of held keys."""

from __future__ import annotations

from collections.abc import Sequence

from .actions import Action, byte_of
from .physics import TICK

Script = Sequence[tuple[str, float]]
"""Held keys by name, separated by spaces, and for how many seconds."""

CLOUDS: Script = (("forward", 0.9), ("forward jump", 0.1)) * 10 + (("", 0.6),)
""" "Run at 10 m/s under clouds, forward held, a jump every second" (R98)."""

TOUR: Script = (
    ("", 0.5), ("right", 1.2), ("right run", 1.2), ("right run jump", 0.2), ("right run", 1.0), ("", 0.6),
    ("attack", 0.1), ("", 0.8), ("left", 1.2), ("jump", 0.2), ("", 1.1), ("hurt", 0.1), ("", 0.8),
)  # fmt: skip
"""Everything that the keys can do, once."""

SCRIPTS: dict[str, Script] = {"clouds": CLOUDS, "tour": TOUR}


def seconds(script: Script) -> float:
    return sum(length for _, length in script)


def action_at(script: Script, tick: int) -> Action | None:
    """What is held `tick` ticks after the start; None when the script has ended."""
    end = 0.0
    for keys, length in script:
        end += length
        if tick * TICK < end - 1e-9:
            return Action(byte_of(keys.split()))
    return None
