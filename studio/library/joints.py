"""Joints as JSON by name, and the skeleton to start from when none could be found."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from pipelines.errors import LibraryError
from pipelines.pose.skeleton import INDEX, JOINTS, N_JOINTS

Point = tuple[float, float, float] | None
Joints = dict[str, Point]
"""Joint name -> (x, y, confidence) in art pixels, or None: the character has no such joint."""

HELD = ("weapon_tip", "offhand_tip")
UNSURE = 0.2
"""Confidence of a joint that was set by the template and not found or placed by hand."""
STILL = 0.75
"""Pixels of the art below which a joint counts as not moved: a page rounds what it shows."""

_STANDING: dict[str, tuple[float, float]] = {
    "pelvis": (0.50, 0.53),
    "chest": (0.50, 0.27),
    "neck": (0.50, 0.21),
    "head": (0.50, 0.12),
    "l_shoulder": (0.66, 0.26),
    "l_elbow": (0.74, 0.40),
    "l_wrist": (0.76, 0.53),
    "r_shoulder": (0.34, 0.26),
    "r_elbow": (0.26, 0.40),
    "r_wrist": (0.24, 0.53),
    "l_hip": (0.58, 0.54),
    "l_knee": (0.60, 0.75),
    "l_ankle": (0.60, 0.94),
    "r_hip": (0.42, 0.54),
    "r_knee": (0.41, 0.75),
    "r_ankle": (0.40, 0.94),
    "l_toe": (0.70, 0.985),
    "r_toe": (0.50, 0.985),
    "crown": (0.50, 0.01),
}
"""Shares of the drawn figure's bounding box, facing right."""


def to_array(joints: Mapping[str, Sequence[float] | None]) -> np.ndarray:
    """float32 (21, 3); a joint given as (x, y) was placed by hand and has confidence 1."""
    array = np.zeros((N_JOINTS, 3), np.float32)
    for name, point in joints.items():
        if name not in INDEX:
            raise LibraryError(f"There is no joint called {name!r}; the joints are {', '.join(JOINTS)}.")
        if point is None:
            continue
        values = [float(number) for number in point]
        if len(values) not in (2, 3) or not all(math.isfinite(number) for number in values):
            raise LibraryError(f"Joint {name!r} needs two numbers, x and y in pixels of the art; got {point!r}.")
        array[INDEX[name]] = (values[0], values[1], values[2] if len(values) == 3 else 1.0)
    return array


def to_names(array: np.ndarray) -> Joints:
    """Inverse of `to_array`, rounded to a hundredth of a pixel."""
    return {
        name: (round(float(x), 2), round(float(y), 2), round(float(c), 3)) if c > 0 else None
        for name, (x, y, c) in zip(JOINTS, array, strict=True)
    }


def template(alpha: np.ndarray) -> Joints:
    """A standing skeleton over the opaque pixels of uint8 (H, W), to be moved by hand (field report 34)."""
    rows = np.nonzero((alpha > 127).any(axis=1))[0]
    columns = np.nonzero((alpha > 127).any(axis=0))[0]
    height, width = alpha.shape
    top, bottom = (int(rows[0]), int(rows[-1]) + 1) if len(rows) else (0, height)
    left, right = (int(columns[0]), int(columns[-1]) + 1) if len(columns) else (0, width)
    # A cape or a sword widens the box far beyond the body: the skeleton is never wider than it would stand.
    middle = float(np.median(np.nonzero(alpha > 127)[1])) if len(columns) else width / 2
    span = min(right - left, 0.7 * (bottom - top))
    joints: Joints = dict.fromkeys(HELD)
    for name, (x, y) in _STANDING.items():
        joints[name] = (round(middle + (x - 0.5) * span, 2), round(top + y * (bottom - top), 2), UNSURE)
    return {name: joints[name] for name in JOINTS}


def placed(joints: Mapping[str, Sequence[float] | None], before: Joints | None = None) -> Joints:
    """The named joints alone, checked and rounded; the way in for what an artist or a file gives.

    One that lies within `STILL` pixels of where it was `before` was not moved by hand and keeps its confidence.
    """
    complete = to_names(to_array(joints))
    return {name: _kept(complete[name], (before or {}).get(name)) for name in joints}


def _kept(now: Point, old: Point) -> Point:
    if now is None or old is None or math.hypot(now[0] - old[0], now[1] - old[1]) > STILL:
        return now
    return (now[0], now[1], old[2])
