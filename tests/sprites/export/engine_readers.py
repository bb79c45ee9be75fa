"""Readers of the engines' own formats: protobuf's text parser, PyYAML, a Lua interpreter and FFmpeg's VP9 decoder."""

import json
import re
from pathlib import Path

import av
import lupa
import numpy as np
import yaml
from google.protobuf import descriptor_pb2, descriptor_pool, message_factory, text_format

from .readers import cel, picture

SCHEMA = {
    "Point": "x:float y:float",
    "Size": "width:float height:float",
    "Rect": "x:float y:float width:float height:float",
    "Sprite": "name:string trimmed:bool rotated:bool is_solid:bool untrimmed_size:Size corner_offset:Point "
    "source_rect:Rect frame_rect:Rect vertices*:Point indices*:int32",
    "Page": "name:string size:Size sprites*:Sprite",
    "Info": "pages*:Page description:string version:string",
    "Animation": "id:string images*:string playback:Playback fps:uint32 flip_horizontal:uint32 flip_vertical:uint32",
    "TpAtlas": "file:string rename_patterns?:string animations*:Animation is_paged_atlas:bool",
    "Image": "image:string sprite_trim_mode?:string pivot_x:float pivot_y:float",
    "Frames": "id:string images*:Image playback:Playback fps:uint32 flip_horizontal:uint32 flip_vertical:uint32",
    "Atlas": "images*:Image animations*:Frames margin:uint32 extrude_borders:uint32 inner_padding?:uint32",
}
"""Defold's tpinfo.proto, tpatlas.proto and atlas_ddf.proto, as far as our files go; ``*`` repeats, ``?`` may lack."""


def _messages() -> dict:
    file = descriptor_pb2.FileDescriptorProto(name="defold.proto", package="t", syntax="proto2")
    kinds = file.enum_type.add(name="Playback")
    for number, name in enumerate(("PLAYBACK_NONE", "PLAYBACK_ONCE_FORWARD", "PLAYBACK_LOOP_FORWARD")):
        kinds.value.add(name=name, number=number)
    kind = descriptor_pb2.FieldDescriptorProto
    for message, fields in SCHEMA.items():
        out = file.message_type.add(name=message)
        for number, (name, mark, what) in enumerate(re.findall(r"(\w+)([*?]?):(\w+)", fields), 1):
            label = {"*": kind.LABEL_REPEATED, "?": kind.LABEL_OPTIONAL, "": kind.LABEL_REQUIRED}[mark]
            field = out.field.add(name=name, number=number, label=label)
            if what in SCHEMA or what == "Playback":
                field.type = kind.TYPE_ENUM if what == "Playback" else kind.TYPE_MESSAGE
                field.type_name = f".t.{what}"
            else:
                field.type = getattr(kind, f"TYPE_{what.upper()}")
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    return {name: message_factory.GetMessageClass(pool.FindMessageTypeByName(f"t.{name}")) for name in SCHEMA}


def proto(kind: str, path: Path):
    message = text_format.Parse(path.read_text(encoding="utf-8"), _messages()[kind]())
    assert message.IsInitialized(), message.FindInitializationErrors()
    return message


def defold(folder: Path, stem: str) -> dict:
    """Animation id -> (frames with held ones repeated, fps, loops)."""
    info, atlas = proto("Info", folder / f"{stem}.tpinfo"), proto("TpAtlas", folder / f"{stem}.tpatlas")
    assert atlas.file == f"/{stem}/{stem}.tpinfo" and atlas.is_paged_atlas == (len(info.pages) > 1)
    known = {}
    for page in info.pages:
        pixels = picture(folder / page.name)
        assert pixels.shape[:2] == (page.size.height, page.size.width)
        for sprite in page.sprites:
            rect, source, size = sprite.frame_rect, sprite.source_rect, sprite.untrimmed_size
            assert (rect.width, rect.height) == (source.width, source.height) and not sprite.rotated
            assert (sprite.corner_offset.x, sprite.corner_offset.y) == (source.x, source.y)
            box = [int(v) for v in (rect.x, rect.y, rect.width, rect.height)]
            part = cel(pixels, box, (int(source.x), int(source.y)), (int(size.width), int(size.height)))
            known[sprite.name] = part
            drawn = pixels[box[1] : box[1] + box[3], box[0] : box[0] + box[2], 3]
            assert sprite.is_solid == bool((drawn == 255).all())
            assert sprite.trimmed == ((rect.width, rect.height) != (size.width, size.height))
    return {a.id: (np.stack([known[i] for i in a.images]), a.fps, a.playback == 2) for a in atlas.animations}


