"""The marks of one frame as plain values, for every format that may carry its own."""

from typing import Any

from studio.sprites.export.numbers import number
from studio.sprites.sheet import Entry


def marked(entry: Entry, scale: float = 1) -> dict[str, Any]:
    """``{"hitboxes": {name: {x, y, w, h}}, "points": {name: {x, y}}, "events": [name]}`` in cell px times `scale`.

    Kinds without a value are left out.
    """
    boxes = {
        name: {side: number(getattr(box, side) * scale) for side in ("x", "y", "w", "h")}
        for name, box in entry.boxes.items()
    }
    points = {name: {"x": number(x * scale), "y": number(y * scale)} for name, (x, y) in entry.points.items()}
    kinds = {"hitboxes": boxes, "points": points, "events": list(entry.events)}
    return {kind: value for kind, value in kinds.items() if value}
