"""Defold: a packed atlas for the TexturePacker extension, and a plain ``.atlas`` that needs no extension.

Field names are those of ``tpinfo.proto`` and ``tpatlas.proto`` (github.com/defold/extension-texturepacker) and of
Defold's own ``atlas_ddf.proto``. Defold names files from the root of the project, so the folder goes there under the
name of the character: ``/hero/hero.tpinfo``. Held frames are repeated, because an animation has one rate.
"""

from collections.abc import Sequence
from pathlib import Path

from studio.sprites.export import frames
from studio.sprites.export.keys import frame_key, frame_keys, keyed
from studio.sprites.export.names import made, safe_name
from studio.sprites.export.numbers import number
from studio.sprites.export.pages import page_names, write_pages
from studio.sprites.export.ticks import whole_ticks
from studio.sprites.sheet import Entry, Sheet


def write_packed(sheet: Sheet, folder: Path, name: str) -> list[Path]:
    """PNG pages, ``name.tpinfo`` (places) and ``name.tpatlas`` (animations)."""
    stem, paths = safe_name(name), write_pages(sheet, folder, name)
    info = ['version: "2.0"', 'description: "Sprightly"']
    keys = frame_keys(sheet)
    for page, image in enumerate(page_names(sheet, name)):
        height, width, _ = sheet.pages[page].shape
        sprites = [_sprite(sheet, e, key) for e, key in zip(sheet.entries, keys, strict=True) if e.page == page]
        info.append(_block("pages", [f'name: "{image}"', _size("size", width, height), *sprites]))
    atlas = [f'file: "/{stem}/{stem}.tpinfo"']
    for action, tag, entries in keyed(sheet):
        held = _held(action, entries)
        atlas.append(_animation(action, tag.loop, held[0], [f'images: "{key}"' for key in held[1]]))
    atlas.append(f"is_paged_atlas: {str(len(sheet.pages) > 1).lower()}")
    return [*paths, _saved(folder / f"{stem}.tpinfo", info), _saved(folder / f"{stem}.tpatlas", atlas)]


def write_atlas(sheet: Sheet, folder: Path, name: str) -> list[Path]:
    """Every frame as a PNG and ``name_frames.atlas``; Defold packs and trims by itself.

    Pivots are shares of the frame, y up.
    """
    stem, paths = safe_name(name), frames.write(sheet, folder, name)
    width, height = sheet.cell
    pivot = [f"pivot_x: {number(sheet.pivot[0] / width)}", f"pivot_y: {number(1 - sheet.pivot[1] / height)}"]
    animations = []
    for action, tag, entries in keyed(sheet):
        rate, keys = _held(action, entries)
        images = [_block("images", [f'image: "/{stem}/{stem}_{key}.png"', *pivot]) for key in keys]
        animations.append(_animation(action, tag.loop, rate, images))
    return [*paths, _saved(folder / f"{stem}_frames.atlas", [*animations, "margin: 2", "extrude_borders: 1"])]


def _held(action: str, entries: Sequence[Entry]) -> tuple[int, list[str]]:
    """Rate, and the frame keys with each repeated for as long as it is shown."""
    rate, counts = whole_ticks([entry.duration_ms for entry in entries])
    pairs = zip(entries, counts, strict=True)
    return rate, [frame_key(action, entry.index) for entry, count in pairs for _ in range(count)]


def _animation(action: str, loop: bool, rate: int, images: list[str]) -> str:
    playback = "PLAYBACK_LOOP_FORWARD" if loop else "PLAYBACK_ONCE_FORWARD"
    tail = [f"playback: {playback}", f"fps: {rate}", "flip_horizontal: 0", "flip_vertical: 0"]
    return _block("animations", [f'id: "{action}"', *images, *tail])


def _sprite(sheet: Sheet, entry: Entry, key: str) -> str:
    box, (x, y), (width, height) = entry.box, entry.offset, sheet.cell
    alpha = sheet.pages[entry.page][box.y : box.y + box.h, box.x : box.x + box.w, 3]
    return _block(
        "sprites",
        [
            f'name: "{key}"',
            f"trimmed: {str((box.w, box.h) != (width, height)).lower()}",
            "rotated: false",
            f"is_solid: {str(bool((alpha == 255).all())).lower()}",
            _block("corner_offset", [f"x: {x}", f"y: {y}"]),
            _rect("source_rect", x, y, box.w, box.h),
            _rect("frame_rect", box.x, box.y, box.w, box.h),
            _size("untrimmed_size", width, height),
        ],
    )


def _size(name: str, width: int, height: int) -> str:
    return _block(name, [f"width: {width}", f"height: {height}"])


def _rect(name: str, x: int, y: int, width: int, height: int) -> str:
    return _block(name, [f"x: {x}", f"y: {y}", f"width: {width}", f"height: {height}"])


def _block(name: str, lines: list[str]) -> str:
    inner = "\n".join(lines).replace("\n", "\n  ")
    return f"{name} {{\n  {inner}\n}}"


def _saved(path: Path, lines: list[str]) -> Path:
    made(path.parent)
    path.write_text("\n".join(lines) + "\n", encoding="utf-8", newline="\n")
    return path
