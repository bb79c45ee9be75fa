"""Small readers of our exports that share no code with the writers: they see only the files."""

import json
import re
from pathlib import Path

import numpy as np
from godot_parser import parse as parse_godot
from PIL import Image, ImageSequence

ASEPRITE_RECT = {
    "type": "object",
    "required": ["x", "y", "w", "h"],
    "additionalProperties": False,
    "properties": {key: {"type": "integer", "minimum": 0} for key in "xywh"},
}
ASEPRITE_SIZE = {
    "type": "object",
    "required": ["w", "h"],
    "properties": {key: {"type": "integer", "minimum": 1} for key in "wh"},
}
ASEPRITE_FRAME = {
    "type": "object",
    "required": ["frame", "rotated", "trimmed", "spriteSourceSize", "sourceSize", "duration"],
    "properties": {
        "filename": {"type": "string"},
        "frame": ASEPRITE_RECT,
        "rotated": {"const": False},
        "trimmed": {"type": "boolean"},
        "spriteSourceSize": ASEPRITE_RECT,
        "sourceSize": ASEPRITE_SIZE,
        "duration": {"type": "integer", "minimum": 1},
    },
    "additionalProperties": False,
}
ASEPRITE = {
    "type": "object",
    "required": ["frames", "meta"],
    "properties": {
        "frames": {
            "oneOf": [
                {"type": "object", "minProperties": 1, "additionalProperties": ASEPRITE_FRAME},
                {
                    "type": "array",
                    "minItems": 1,
                    "items": {"allOf": [ASEPRITE_FRAME, {"type": "object", "required": ["filename"]}]},
                },
            ]
        },
        "meta": {
            "type": "object",
            "required": ["app", "version", "image", "format", "size", "scale", "frameTags", "layers", "slices"],
            "properties": {
                "image": {"type": "string", "pattern": r"\.png$"},
                "format": {"enum": ["RGBA8888", "I8"]},
                "size": ASEPRITE_SIZE,
                "scale": {"type": "string"},
                "frameTags": {
                    "type": "array",
                    "items": {
                        "type": "object",
                        "required": ["name", "from", "to", "direction"],
                        "properties": {
                            "name": {"type": "string", "minLength": 1},
                            "from": {"type": "integer", "minimum": 0},
                            "to": {"type": "integer", "minimum": 0},
                            "direction": {"enum": ["forward", "reverse", "pingpong", "pingpong_reverse"]},
                            "repeat": {"type": "string", "pattern": "^[1-9][0-9]*$"},
                            "color": {"type": "string", "pattern": "^#[0-9a-f]{8}$"},
                        },
                        "additionalProperties": False,
                    },
                },
                "slices": {
                    "type": "array",
                    "items": {
                        "type": "object",
                        "required": ["name", "color", "keys"],
                        "properties": {
                            "keys": {
                                "type": "array",
                                "minItems": 1,
                                "items": {"type": "object", "required": ["frame", "bounds"]},
                            }
                        },
                    },
                },
            },
        },
    },
}
"""JSON schema of what Aseprite 1.3 writes with --list-tags --list-slices --list-layers."""


def picture(path: Path) -> np.ndarray:
    with Image.open(path) as image:
        assert image.mode == "RGBA"
        out = np.array(image)
    out[out[..., 3] == 0] = 0
    return out


def cel(page: np.ndarray, region, offset, size) -> np.ndarray:
    x, y, w, h = region
    out = np.zeros((size[1], size[0], 4), np.uint8)
    part = page[y : y + h, x : x + w]
    assert part.shape[:2] == (h, w), "the frame lies outside the page"
    out[offset[1] : offset[1] + h, offset[0] : offset[0] + w] = part
    return out


