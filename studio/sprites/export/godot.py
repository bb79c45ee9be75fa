"""Godot 4 ``SpriteFrames`` (``.tres``) with one ``AtlasTexture`` per distinct place on the sheet.

The texture path is relative, which Godot resolves beside the ``.tres``, so the folder may be dropped anywhere in a
project. ``margin`` puts trimmed pixels back to their place in the cell. SpriteFrames know no pivot; it is kept as
metadata, in px of the cell: ``sprite.centered = false; sprite.offset = -sprite.sprite_frames.get_meta("pivot")``.
"""

from pathlib import Path
from typing import Literal

from studio.sprites.export.names import made, safe_name
from studio.sprites.export.numbers import number
from studio.sprites.export.pages import page_names, write_pages
from studio.sprites.export.ticks import ticks
from studio.sprites.sheet import Entry, Sheet, Tag

LoopStyle = Literal["bool", "enum"]
"""How ``loop`` is typed: true/false up to Godot 4.6, 0 (once) or 1 (linear) from 4.7, which also reads the former.

There-and-back loops are baked into the frames, so they play the same in both (field report 28).
"""


def write(sheet: Sheet, folder: Path, name: str, loop_style: LoopStyle = "bool") -> list[Path]:
    """PNG pages and ``name.tres``."""
    paths = write_pages(sheet, folder, name)
    path = made(folder) / f"{safe_name(name)}.tres"
    path.write_text(resource(sheet, page_names(sheet, name), loop_style), encoding="utf-8", newline="\n")
    return [*paths, path]


def resource(sheet: Sheet, images: list[str], loop_style: LoopStyle = "bool") -> str:
    """The text of the resource; `images` are the page file names beside it."""
    places = list(dict.fromkeys(_place(entry) for entry in sheet.entries))
    numbers = {place: n for n, place in enumerate(places)}
    lines = [f'[gd_resource type="SpriteFrames" load_steps={len(images) + len(places) + 1} format=3]', ""]
    lines += [f'[ext_resource type="Texture2D" path={_text(image)} id="{page}"]' for page, image in enumerate(images)]
    for n, (page, x, y, w, h, left, top) in enumerate(places):
        lines += [
            "",
            f'[sub_resource type="AtlasTexture" id="AtlasTexture_{n}"]',
            f'atlas = ExtResource("{page}")',
            f"region = Rect2({x}, {y}, {w}, {h})",
            f"margin = Rect2({left}, {top}, {sheet.cell[0] - w}, {sheet.cell[1] - h})",
            "filter_clip = true",
        ]
    animations = [_animation(sheet, tag, numbers, loop_style) for tag in sheet.tags]
    pivot = f"Vector2({number(sheet.pivot[0])}, {number(sheet.pivot[1])})"
    lines += ["", "[resource]", "animations = [" + ", ".join(animations) + "]", *marks(sheet)]
    lines += [f"metadata/pivot = {pivot}", ""]
    return "\n".join(lines)


Place = tuple[int, int, int, int, int, int, int]


def _place(entry: Entry) -> Place:
    box = entry.box
    return (entry.page, box.x, box.y, box.w, box.h, *entry.offset)


def _animation(sheet: Sheet, tag: Tag, numbers: dict[Place, int], loop_style: LoopStyle) -> str:
    """Godot shows a frame for ``duration / speed`` seconds."""
    entries = sheet.entries[tag.first : tag.last + 1]
    speed, counts = ticks([entry.duration_ms for entry in entries])
    frames = ", ".join(
        f'{{\n"duration": {float(count)!r},\n"texture": SubResource("AtlasTexture_{numbers[_place(entry)]}")\n}}'
        for entry, count in zip(entries, counts, strict=True)
    )
    loop = str(tag.loop).lower() if loop_style == "bool" else str(int(tag.loop))
    return f'{{\n"frames": [{frames}],\n"loop": {loop},\n"name": &{_text(tag.name)},\n"speed": {float(speed)!r}\n}}'


def marks(sheet: Sheet) -> list[str]:
    """``metadata/hitboxes``, ``metadata/points`` and ``metadata/events``, those that are not empty.

    ``sprite_frames.get_meta("hitboxes")["walk"][frame]["body"]`` is a Rect2 in px of the cell.
    """
    boxes = [{n: f"Rect2({b.x}, {b.y}, {b.w}, {b.h})" for n, b in entry.boxes.items()} for entry in sheet.entries]
    points = [
        {n: f"Vector2({number(x)}, {number(y)})" for n, (x, y) in entry.points.items()} for entry in sheet.entries
    ]
    events = [[_text(event) for event in entry.events] for entry in sheet.entries]
    lines = [_meta(sheet, "events", [f"[{', '.join(row)}]" for row in events])] if any(events) else []
    for name, rows in (("hitboxes", boxes), ("points", points)):
        texts = ["{" + ", ".join(f"{_text(key)}: {value}" for key, value in row.items()) + "}" for row in rows]
        lines += [_meta(sheet, name, texts)] if any(rows) else []
    return lines


def _meta(sheet: Sheet, name: str, texts: list[str]) -> str:
    actions = (f"{_text(tag.name)}: [{', '.join(texts[tag.first : tag.last + 1])}]" for tag in sheet.tags)
    return f"metadata/{name} = {{{', '.join(actions)}}}"


ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t", "\f": "\\f"}


def _text(value: str) -> str:
    return '"' + "".join(ESCAPES.get(character, character) for character in value) + '"'
