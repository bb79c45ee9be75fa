"""GameMaker: one strip per action, cut by its name (``_strip8``), and what strips cannot say beside them.

*Create Resource > Sprite > Import* or a drag into the IDE splits ``name_stripN.png`` into N equal frames
(https://manual.gamemaker.io, "Strip Images"). Origin, speed, times, hitboxes, points and events are in the JSON.
"""

import json
from pathlib import Path
from typing import Any

import numpy as np

from studio.sprites.errors import ExportError
from studio.sprites.export.keys import keyed
from studio.sprites.export.marked import marked
from studio.sprites.export.names import made, safe_name
from studio.sprites.export.numbers import number
from studio.sprites.export.pages import png
from studio.sprites.export.ticks import ticks
from studio.sprites.sheet import Entry, Sheet, restore

WIDEST = 65535
"""Greatest side of a strip in px; no picture reader is sure to take more."""


def write(sheet: Sheet, folder: Path, name: str) -> list[Path]:
    """``name_walk_strip8.png`` ... at scale 1, and ``name.gamemaker.json``."""
    stem, strips, about = safe_name(name), {}, {}
    for action, tag, entries in keyed(sheet):
        pixels = restore(sheet, tag.name)
        count, height, width, _ = pixels.shape
        if count * width > WIDEST:
            raise ExportError(
                f"'{tag.name}' makes a strip of {count * width} px, but pictures stop at {WIDEST} px; "
                f"pick fewer key frames or a smaller cell."
            )
        file = f"{stem}_{action}_strip{count}.png"
        strips[file] = png(np.ascontiguousarray(pixels.transpose(1, 0, 2, 3).reshape(height, count * width, 4)))
        about[action] = {"file": file, "frames": count, "loop": tag.loop, **_times(entries)}
        about[action]["marks"] = [marked(entry, 1 / sheet.scale) for entry in entries]
    for file, data in strips.items():
        (made(folder) / file).write_bytes(data)
    origin = {"x": number(sheet.pivot[0] / sheet.scale), "y": number(sheet.pivot[1] / sheet.scale)}
    cell = {"w": sheet.cell[0] // sheet.scale, "h": sheet.cell[1] // sheet.scale}
    path = folder / f"{stem}.gamemaker.json"
    text = json.dumps({"origin": origin, "size": cell, "sprites": about}, indent=1, ensure_ascii=False)
    path.write_text(text + "\n", encoding="utf-8", newline="\n")
    return [*(folder / file for file in strips), path]


def _times(entries: tuple[Entry, ...]) -> dict[str, Any]:
    """``speed`` is the sprite's frames per second; ``lengths`` are what each frame counts in the sequence editor."""
    durations = [entry.duration_ms for entry in entries]
    rate, counts = ticks(durations)
    return {"speed": float(rate), "lengths": [number(float(count)) for count in counts], "durations_ms": durations}