def aseprite(path: Path) -> dict:
    """Tag name -> (frames, durations, loops, pivot)."""
    data = json.loads(path.read_text(encoding="utf-8"))
    meta = data["meta"]
    page = picture(path.parent / meta["image"])
    assert (page.shape[1], page.shape[0]) == (meta["size"]["w"], meta["size"]["h"])
    listed = data["frames"] if isinstance(data["frames"], list) else list(data["frames"].values())
    (key,) = next(s for s in meta["slices"] if s["name"] == "pivot")["keys"]
    pivot = (key["bounds"]["x"] + key["pivot"]["x"], key["bounds"]["y"] + key["pivot"]["y"])
    out = {}
    for tag in meta["frameTags"]:
        assert 0 <= tag["from"] <= tag["to"] < len(listed)
        run = listed[tag["from"] : tag["to"] + 1]
        frames = []
        for item in run:
            rect, source = item["frame"], item["spriteSourceSize"]
            assert (rect["w"], rect["h"]) == (source["w"], source["h"])
            size = (item["sourceSize"]["w"], item["sourceSize"]["h"])
            frames.append(cel(page, [rect[k] for k in "xywh"], (source["x"], source["y"]), size))
            assert item["trimmed"] == ((rect["w"], rect["h"]) != size)
        durations = tuple(item["duration"] for item in run)
        out[tag["name"]] = (np.stack(frames), durations, "repeat" not in tag, pivot)
    return out


def phaser(path: Path) -> dict:
    """Like Phaser's multiatlas and JSON hash parsers: animation name -> (frames, durations, pivot shares)."""
    data = json.loads(path.read_text(encoding="utf-8"))
    textures = data.get("textures") or [
        {"image": data["meta"]["image"], "frames": [{"filename": k, **f} for k, f in data["frames"].items()]}
    ]
    known = {}
    for texture in textures:
        page = picture(path.parent / texture["image"])
        for item in texture["frames"]:
            assert item["filename"] not in known and item["rotated"] is False
            rect, source = item["frame"], item["spriteSourceSize"]
            assert (rect["w"], rect["h"]) == (source["w"], source["h"])  # field report 26
            size = (item["sourceSize"]["w"], item["sourceSize"]["h"])
            drawn = cel(page, [rect[k] for k in "xywh"], (source["x"], source["y"]), size)
            known[item["filename"]] = (drawn, item["duration"], (item["pivot"]["x"], item["pivot"]["y"]))
            assert item["anchor"] == item["pivot"]
    return {name: tuple(zip(*(known[key] for key in keys), strict=True)) for name, keys in data["animations"].items()}


def godot(path: Path) -> dict:
    """Animation name -> (frames, durations in ms, loop as written)."""
    text = path.read_text(encoding="utf-8")
    assert text.count('"name": &"') == text.count('"frames": [')
    scene = parse_godot(re.sub(r'(?<=: )&"', '"', text))  # godot-parser 0.1.7 does not know StringName, &"..."
    pages = {r.id: picture(path.parent / r.path) for r in scene.get_ext_resources()}
    textures = {}
    for sub in scene.get_sub_resources():
        assert sub.type == "AtlasTexture"
        region, margin = sub["region"].args, sub["margin"].args
        size = (region[2] + margin[2], region[3] + margin[3])
        textures[sub.id] = cel(pages[sub["atlas"].args[0]], region, margin[:2], size)
    (resource,) = [s for s in scene.get_sections() if s.header.name == "resource"]
    out = {}
    for animation in resource["animations"]:
        frames = np.stack([textures[f["texture"].args[0]] for f in animation["frames"]])
        times = tuple(round(1000 * f["duration"] / animation["speed"], 6) for f in animation["frames"])
        out[animation["name"]] = (frames, times, animation["loop"])
    return out


def animated(path: Path) -> tuple[np.ndarray, tuple[int, ...], bool]:
    """Frames, durations and whether it repeats for ever, from Pillow's decoders."""
    with Image.open(path) as image:
        loops = image.info.get("loop", 1) == 0
        frames, times = [], []
        for frame in ImageSequence.Iterator(image):
            frames.append(np.array(frame.convert("RGBA")))
            times.append(round(frame.info.get("duration", 0)))  # Pillow divides: 1000.999...
    out = np.stack(frames)
    out[out[..., 3] == 0] = 0
    return out, tuple(times), loops
