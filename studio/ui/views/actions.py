"""The action catalogue as small moving figures."""

from __future__ import annotations

from typing import Any

import numpy as np

from pipelines.pose.library import ACTIONS

from ..words import WORDS

TURN = 0.5
"""Radians that the figure is turned from pure side view towards the viewer, so that both arms can be seen."""
TALL = 0.6
"""Body height in tiles."""
ARMED = frozenset({"slash", "thrust", "overhead", "block"})


def tiles() -> list[dict[str, Any]]:
    """Every action with its joints projected to (T, 21, 2) in 0..1 of the tile."""
    return [
        {
            "name": motion.name,
            "title": motion.title,
            "fps": motion.fps,
            "armed": motion.name in ARMED,
            "frames": np.round(project(motion.joints(motion.frames)), 3).tolist(),
        }
        for motion in ACTIONS.values()
    ]


def project(joints: np.ndarray) -> np.ndarray:
    """(T, 21, 3) in body axes to (T, 21, 2), looking right, feet at 0.9 of the tile, centred on where the body goes."""
    across = joints[..., 2] * np.cos(TURN) + joints[..., 0] * np.sin(TURN)
    trunk = across[:, 0]
    across = across - (trunk.min() + trunk.max()) / 2
    return np.stack([0.48 + TALL * across, 0.93 - TALL * joints[..., 1]], axis=-1)


def choices() -> list[tuple[str, str]]:
    """(title, name) of every action."""
    return [(motion.title, name) for name, motion in ACTIONS.items()]


def title(name: str) -> str:
    return ACTIONS[name].title if name in ACTIONS else name.replace("_", " ").capitalize()


def value(picked: list[str]) -> dict[str, Any]:
    """The `ActionTiles` value."""
    return {"actions": tiles(), "picked": picked, "words": {"label": WORDS["actions"]}}
