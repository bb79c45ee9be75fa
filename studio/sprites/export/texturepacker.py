"""TexturePacker's JSON as Phaser (``load.multiatlas``), Pixi and Unity importers read it.

``frame`` and ``spriteSourceSize`` have the same size, padding is in neither (field report 26); ``pivot`` is a share
of the untrimmed ``sourceSize`` (field report 27). ``hitboxes``, ``points`` and ``events`` are ours, in px of the
untrimmed frame; Phaser hands them on as ``frame.customData``.
"""

import json
from pathlib import Path
from typing import Any

from studio.sprites.export.keys import frame_keys
from studio.sprites.export.marked import marked
from studio.sprites.export.names import made, safe_name
from studio.sprites.export.pages import page_names, write_pages
from studio.sprites.sheet import Entry, Sheet


def write(sheet: Sheet, folder: Path, name: str) -> list[Path]:
    """PNG pages and one ``name.tp.json``; a sheet of one page is a plain array document, several are a multi-pack."""
    paths = write_pages(sheet, folder, name)
    path = made(folder) / f"{safe_name(name)}.tp.json"
    text = json.dumps(document(sheet, page_names(sheet, name)), indent=1, ensure_ascii=False)
    path.write_text(text + "\n", encoding="utf-8", newline="\n")
    return [*paths, path]


def document(sheet: Sheet, images: list[str]) -> dict[str, Any]:
    """The JSON value; `images` are the page file names."""
    keys = frame_keys(sheet)
    textures = [
        {
            "image": image,
            "format": "RGBA8888",
            "size": {"w": sheet.pages[page].shape[1], "h": sheet.pages[page].shape[0]},
            "scale": 1,
            "frames": [_frame(sheet, e, key) for e, key in zip(sheet.entries, keys, strict=True) if e.page == page],
        }
        for page, image in enumerate(images)
    ]
    animations = {tag.name: keys[tag.first : tag.last + 1] for tag in sheet.tags}
    loops = {tag.name: tag.loop for tag in sheet.tags}
    if len(textures) == 1:
        only = textures[0]
        head = {key: only[key] for key in ("image", "format", "size", "scale")}
        meta = {"app": "Sprightly", "version": "1.0", **head, "loops": loops}
        return {"frames": only["frames"], "animations": animations, "meta": meta}
    return {
        "textures": textures,
        "animations": animations,
        "meta": {"app": "Sprightly", "version": "1.0", "loops": loops},
    }


def _frame(sheet: Sheet, entry: Entry, key: str) -> dict[str, Any]:
    box, (width, height) = entry.box, sheet.cell
    x, y = entry.offset
    return {
        "filename": key,
        "frame": {"x": box.x, "y": box.y, "w": box.w, "h": box.h},
        "rotated": False,
        "trimmed": (box.w, box.h) != (width, height),
        "spriteSourceSize": {"x": x, "y": y, "w": box.w, "h": box.h},
        "sourceSize": {"w": width, "h": height},
        "pivot": {"x": sheet.pivot[0] / width, "y": sheet.pivot[1] / height},
        "duration": entry.duration_ms,
        **marked(entry),
    }
