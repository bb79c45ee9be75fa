"""Joints over the art: drag, nudge with arrows, delete and restore, undo and redo, part map."""

from __future__ import annotations

from typing import Any

from pipelines.pose.skeleton import JOINTS, PARENT

from .widget import Widget

BONES = [[JOINTS[parent], name] for name, parent in zip(JOINTS, PARENT, strict=True) if parent >= 0]


class JointEditor(Widget):
    """Value: `{id, art, width, height, pixel, parts, ground, joints, bones, labels}`; `joints` maps a name to
    `[x, y, confidence]` in art pixels or None. Event `moved` after each finished gesture; `value["joints"]` is new."""

    stem = "joint_editor"


def read_joints(value: Any) -> dict[str, tuple[float, float] | None]:
    """Joints out of what a browser sent: known names, finite numbers, anything else counts as absent."""
    given = value.get("joints") if isinstance(value, dict) else None
    return {name: _point(given.get(name)) for name in JOINTS} if isinstance(given, dict) else {}


def _point(value: Any) -> tuple[float, float] | None:
    if not isinstance(value, list) or len(value) < 2:
        return None
    if not all(isinstance(part, (int, float)) and abs(part) < 1e6 for part in value[:2]):
        return None
    return float(value[0]), float(value[1])
