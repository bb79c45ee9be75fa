"""TexturePacker's JSON as Phaser (``load.atlas``, ``load.multiatlas``), Pixi, Paper2D and others read it.

``frame`` and ``spriteSourceSize`` have the same size, padding is in neither (field report 26); ``pivot``, which Pixi
calls ``anchor``, is a share of the untrimmed ``sourceSize`` (field report 27). ``hitboxes``, ``points`` and ``events``
are ours, in px of the untrimmed frame; Phaser hands them on as ``frame.customData``.
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
    """PNG pages and ``name.tp.json``, frames by name, which all of them read.

    Several pages: ``name-0.tp.json`` ... are one page each and know of one another, as Pixi wants it, and
    ``name.tp.json`` is the multi-pack of all, as Phaser wants it.
    """
    stem, paths, images = safe_name(name), write_pages(sheet, folder, name), page_names(sheet, name)
    # Pixi shows hero@2x at the size of hero, with twice the pixels; an enlargement without @ is wanted large.
    resolution = sheet.scale if stem.endswith(f"@{sheet.scale}x") else 1
    textures = [_texture(sheet, page, image, resolution) for page, image in enumerate(images)]
    files = [f"{image.removesuffix('.png')}.tp.json" for image in images]
    documents = {}
    for file, texture in zip(files, textures, strict=True):
        others = [other for other in files if other != file]
        documents[file] = _single(sheet, texture, {"related_multi_packs": others} if others else {})
    if len(textures) > 1:
        loops = {tag.name: tag.loop for tag in sheet.tags}
        meta = {"app": "Sprightly", "version": "1.0", "loops": loops}
        documents[f"{stem}.tp.json"] = {"textures": textures, "animations": _animations(sheet), "meta": meta}
    for file, value in documents.items():
        text = json.dumps(value, indent=1, ensure_ascii=False)
        (made(folder) / file).write_text(text + "\n", encoding="utf-8", newline="\n")
    return [*paths, *(folder / file for file in documents)]


def _texture(sheet: Sheet, page: int, image: str, resolution: int) -> dict[str, Any]:
    pairs = zip(sheet.entries, frame_keys(sheet), strict=True)
    return {
        "image": image,
        "format": "RGBA8888",
        "size": {"w": sheet.pages[page].shape[1], "h": sheet.pages[page].shape[0]},
        "scale": resolution,
        "frames": [_frame(sheet, entry, key) for entry, key in pairs if entry.page == page],
    }


def _single(sheet: Sheet, texture: dict[str, Any], more: dict[str, Any]) -> dict[str, Any]:
    """One page with the actions that lie on it as a whole."""
    frames = {
        frame["filename"]: {key: value for key, value in frame.items() if key != "filename"}
        for frame in texture["frames"]
    }
    here = {name: keys for name, keys in _animations(sheet).items() if all(key in frames for key in keys)}
    loops = {tag.name: tag.loop for tag in sheet.tags if tag.name in here}
    head = {key: texture[key] for key in ("image", "format", "size", "scale")}
    return {
        "frames": frames,
        "animations": here,
        "meta": {"app": "Sprightly", "version": "1.0", **head, "loops": loops, **more},
    }


def _animations(sheet: Sheet) -> dict[str, list[str]]:
    keys = frame_keys(sheet)
    return {tag.name: keys[tag.first : tag.last + 1] for tag in sheet.tags}


def _frame(sheet: Sheet, entry: Entry, key: str) -> dict[str, Any]:
    box, (width, height) = entry.box, sheet.cell
    x, y = entry.offset
    pivot = {"x": sheet.pivot[0] / width, "y": sheet.pivot[1] / height}
    return {
        "filename": key,
        "frame": {"x": box.x, "y": box.y, "w": box.w, "h": box.h},
        "rotated": False,
        "trimmed": (box.w, box.h) != (width, height),
        "spriteSourceSize": {"x": x, "y": y, "w": box.w, "h": box.h},
        "sourceSize": {"w": width, "h": height},
        "pivot": pivot,
        "anchor": pivot,
        "duration": entry.duration_ms,
        **marked(entry),
    }
