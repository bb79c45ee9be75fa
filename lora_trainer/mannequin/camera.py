"""Views: where the viewer stands, and the way from body axes to the cell."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pipelines.figure import ANCHOR, BODY_SHARE
from pipelines.pose.skeleton import Facing

FRONTAL = np.radians(30)
"""Turned less than this from the viewer counts as front (or back); anything else faces right or left."""


@dataclass(frozen=True)
class View:
    """An orthographic camera."""

    azimuth: float = np.pi / 2
    """0: the character faces the viewer; +90 degrees: it faces right; 180: away; -90: left. Radians."""
    elevation: float = 0.0
    """How far the viewer looks down, radians."""
    scale: float = BODY_SHARE
    """Cells per body height."""

    @property
    def facing(self) -> Facing:
        """The nearest of the four facings; three-quarter art counts as right or left."""
        turned = (self.azimuth + np.pi) % (2 * np.pi) - np.pi
        if abs(turned) < FRONTAL:
            return "front"
        if abs(turned) > np.pi - FRONTAL:
            return "back"
        return "right" if turned > 0 else "left"

    @property
    def rotation(self) -> np.ndarray:
        """(3, 3) body axes to x right, y up, z towards the viewer."""
        ca, sa, ce, se = np.cos(self.azimuth), np.sin(self.azimuth), np.cos(self.elevation), np.sin(self.elevation)
        around = np.array([[ca, 0, sa], [0, 1, 0], [-sa, 0, ca]])
        return np.array([[1, 0, 0], [0, ce, -se], [0, se, ce]]) @ around

    def to_cell(self, points: np.ndarray) -> np.ndarray:
        """(..., 3) body axes to cells: x right, y down, z towards the viewer. The origin stands on the anchor."""
        seen = points @ self.rotation.T * self.scale
        return seen * (1, -1, 1) + (*ANCHOR, 0.0)


def sample_view(rng: np.random.Generator, facing: Facing | None = None) -> View:
    """A view as game art uses it: mostly side and three-quarter, level or slightly from above."""
    if facing is None:
        facing = ("right", "left", "front", "back")[rng.choice(4, p=(0.56, 0.16, 0.2, 0.08))]
    if facing in ("right", "left"):
        turned = rng.choice([90.0, rng.uniform(70, 100), rng.uniform(36, 65)], p=(0.35, 0.25, 0.4))
        azimuth = np.radians(turned) * (1 if facing == "right" else -1)
    else:
        azimuth = np.radians(rng.uniform(-22, 22)) * rng.integers(0, 2) + (0 if facing == "front" else np.pi)
    elevation = rng.choice([0.0, rng.uniform(0, 0.2), rng.uniform(0.2, 0.5)], p=(0.4, 0.45, 0.15))
    return View(float(azimuth), float(elevation), BODY_SHARE * float(rng.uniform(0.94, 1.06)))
