"""A finished export: its pages, and the sizes an engine programmer asks for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ...jobs import Job
from ...sprites.export.registry import EXPORTERS
from .. import media
from ..widgets.action_tiles import read_picked
from ..words import WORDS, pick
from . import text


def targets() -> list[tuple[str, str]]:
    """(label, key) of every exporter."""
    return [(row.label, key) for key, row in EXPORTERS.items()]


def made(job: Job | None, picked: Sequence[str], edits: Mapping[str, str]) -> dict[str, Any] | None:
    """What an export made, as long as it holds the clips that are picked now, edited as they are (`edit_key` by id)."""
    if job is None or job.state != "done" or list(picked) != job.payload["clips"]:
        return None
    now = [edits.get(clip_id, "") for clip_id in picked]
    return job.result if job.result and job.result.get("edits", now) == now else None


def contact(clips: Any) -> dict[str, Any] | None:
    """The `AtlasView` value before the sheet is made: the frames of the picked clips, a row each."""
    items = {item.get("id"): item for item in (clips or {}).get("items", [])}
    rows = [items[name] for name in read_picked(clips) if name in items]
    strips = [{"title": item["title"], **item["clip"]} for item in rows]
    return {"pages": [], "strips": strips, "words": pick("page")} if strips else None


def atlas(result: dict[str, Any] | None, pixel: bool) -> dict[str, Any] | None:
    """The `AtlasView` value of a finished export."""
    if not result:
        return None
    sizes = result["report"]["pages"]
    pages = [
        {"url": media.url(Path(page)), "width": size[0], "height": size[1]}
        for page, size in zip(result["pages"], sizes, strict=False)
    ]
    return {"pages": pages, "pixel": pixel, "words": pick("page")}


def facts(result: dict[str, Any] | None) -> str:
    """The size report."""
    if not result:
        return ""
    report = result["report"]
    pages = report["pages"]
    spared = 1 - report["texture_bytes"] / max(report["unpacked_bytes"], 1)
    rows = [
        (WORDS["sheet_frames"], str(report["frames"])),
        (WORDS["cell"], f"{report['cell'][0]} × {report['cell'][1]}"),
        (WORDS["pages"], str(len(pages))),
        (WORDS["sheet_px"], " ".join(f"{width} × {height}" for width, height in pages[:2])),
        (WORDS["sheet_memory"], size(report["texture_bytes"])),
        (WORDS["sheet_spared"], f"{100 * spared:.0f} %"),
        (WORDS["sheet_zip"], size(report["zip_bytes"])),
    ]
    weights = report.get("weights", {})
    kinds = {"weight_atlas": "atlas_png", "weight_webp": "webp", "weight_webm": "webm"}
    rows += [(WORDS[word], size(weights[kind])) for word, kind in kinds.items() if kind in weights]
    actions = [(name.capitalize(), str(count)) for name, count in report["actions"].items()]
    return text.heading(WORDS["sheet_report"]) + text.facts(rows) + text.heading(WORDS["actions"]) + text.facts(actions)


def zip_copy(result: dict[str, Any] | None) -> str | None:
    """A copy of the zip in the page's cache: the library itself is never served."""
    path = Path(result["zip"]) if result else None
    return str(media.cached(media.stamp(path), path.name, path.read_bytes)) if path and path.is_file() else None


def size(count: float) -> str:
    """Bytes as people read them."""
    for unit in ("B", "KB", "MB"):
        if count < 1000 or unit == "MB":
            return f"{count:.0f} {unit}" if unit == "B" else f"{count:.3g} {unit}"
        count /= 1000
    return ""
