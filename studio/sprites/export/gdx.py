"""libGDX ``TextureAtlas`` (libGDX 1.9.13 or newer, also Spine's runtimes and MonoGame.Extended).

One region per frame, called after its action and numbered by ``index``, so ``atlas.findRegions("walk")`` gives the
frames in play order. ``offsets`` count from the lower left corner of the untrimmed frame, and so do our own values
(``pivot``, ``box_body``, ``point_hand``), which ``AtlasRegion.findValue`` reads; the format knows whole numbers only.
"""

from pathlib import Path

from studio.sprites.export.keys import keyed
from studio.sprites.export.names import distinct_names, made, safe_name
from studio.sprites.export.pages import page_names, write_pages
from studio.sprites.sheet import Entry, Sheet, Tag


def write(sheet: Sheet, folder: Path, name: str) -> list[Path]:
    """PNG pages and ``name.atlas``."""
    paths = write_pages(sheet, folder, name)
    path = made(folder) / f"{safe_name(name)}.atlas"
    path.write_text(text(sheet, page_names(sheet, name)), encoding="utf-8", newline="\n")
    return [*paths, path]


def text(sheet: Sheet, images: list[str]) -> str:
    """The atlas; `images` are the page file names, pages are parted by an empty line."""
    parts = []
    for page, image in enumerate(images):
        height, width, _ = sheet.pages[page].shape
        lines = [image, f"size: {width}, {height}", "format: RGBA8888", "filter: Nearest, Nearest", "repeat: none"]
        for action, tag, entries in keyed(sheet):
            for entry in entries:
                if entry.page == page:
                    lines += [action, *_region(sheet, tag, entry)]
        parts.append("\n".join(lines) + "\n")
    return "\n".join(parts)


def _region(sheet: Sheet, tag: Tag, entry: Entry) -> list[str]:
    box, (left, top), (width, height) = entry.box, entry.offset, sheet.cell
    lines = [
        f"index: {entry.index}",
        f"bounds: {box.x}, {box.y}, {box.w}, {box.h}",
        f"offsets: {left}, {height - top - box.h}, {width}, {height}",
        f"delay: {entry.duration_ms}",
        f"loop: {int(tag.loop)}",
        f"pivot: {_near(sheet.pivot[0])}, {_near(height - sheet.pivot[1])}",
    ]
    for name, hit in zip(distinct_names(entry.boxes), entry.boxes.values(), strict=True):
        lines.append(f"box_{name}: {hit.x}, {height - hit.y - hit.h}, {hit.w}, {hit.h}")
    for name, (x, y) in zip(distinct_names(entry.points), entry.points.values(), strict=True):
        lines.append(f"point_{name}: {_near(x)}, {_near(height - y)}")
    return [*lines, *(f"event_{name}: 1" for name in distinct_names(entry.events))]


def _near(value: float) -> int:
    return int(value // 1) if value % 1 < 0.5 else int(value // 1) + 1
