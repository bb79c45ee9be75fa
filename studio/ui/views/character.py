"""The open character for the editor, the cut-out slider and the inspector."""

from __future__ import annotations

from typing import Any

import numpy as np

from pipelines.figure import BODY_SHARE
from pipelines.pose.skeleton import JOINTS

from ... import flow
from ...library import Character
from ...studio import Desk
from .. import media
from ..widgets.joint_editor import BONES
from ..words import WORDS
from . import text

UNSURE = 0.35
"""Joints below this confidence are called guesses."""
_HELD = {"weapon_tip": "tip of the weapon", "offhand_tip": "shield or bow"}
_SIDES = {"l": "left", "r": "right"}


def label(name: str) -> str:
    """ "l_elbow" as "left elbow"."""
    if name in _HELD:
        return _HELD[name]
    side, _, part = name.partition("_")
    return f"{_SIDES[side]} {part}" if side in _SIDES and part else name.replace("_", " ")


def editor(desk: Desk, who: Character, parts: bool = False) -> dict[str, Any]:
    """The `JointEditor` value."""
    return {
        "id": who.id,
        "art": media.url(flow.art_path(desk, who.id)),
        "width": who.size[0],
        "height": who.size[1],
        "pixel": who.pixel_art,
        "parts": parts_map(desk, who) if parts else None,
        "show_parts": parts,
        "ground": list(who.placement.ground),
        "joints": {name: list(who.joints[name] or ()) or None for name in JOINTS if name in who.joints},
        "bones": BONES,
        "labels": {name: label(name) for name in JOINTS},
    }


def compare(desk: Desk, who: Character) -> dict[str, Any]:
    """The `CutoutCompare` value; the upload is shown as the studio read it (turned, sixteen bits brought to eight)."""
    original = desk.library.original(who.id)
    before = media.cached(f"{media.stamp(original)}|before", "before.png", lambda: _read(desk, who))
    after = media.url(flow.art_path(desk, who.id))
    return {
        "before": media.address(before),
        "after": after,
        "width": who.size[0],
        "height": who.size[1],
        "pixel": who.pixel_art,
    }


def _read(desk: Desk, who: Character) -> bytes:
    from ...intake import read_picture

    return media.png(read_picture(desk.library.original(who.id)).rgba)


def facts(who: Character) -> str:
    """The inspector."""
    placed = [point for point in who.joints.values() if point]
    unsure = [name for name, point in who.joints.items() if point and point[2] < UNSURE]
    rows = [
        (WORDS["art_size"], f"{who.size[0]} × {who.size[1]}"),
        (WORDS["body_px"], f"{round((who.body_share or BODY_SHARE) * who.cell)} px"),
        (WORDS["joint_count"], str(len(placed))),
        (WORDS["joint_unsure"], str(len(unsure)) if unsure else "–"),
        (WORDS["cutout_by"], method_title(who.method)),
    ]
    smaller = who.body_share is not None and who.body_share < BODY_SHARE - 1e-6
    return text.heading(WORDS["inspector"]) + text.facts(rows) + text.tip(WORDS["drawn_smaller"] if smaller else "")


def methods() -> list[tuple[str, str]]:
    """(title, name) of the cut-out methods whose weights are here."""
    from pipelines.matting import METHODS, MODELS, available_models

    here = {model if isinstance(model, str) else model.name for model in available_models()}
    ready = [(row.title, name) for name, row in METHODS.items() if name not in MODELS or name in here]
    return [(WORDS["method_auto"], "auto"), *ready]


def method_title(name: str) -> str:
    from pipelines.matting import METHODS

    return METHODS[name].title if name in METHODS else name or "–"


def parts_map(desk: Desk, who: Character) -> str:
    """URL of the part map in its colours, so that the artist sees what will move with what."""
    key = f"{media.stamp(flow.art_path(desk, who.id))}|{sorted(who.joints.items())}|{who.facing}|parts"
    return media.address(media.cached(key, "parts.png", lambda: _coloured(desk, who)))


def _coloured(desk: Desk, who: Character) -> bytes:
    from pipelines.rig import PARTS, part_map

    numbers = part_map(flow.figure(desk, who.id))
    colours = np.array([[*part.colour, 230] for part in PARTS] + [[0, 0, 0, 0]], np.uint8)
    return media.png(colours[numbers])
