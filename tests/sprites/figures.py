"""Drawn test material: small figures with known joints, and random actions for property tests."""

import numpy as np
from hypothesis import strategies as st

from studio.sprites.frames import Frames
from studio.sprites.sheet import Action

SKIN, COAT, BOOT = (224, 172, 138, 255), (60, 90, 160, 255), (40, 30, 30, 255)


def blank(count: int, width: int, height: int) -> Frames:
    return np.zeros((count, height, width, 4), np.uint8)


def swinger(count: int = 12, core: int = 60, sole: int = 110, reach: int = 34) -> Frames:
    """Torso, head and two legs that stand still; one arm swings from far left to far right (field report 22)."""
    frames = blank(count, 128, 128)
    for t, frame in enumerate(frames):
        frame[sole - 90 : sole - 66, core - 10 : core + 10] = SKIN
        frame[sole - 66 : sole - 30, core - 14 : core + 14] = COAT
        frame[sole - 30 : sole, core - 12 : core - 3] = BOOT
        frame[sole - 30 : sole, core + 3 : core + 12] = BOOT
        angle = np.linspace(-1.3, 1.3, count)[t]
        for step in range(reach + 14):
            x, y = core + round(np.sin(angle) * step), sole - 60 + round(np.cos(angle) * step)
            frame[y - 3 : y + 3, x - 3 : x + 3] = SKIN
    return frames


def shifted(frame: Frames, x: int, y: int) -> Frames:
    """``(H, W, 4)`` moved by whole pixels; what wraps must be empty."""
    return np.roll(frame, (y, x), axis=(0, 1))


def orbit(count: int, period: float, size: int = 48) -> Frames:
    """A disc on a circle, once round in `period` frames."""
    frames = blank(count, size, size)
    y, x = np.mgrid[:size, :size]
    for t, frame in enumerate(frames):
        turn = 2 * np.pi * t / period
        cx, cy = size / 2 + 14 * np.cos(turn), size / 2 + 14 * np.sin(turn)
        frame[(x - cx) ** 2 + (y - cy) ** 2 < 36] = COAT
    return frames


@st.composite
def actions(draw: st.DrawFn, most: int = 3, colours: int = 3) -> list[Action]:
    """1 to `most` actions on one canvas: few colours, big holes, equal and empty frames, so trim and dedupe work."""
    width, height = draw(st.integers(1, 12)), draw(st.integers(1, 12))
    pivot = (draw(st.integers(0, 24)) / 2, draw(st.integers(0, 24)) / 2)
    names = draw(st.lists(st.text(min_size=1, max_size=8).filter(str.strip), min_size=1, max_size=most, unique=True))
    out = []
    for name in names:
        rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
        count = draw(st.integers(1, 5))
        frames = blank(count, width, height)
        table = np.array([(0, 0, 0, 0), (255, 0, 0, 255), (9, 8, 7, 40), (0, 0, 255, 254), (1, 1, 1, 1)], np.uint8)
        for t in range(count):
            kind = rng.integers(0, 4)
            if kind == 0 and t:
                frames[t] = frames[t - 1]
            elif kind == 1:
                continue
            else:
                x, y = rng.integers(0, width), rng.integers(0, height)
                part = frames[t, y:, x:]
                part[:] = table[rng.integers(0, colours + 2, part.shape[:2])]
        durations = tuple(draw(st.lists(st.integers(1, 3000), min_size=count, max_size=count)))
        out.append(Action(name, frames, durations, draw(st.booleans()), pivot))
    return out