def gdx(path: Path) -> dict:
    """As ``TextureAtlasData.load``: region -> list by index of (frame, values); values keep every extra entry."""
    found: dict = {}
    for block in path.read_text(encoding="utf-8").rstrip("\n").split("\n\n"):
        image, *lines = block.split("\n")
        page = picture(path.parent / image)
        while lines and ":" in lines[0]:
            key, value = lines.pop(0).split(": ")
            if key == "size":
                assert [int(v) for v in value.split(", ")] == [page.shape[1], page.shape[0]]
        while lines:
            region, values = lines.pop(0), {}
            while lines and ":" in lines[0]:
                key, value = lines.pop(0).split(": ")
                values[key] = tuple(map(int, value.split(", ")))
            left, bottom, width, height = values["offsets"]
            top = height - bottom - values["bounds"][3]
            found.setdefault(region, {})[values["index"][0]] = (
                cel(page, values["bounds"], (left, top), (width, height)),
                values,
            )
    return {region: [frames[i] for i in range(len(frames))] for region, frames in found.items()}


def lua(path: Path) -> dict:
    """The table that ``require`` gives, as plain Python values."""

    def plain(value):
        if lupa.lua_type(value) != "table":
            return value
        if len(value) and not [k for k in value if not isinstance(k, int)]:
            return [plain(value[i + 1]) for i in range(len(value))]
        return {k: plain(v) for k, v in value.items()}

    runtime = lupa.LuaRuntime(encoding="utf-8", register_eval=False)
    return plain(runtime.execute(path.read_bytes()))


def unity(path: Path) -> tuple[dict, dict]:
    """A ``.png.meta``: its import settings, and sprite name -> (pixels, pivot in px from the top left, sprite)."""
    page = picture(path.with_suffix(""))
    meta = yaml.safe_load(path.read_text(encoding="utf-8"))
    settings = meta["TextureImporter"]
    sheet, out = settings["spriteSheet"], {}
    table = {row["second"]: row["first"][213] for row in settings["internalIDToNameTable"]}
    assert table == sheet["nameFileIdTable"] and len(set(table.values())) == len(table) == len(sheet["sprites"])
    for sprite in sheet["sprites"]:
        rect, pivot = sprite["rect"], sprite["pivot"]
        top = page.shape[0] - rect["y"] - rect["height"]
        pixels = page[top : top + rect["height"], rect["x"] : rect["x"] + rect["width"]]
        assert pixels.shape[:2] == (rect["height"], rect["width"]) and table[sprite["name"]] == sprite["internalID"]
        out[sprite["name"]] = (pixels, (pivot["x"] * rect["width"], (1 - pivot["y"]) * rect["height"]), sprite)
    return meta, out


def unity_clip(path: Path) -> dict:
    """The ``AnimationClip`` of an ``.anim``."""
    text = path.read_text(encoding="utf-8")
    assert text.startswith("%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n--- !u!74 &7400000\n")
    return yaml.safe_load(text.replace(" !u!74", ""))["AnimationClip"]


def gamemaker(path: Path) -> dict:
    """Sprite -> (frames cut from its strip, what the JSON says)."""
    data, out = json.loads(path.read_text(encoding="utf-8")), {}
    for name, sprite in data["sprites"].items():
        strip = picture(path.parent / sprite["file"])
        count = int(re.search(r"_strip(\d+)\.png$", sprite["file"]).group(1))
        assert strip.shape[1] % count == 0 and count == sprite["frames"]
        out[name] = (np.stack(np.split(strip, count, axis=1)), {**sprite, "origin": data["origin"]})
    return out


def webm(path: Path) -> tuple[np.ndarray, tuple[int, ...]]:
    """Frames with alpha, and durations in ms; FFmpeg's own VP9 decoder leaves alpha out, libvpx keeps it."""
    decoder = av.CodecContext.create("libvpx-vp9", "r")
    frames, times = [], []
    with av.open(str(path)) as file:
        assert file.streams.video[0].metadata["ALPHA_MODE"] == "1"
        for packet in file.demux(video=0):
            if packet.size:
                times.append(packet.duration)
                frames += decoder.decode(packet)
    return np.stack([frame.to_ndarray(format="rgba") for frame in frames]), tuple(times)
