"""Keys and mouse to continuous motion: one byte of held keys becomes a velocity and a rotation (R90, R94, R99 to R106).

Axes as the world has them: x right along the ground, y up, z ahead (where the character looks). Metres a second and
degrees. Angles are whole tenths of a degree inside, so that a replay adds them up exactly (R119).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np

KEYS = ("forward", "left", "back", "right", "jump", "run", "attack", "hurt")
"""What each bit of the byte holds, lowest first: W A S D Space Shift J K as the keyboard comes."""

BIT = {name: 1 << number for number, name in enumerate(KEYS)}

REACH = 10.0
"""A direction held for `duration` seconds asks for 10 * duration m/s (R99)."""

LEAP = 5.0
"""Upward m/s of a jump (R100)."""

NOD = 0.1
"""Degrees of pitch that a jump adds (R100)."""

STEP = 0.1
"""Degrees of one step of the mouse."""


@dataclass(frozen=True)
class Action:
    """What the artist asks for during one frame."""

    keys: int = 0
    """0..255, bits as in `BIT`."""
    yaw: int = 0
    """Mouse to the right since play began, in tenths of a degree."""
    pitch: int = 0
    """Mouse upwards since play began, in tenths of a degree."""

    def __post_init__(self) -> None:
        if not 0 <= self.keys <= 255:
            raise ValueError(f"held keys are one byte, 0..255; got {self.keys}")

    def held(self, name: str) -> bool:
        return bool(self.keys & BIT[name])


def byte_of(names: Iterable[str]) -> int:
    """Held keys by name as one byte. Raises `KeyError` for a name not in `KEYS`."""
    byte = 0
    for name in names:
        byte |= BIT[name]
    return byte


def vector(keys: int, duration: float = 1.0) -> np.ndarray:
    """float32 (6,) of a byte held for `duration` seconds: velocity x, y, z and rotation pitch, yaw, roll.

    Opposite keys cancel; a diagonal is as fast as a straight line; a jump neither slows the run nor is slowed by it.
    Run, attack and hurt choose what the character does and move nothing by themselves.
    """
    side = bool(keys & BIT["right"]) - bool(keys & BIT["left"])
    ahead = bool(keys & BIT["forward"]) - bool(keys & BIT["back"])
    speed = REACH * duration / max(math.hypot(side, ahead), 1.0)
    jump = bool(keys & BIT["jump"])
    return np.array([side * speed, LEAP * jump, ahead * speed, NOD * jump, 0.0, 0.0], np.float32)


def tenths(counts: float, sensitivity: float = 1.0) -> int:
    """Mouse counts as whole tenths of a degree; `sensitivity` in tenths a count."""
    return math.floor(counts * sensitivity + 0.5)


DEFAULT_MAP: Mapping[str, str] = {
    "KeyW": "forward",
    "ArrowUp": "forward",
    "KeyA": "left",
    "ArrowLeft": "left",
    "KeyS": "back",
    "ArrowDown": "back",
    "KeyD": "right",
    "ArrowRight": "right",
    "Space": "jump",
    "ShiftLeft": "run",
    "ShiftRight": "run",
    "KeyJ": "attack",
    "KeyK": "hurt",
}
"""`KeyboardEvent.code` (the place on the keyboard, whatever is printed on it) to what it does."""
