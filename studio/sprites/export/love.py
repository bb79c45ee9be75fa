"""LÖVE and other Lua engines: one table, ``require("hero")``.

``love.graphics.newQuad(f.x, f.y, f.w, f.h, image)`` is drawn at ``x - pivot.x + f.left, y - pivot.y + f.top``.
"""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from studio.sprites.export.marked import marked
from studio.sprites.export.names import made, safe_name
from studio.sprites.export.numbers import number
from studio.sprites.export.pages import page_names, write_pages
from studio.sprites.sheet import Entry, Sheet

WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")

KEYWORDS = {
    *("and", "break", "do", "else", "elseif", "end", "false", "for", "function", "goto", "if", "in", "local"),
    *("nil", "not", "or", "repeat", "return", "then", "true", "until", "while"),
}
"""Words that cannot be keys without brackets."""


def write(sheet: Sheet, folder: Path, name: str) -> list[Path]:
    """PNG pages and ``name.lua``; pages are counted from 1, times are seconds."""
    paths = write_pages(sheet, folder, name)
    table = {
        "images": page_names(sheet, name),
        "cell": {"w": sheet.cell[0], "h": sheet.cell[1]},
        "pivot": {"x": number(sheet.pivot[0]), "y": number(sheet.pivot[1])},
        "scale": sheet.scale,
        "animations": {
            tag.name: {"loop": tag.loop, "frames": [_frame(e) for e in sheet.entries[tag.first : tag.last + 1]]}
            for tag in sheet.tags
        },
    }
    path = made(folder) / f"{safe_name(name)}.lua"
    path.write_text(f"return {lua(table)}\n", encoding="utf-8", newline="\n")
    return [*paths, path]


def lua(value: Any, depth: int = 0) -> str:
    """A JSON-like value as Lua source; containers that hold containers are broken into lines."""
    if isinstance(value, str):
        return quoted(value)
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, Mapping):
        items = [f"{key if _plain(key) else f'[{quoted(key)}]'} = {lua(v, depth + 1)}" for key, v in value.items()]
        nested = any(isinstance(v, Mapping | list) for v in value.values())
    elif isinstance(value, Sequence):
        items = [lua(v, depth + 1) for v in value]
        nested = any(isinstance(v, Mapping | list) for v in value)
    else:
        return repr(value)
    if not nested:
        return "{" + ", ".join(items) + "}"
    indent = "\n" + "  " * (depth + 1)
    return "{" + "".join(f"{indent}{item}," for item in items) + "\n" + "  " * depth + "}"


def quoted(text: str) -> str:
    """A Lua string of any text: what is not plain is written as UTF-8 bytes, ``\\226\\130\\172``."""
    out = []
    for character in text:
        if character in '\\"':
            out.append("\\" + character)
        elif character.isprintable():
            out.append(character)
        else:
            out += [f"\\{byte:03d}" for byte in character.encode("utf-8", "replace")]
    return '"' + "".join(out) + '"'


def _plain(key: str) -> bool:
    return WORD.fullmatch(key) is not None and key not in KEYWORDS


def _frame(entry: Entry) -> dict[str, Any]:
    box, (left, top) = entry.box, entry.offset
    place = {"page": entry.page + 1, "x": box.x, "y": box.y, "w": box.w, "h": box.h, "left": left, "top": top}
    return {**place, "duration": entry.duration_ms / 1000, **marked(entry)}
