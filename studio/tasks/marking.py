"""What a game asks of a drawn clip: events from the phases of its motion, points and boxes from its joints."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from pipelines.clip import Clip
from pipelines.pose.skeleton import INDEX, PARENT

from ..sprites.marks import Marks, Point, automatic
from ..sprites.trim import Box

EVENTS = {
    "contact": "footstep",
    "other_contact": "footstep",
    "landing": "land",
    "ground": "land",
    "hit": "impact",
    "impact": "impact",
    "release": "release",
}
"""Phase of a motion to the event that a game hears; the other phases are for animators alone."""

POINTS = {
    "head": "head",
    "chest": "chest",
    "hand_right": "r_wrist",
    "hand_left": "l_wrist",
    "weapon_tip": "weapon_tip",
    "offhand_tip": "offhand_tip",
    "foot_right": "r_ankle",
    "foot_left": "l_ankle",
}
"""Attach point to the joint it sits on. Left and right are the character's own."""

STRIKERS = ("weapon_tip", "offhand_tip", "r_wrist", "l_wrist", "r_toe", "l_toe")
"""Joints that may deal a blow."""

REACH = 0.05
"""Cells that the strike box stands out around the limb or weapon that strikes."""


def marks_of(drawn: Clip, edited: Clip, sources: Sequence[int]) -> Marks:
    """Marks of `edited`, whose frames come from the `sources` of `drawn`; lengths in px of the cell.

    Without joints there is the body box alone, and events only for what the motion library acted.
    """
    found = automatic(edited.frames)
    phases = phases_of(drawn)
    events: dict[str, set[int]] = {}
    for phase, time in phases.items():
        if phase in EVENTS:
            frame = shown(_frame(drawn, time), sources)
            events.setdefault(EVENTS[phase], set()).add(frame)
    boxes, points = dict(found.boxes), {}
    if edited.joints is not None:
        at = edited.joints * edited.size
        points = {name: tuple(_point(p) for p in at[:, INDEX[joint]]) for name, joint in POINTS.items()}
        points = {name: row for name, row in points.items() if any(row)}
        strike = _strike(drawn, phases)
        if strike:
            joint, frames = strike
            row = [_around(at[n], joint, edited.size) if s in frames else None for n, s in enumerate(sources)]
            if any(row):
                boxes["strike"] = tuple(row)
    return Marks(boxes, points, {name: tuple(sorted(at)) for name, at in events.items()})


def phases_of(clip: Clip) -> Mapping[str, float]:
    """Named times 0..1 of the motion that the clip was posed by; none when it was not the library's."""
    from pipelines.pose.motion import ACTIONS

    motion = ACTIONS.get(clip.action)
    order = clip.origin.get("order", {})
    return motion.phases if motion and order.get("guidance", "library") == "library" else {}


def shown(frame: int, sources: Sequence[int]) -> int:
    """Where drawing `frame` is first seen; a drawing that was edited away counts where the one before it is."""
    kept = [source for source in sources if source <= frame]
    return list(sources).index(max(kept) if kept else min(sources))


def _frame(clip: Clip, time: float) -> int:
    count = len(clip)
    return round(time * count) % count if clip.loop else round(time * (count - 1))


def _strike(clip: Clip, phases: Mapping[str, float]) -> tuple[int, range] | None:
    """The joint that moves fastest into the hit, and the drawings from there to the next phase."""
    if "hit" not in phases or clip.joints is None:
        return None
    start = _frame(clip, phases["hit"])
    later = [_frame(clip, time) for time in phases.values() if time > phases["hit"]]
    speed = np.linalg.norm(np.diff(clip.joints[max(start - 2, 0) : start + 1], axis=0), axis=-1).sum(axis=0)
    known = [INDEX[name] for name in STRIKERS if np.isfinite(clip.joints[:, INDEX[name]]).all()]
    if not known:
        return None
    return max(known, key=lambda joint: speed[joint]), range(start, max([start + 1, *later[:1]]))


def _point(place: np.ndarray) -> Point | None:
    return (round(float(place[0]), 1), round(float(place[1]), 1)) if np.isfinite(place).all() else None


def _around(joints: np.ndarray, joint: int, size: int) -> Box | None:
    """The box around `joint` and the one it hangs from, within the cell."""
    ends = joints[[joint, PARENT[joint]]]
    if not np.isfinite(ends).all():
        return None
    low = np.clip(np.floor(ends.min(axis=0) - REACH * size), 0, size - 1).astype(int)
    high = np.clip(np.ceil(ends.max(axis=0) + REACH * size), low + 1, size).astype(int)
    return Box(int(low[0]), int(low[1]), int(high[0] - low[0]), int(high[1] - low[1]))
