"""Every frame as its own PNG in the full cell: for editors, engines without atlases, and safe keeping."""

from pathlib import Path

from studio.sprites.export.keys import frame_key, keyed
from studio.sprites.export.names import made, safe_name
from studio.sprites.export.pages import png
from studio.sprites.sheet import Sheet, restore


def write(sheet: Sheet, folder: Path, name: str) -> list[Path]:
    """``name_walk_00.png``, ``name_walk_01.png`` ... at scale 1, repeated pictures included."""
    stem, paths = safe_name(name), []
    for action, tag, _ in keyed(sheet):
        for index, frame in enumerate(restore(sheet, tag.name)):
            path = made(folder) / f"{stem}_{frame_key(action, index)}.png"
            path.write_bytes(png(frame))
            paths.append(path)
    return paths
