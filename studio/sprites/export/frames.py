"""Every frame as its own PNG in the full cell: for editors, engines without atlases, and safe keeping."""

from pathlib import Path

from studio.sprites.export.names import distinct_names, made, safe_name
from studio.sprites.export.pages import png
from studio.sprites.sheet import Sheet, restore


def write(sheet: Sheet, folder: Path, name: str) -> list[Path]:
    """``name_walk_00.png``, ``name_walk_01.png`` ... at scale 1, repeated pictures included."""
    stem, paths = safe_name(name), []
    names = distinct_names(tag.name for tag in sheet.tags)
    for tag, action in zip(sheet.tags, names, strict=True):
        digits = max(len(str(tag.last - tag.first)), 2)
        for index, frame in enumerate(restore(sheet, tag.name)):
            path = made(folder) / f"{stem}_{action}_{index:0{digits}d}.png"
            path.write_bytes(png(frame))
            paths.append(path)
    return paths
