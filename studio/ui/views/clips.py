"""Finished clips as players with their marks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ... import flow
from ...library import ClipRecord
from ...sprites.edits import to_json
from ...studio import Desk
from ...tasks.orders import ActionOrder
from .. import media
from ..widgets.action_tiles import read_picked
from ..words import WORDS, pick
from . import actions

_KINDS = {"good": "good", "look": "warn", "bad": "bad"}


def value(desk: Desk, character_id: str, picked: Sequence[str] | None = None) -> dict[str, Any]:
    """The `PlayerGrid` value; nothing given picks the newest clip of every action."""
    who = flow.character(desk, character_id)
    records = flow.clips(desk, character_id)
    known = {record.id for record in records}
    chosen = newest(records) if picked is None else [name for name in picked if name in known]
    return {
        "items": [_item(record, records, who.pixel_art) for record in records],
        "picked": chosen,
        "words": pick("redo", "use", "used"),
    }


def newest(records: Sequence[ClipRecord]) -> list[str]:
    """The newest clip of every action, in the catalogue's order."""
    first: dict[str, str] = {}
    for record in records:
        first.setdefault(record.action, record.id)
    order = [name for _, name in actions.choices()]
    return [first[name] for name in sorted(first, key=lambda name: (order.index(name) if name in order else 99, name))]


def merged(before: Sequence[str], records: Sequence[ClipRecord], known: Sequence[str]) -> list[str]:
    """The picks after new clips came: a new clip takes the place of the picked one of its action, or joins them."""
    fresh = [record for record in records if record.id not in known]
    replaced = {record.action for record in fresh}
    action = {record.id: record.action for record in records}
    kept = [name for name in before if name in action and action[name] not in replaced]
    return [*kept, *newest(fresh)]


def _item(record: ClipRecord, records: Sequence[ClipRecord], pixel: bool) -> dict[str, Any]:
    same = [other.id for other in records if other.action == record.action]
    version = len(same) - same.index(record.id)
    look = " · " + WORDS["look_used"] if record.origin.get("adapter") else ""
    return {
        "id": record.id,
        "action": record.action,
        "title": actions.title(record.action) + (f" {version}" if len(same) > 1 else ""),
        "note": f"{record.frames} fr · {record.fps:g} fps{look}",
        "clip": media.strip(record, pixel),
        "marks": marks(record.quality),
    }


def marks(quality: dict[str, Any]) -> list[dict[str, str]]:
    """One mark per finding worth a look; a single good one when there is none."""
    findings = quality.get("findings", [])
    shown = [
        {"kind": _KINDS.get(one["level"], "warn"), "text": str(one["name"]), "hint": str(one["text"])}
        for one in findings
        if one.get("level") != "good"
    ]
    return shown or [{"kind": "good", "text": WORDS["clip_good"], "hint": ""}]


def film(desk: Desk, character_id: str, clip_id: str) -> dict[str, Any] | None:
    """The `FilmStrip` value of one clip, with its findings on the frames they are about; None when it is gone."""
    record = next((one for one in flow.clips(desk, character_id) if one.id == clip_id), None)
    if record is None:
        return None
    found = [one for one in record.quality.get("findings", []) if one.get("level") != "good"]
    return {
        "id": record.id,
        "title": actions.title(record.action),
        "clip": media.strip(record, flow.character(desk, character_id).pixel_art),
        "marks": [
            {"frame": frame, "kind": _KINDS.get(one["level"], "warn"), "text": str(one["text"])}
            for one in found
            for frame in one.get("frames", [])
        ],
        "edits": to_json(record.edits),
        "position": record.position,
        "loop": record.loop,
        "echo": True,
    }


def again(record: ClipRecord) -> ActionOrder:
    """The order that made a clip, with the next seed."""
    made = {"action": record.action, "frames": record.frames, "fps": record.fps, **record.origin.get("order", {})}
    return ActionOrder.from_json({**made, "seed": int(made.get("seed", 0)) + 1})


def large(desk: Desk, character_id: str, record: ClipRecord) -> dict[str, Any]:
    """The `SpritePlayer` value of one clip."""
    pixel = flow.character(desk, character_id).pixel_art
    item = _item(record, [record], pixel)
    return {"id": record.id, "clip": item["clip"], "title": item["title"], "note": f"{record.size} px · {item['note']}"}


def strip(value: Any) -> dict[str, Any] | None:
    """A clip grid's value without what the filmstrip has no room for."""
    if not isinstance(value, dict):
        return None
    order = {name: at for at, (_, name) in enumerate(actions.choices())}
    items = [{**item, "marks": [], "note": ""} for item in value.get("items", [])]
    items.sort(key=lambda item: order.get(str(item.get("action")), len(order)))
    words = {"use": WORDS["strip_use"], "used": WORDS["strip_used"], "empty": WORDS["clips_none"]}
    return {"items": items, "picked": read_picked(value), "words": words}


def first(value: Any, clip_id: str = "") -> dict[str, Any] | None:
    """The player's value: the clip asked for, else the first picked."""
    items = value.get("items", []) if isinstance(value, dict) else []
    wanted = clip_id or next(iter(read_picked(value)), "")
    item = next((one for one in items if one.get("id") == wanted), None)
    return {"id": item["id"], "clip": item["clip"], "title": item["title"], "note": ""} if item else None
