"""What a quality check says: one number, how serious it is, and where to look."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

Level = Literal["good", "look", "bad"]


@dataclass(frozen=True)
class Finding:
    """One measured number of a clip."""

    name: str
    value: float
    unit: str
    level: Level
    frames: tuple[int, ...]
    """Frames to look at, from 0; empty when the whole clip is meant."""
    text: str


def level_of(value: float, good: float, look: float) -> Level:
    """``good`` up to `good`, ``look`` up to `look`, ``bad`` above."""
    return "good" if value <= good else "look" if value <= look else "bad"


def finding(name: str, value: float, unit: str, level: Level, frames: Iterable[int], text: str) -> Finding:
    """A `Finding` of plain Python numbers, whatever numpy measured."""
    return Finding(name, float(value), unit, level, tuple(int(frame) for frame in frames), text)
