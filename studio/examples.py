"""The characters that come with the app: an empty library starts with them, their joints placed by hand."""

from __future__ import annotations

import json
import logging
from pathlib import Path

import numpy as np

from pipelines.clip import clean
from pipelines.matting import looks_like_pixel_art

from .character_art import cell_for
from .library import Character
from .library.disk import new_id, read_picture
from .library.joints import placed
from .studio import Desk

FOLDER = Path(__file__).resolve().parents[1] / "examples" / "art"
FIRST = "knight"
log = logging.getLogger(__name__)


def fill(desk: Desk, folder: Path = FOLDER) -> list[Character]:
    """Adds every example whose picture and joints are both there to a library that never held a character."""
    if desk.library.characters() or desk.library.trash():
        return []
    # Characters are listed newest first, so the knight is added last.
    records = sorted(folder.glob("*.json"), key=lambda path: (path.stem == FIRST, path.stem))
    added = []
    for record in records:
        try:
            added.append(_add(desk, record))
        except (OSError, ValueError, KeyError, TypeError) as error:
            log.warning("The example %s is left out: %s", record.name, error)
    return added[::-1]


def _add(desk: Desk, record: Path) -> Character:
    body = json.loads(record.read_text(encoding="utf-8"))
    picture = record.with_suffix(".png")
    art = clean(read_picture(picture))
    height, width = art.shape[:2]
    factor = np.array([width / body["size"][0], height / body["size"][1]]) if "size" in body else np.ones(2)
    joints = {name: tuple(np.multiply(point, factor)) if point else None for name, point in body["joints"].items()}
    at = placed(joints)
    pixel_art = body.get("pixel_art", looks_like_pixel_art(art))
    character = Character(
        id=new_id(),
        name=body.get("name", record.stem.replace("_", " ").title()),
        joints=at,
        facing=body.get("facing", "right"),
        about=body.get("about", ""),
        weapon=body.get("weapon"),
        pixel_art=pixel_art,
        cell=body.get("cell") or cell_for(art, at, pixel_art),
        method="alpha",
        backend=desk.settings.backend,
        example=True,
    )
    return desk.library.create(character, art, picture)
