"""Pictures for empty places: what the result looks like, drawn from the motion library itself."""

from __future__ import annotations

import numpy as np

from pipelines.pose.library import ACTIONS
from pipelines.pose.skeleton import INDEX

from .actions import project

_LIMBS = (
    ("far", 9, ("l_shoulder", "l_elbow", "l_wrist")),
    ("far", 11, ("l_hip", "l_knee", "l_ankle", "l_toe")),
    ("near", 20, ("pelvis", "chest")),
    ("near", 10, ("chest", "neck", "head")),
    ("near", 12, ("r_hip", "r_knee", "r_ankle", "r_toe")),
    ("arm", 10, ("r_shoulder", "r_elbow", "r_wrist")),
)
CELL = 200
STEP = 150


def onion(action: str, count: int = 6) -> str:
    """SVG of `count` frames of an action side by side, the first faint and the last full, as on an onion skin."""
    poses = project(ACTIONS[action].joints(count)) * CELL
    figures = "".join(_figure(pose, number) for number, pose in enumerate(poses))
    width = STEP * (count - 1) + CELL
    return f'<svg class="sp-picture" viewBox="0 0 {width} {CELL}" aria-hidden="true">{figures}</svg>'


def _figure(pose: np.ndarray, number: int) -> str:
    lines = "".join(
        f'<polyline class="is-{kind}" stroke-width="{width}" points="{_points(pose, names)}"/>'
        for kind, width, names in _LIMBS
    )
    head, crown = pose[INDEX["head"]], pose[INDEX["crown"]]
    radius = max(11.0, float(np.hypot(*(crown - head))))
    skull = f'<circle class="is-skull" cx="{head[0]:.1f}" cy="{head[1]:.1f}" r="{radius:.1f}"/>'
    return f'<g transform="translate({number * STEP} 0)">{lines}{skull}</g>'


def _points(pose: np.ndarray, names: tuple[str, ...]) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in (pose[INDEX[name]] for name in names))
