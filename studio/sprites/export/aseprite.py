"""Aseprite's JSON data, as hash and as array (https://www.aseprite.org/docs/cli/#data).

Frames are called by number, as Phaser's ``createFromAseprite`` needs. One JSON per page, because the format knows
one picture; the packer keeps each action on one page.
"""

import json
from pathlib import Path
from typing import Any

from studio.sprites.errors import ExportError
from studio.sprites.export.aseprite_marks import event_cels, mark_slices
from studio.sprites.export.names import made
from studio.sprites.export.numbers import number
from studio.sprites.export.pages import page_names, write_pages
from studio.sprites.sheet import Entry, Sheet, Tag


def write_hash(sheet: Sheet, folder: Path, name: str) -> list[Path]:
    """PNG pages and one ``name.json`` per page, frames as an object: what most readers expect."""
    return _write(sheet, folder, name, ".json", as_array=False)


def write_array(sheet: Sheet, folder: Path, name: str) -> list[Path]:
    """PNG pages and one ``name.array.json`` per page, frames as a list: order is part of the format."""
    return _write(sheet, folder, name, ".array.json", as_array=True)


def document(sheet: Sheet, page: int, image: str, as_array: bool) -> dict[str, Any]:
    """The JSON value for one page. Raises ExportError if an action is spread over several pages."""
    tags = [tag for tag in sheet.tags if _page_of(sheet, tag) == page]
    entries = [entry for tag in tags for entry in sheet.entries[tag.first : tag.last + 1]]
    frames = [_frame(sheet, entry) for entry in entries]
    return {
        "frames": [{"filename": str(n), **frame} for n, frame in enumerate(frames)]
        if as_array
        else {str(n): frame for n, frame in enumerate(frames)},
        "meta": {
            "app": "Sprightly",
            "version": "1.3",
            "image": image,
            "format": "RGBA8888",
            "size": {"w": sheet.pages[page].shape[1], "h": sheet.pages[page].shape[0]},
            "scale": str(sheet.scale),
            "frameTags": _tags(tags),
            "layers": [{"name": "character", "opacity": 255, "blendMode": "normal", **event_cels(entries)}],
            "slices": [_pivot_slice(sheet), *mark_slices(entries)],
        },
    }


def _write(sheet: Sheet, folder: Path, name: str, suffix: str, as_array: bool) -> list[Path]:
    images = page_names(sheet, name)
    documents = [document(sheet, page, image, as_array) for page, image in enumerate(images)]
    paths = write_pages(sheet, folder, name)
    for image, value in zip(images, documents, strict=True):
        path = made(folder) / f"{image.removesuffix('.png')}{suffix}"
        path.write_text(json.dumps(value, indent=1, ensure_ascii=False) + "\n", encoding="utf-8", newline="\n")
        paths.append(path)
    return paths


def _page_of(sheet: Sheet, tag: Tag) -> int:
    pages = {entry.page for entry in sheet.entries[tag.first : tag.last + 1]}
    if len(pages) > 1:
        raise ExportError(
            f"'{tag.name}' fills {len(pages)} pages, but Aseprite JSON knows one picture; "
            f"export it for Godot or TexturePacker, pick fewer key frames, or allow larger pages."
        )
    return pages.pop()


def _frame(sheet: Sheet, entry: Entry) -> dict[str, Any]:
    box, (width, height) = entry.box, sheet.cell
    x, y = entry.offset
    return {
        "frame": {"x": box.x, "y": box.y, "w": box.w, "h": box.h},
        "rotated": False,
        "trimmed": (box.w, box.h) != (width, height),
        "spriteSourceSize": {"x": x, "y": y, "w": box.w, "h": box.h},
        "sourceSize": {"w": width, "h": height},
        "duration": entry.duration_ms,
    }


def _tags(tags: list[Tag]) -> list[dict[str, Any]]:
    out, first = [], 0
    for tag in tags:
        last = first + tag.last - tag.first
        value = {"name": tag.name, "from": first, "to": last, "direction": "forward", "color": "#000000ff"}
        # Aseprite writes repeat as text, and leaves it out for an endless loop
        out.append(value if tag.loop else {**value, "repeat": "1"})
        first = last + 1
    return out


def _pivot_slice(sheet: Sheet) -> dict[str, Any]:
    """The pivot counts from the untrimmed cell, so it is one point for all frames (field report 27)."""
    bounds = {"x": 0, "y": 0, "w": sheet.cell[0], "h": sheet.cell[1]}
    pivot = {"x": number(sheet.pivot[0]), "y": number(sheet.pivot[1])}
    return {"name": "pivot", "color": "#0000ffff", "keys": [{"frame": 0, "bounds": bounds, "pivot": pivot}]}
