"""Unity 2021 or newer: sprites in ``.png.meta``, one ``.anim`` per action.

Ids are hashes of names, so scenes, physics shapes and animators keep their references when a sheet is exported again,
whatever was added to it (github.com/martinhodler/unity-aseprite-importer issue 59). y points up; pivots are shares of
the trimmed rectangle and may lie outside it, so that all frames stand on one world point (field report 27).
"""

from pathlib import Path

from studio.sprites.export.keys import frame_keys, keyed
from studio.sprites.export.names import made, safe_name
from studio.sprites.export.numbers import number
from studio.sprites.export.pages import page_names, write_pages
from studio.sprites.export.unity_clip import animation, clip_meta
from studio.sprites.export.unity_ids import SPRITE, guid, local_id, quoted, sprite_id
from studio.sprites.layout import power_of_two
from studio.sprites.marks import BODY
from studio.sprites.sheet import Entry, Sheet

PIXELS_PER_UNIT = 100
"""Unity's default: a character of 100 px is one unit high at scale 1. Enlarged sheets keep that size."""


def write(sheet: Sheet, folder: Path, name: str) -> list[Path]:
    """PNG pages, ``name.png.meta`` for each, ``name_walk.anim`` and its meta for each action."""
    stem, paths, images = safe_name(name), write_pages(sheet, folder, name), page_names(sheet, name)
    keys = [f"{stem}_{key}" for key in frame_keys(sheet)]
    texts = {f"{image}.meta": texture(sheet, page, image, keys) for page, image in enumerate(images)}
    for action, tag, entries in keyed(sheet):
        clip = f"{stem}_{action}"
        sprites = [(images[e.page], key) for e, key in zip(entries, keys[tag.first : tag.last + 1], strict=True)]
        texts[f"{clip}.anim"] = animation(clip, tag.loop, entries, sprites)
        texts[f"{clip}.anim.meta"] = clip_meta(f"{clip}.anim")
    for file, content in texts.items():
        (made(folder) / file).write_text(content, encoding="utf-8", newline="\n")
    return [*paths, *(folder / file for file in texts)]


def texture(sheet: Sheet, page: int, image: str, keys: list[str]) -> str:
    """The importer settings of one page: cut into sprites, point filter, uncompressed, no mipmaps."""
    height, width, _ = sheet.pages[page].shape
    here = [(entry, key) for entry, key in zip(sheet.entries, keys, strict=True) if entry.page == page]
    largest = max(power_of_two(max(width, height)), 2048)  # Unity shrinks what is larger than this
    table = "\n".join(f"  - first:\n      {SPRITE}: {local_id(key)}\n    second: {quoted(key)}" for _, key in here)
    ids = "\n".join(f"      {quoted(key)}: {local_id(key)}" for _, key in here)
    sprites = "\n".join(_sprite(sheet, entry, key, height) for entry, key in here)
    return f"""fileFormatVersion: 2
guid: {guid(image)}
TextureImporter:
  internalIDToNameTable:
{table}
  externalObjects: {{}}
  serializedVersion: 12
  mipmaps:
    mipMapMode: 0
    enableMipMap: 0
    sRGBTexture: 1
  isReadable: 0
  maxTextureSize: {largest}
  textureSettings:
    serializedVersion: 2
    filterMode: 0
    aniso: 1
    mipBias: 0
    wrapU: 1
    wrapV: 1
    wrapW: 1
  nPOTScale: 0
  compressionQuality: 50
  spriteMode: 2
  spriteExtrude: 1
  spriteMeshType: 0
  alignment: 0
  spritePivot: {{x: 0.5, y: 0.5}}
  spritePixelsToUnits: {PIXELS_PER_UNIT * sheet.scale}
  spriteBorder: {{x: 0, y: 0, z: 0, w: 0}}
  spriteGenerateFallbackPhysicsShape: 1
  alphaUsage: 1
  alphaIsTransparency: 1
  spriteTessellationDetail: -1
  textureType: 8
  textureShape: 1
  platformSettings:
  - serializedVersion: 3
    buildTarget: DefaultTexturePlatform
    maxTextureSize: {largest}
    resizeAlgorithm: 0
    textureFormat: -1
    textureCompression: 0
    compressionQuality: 50
    crunchedCompression: 0
    allowsAlphaSplitting: 0
    overridden: 0
  spriteSheet:
    serializedVersion: 2
    sprites:
{sprites}
    outline: []
    physicsShape: []
    bones: []
    spriteID: {sprite_id(image)}
    internalID: 0
    vertices: []
    indices:
    edges: []
    weights: []
    secondaryTextures: []
    nameFileIdTable:
{ids}
  userData:
  assetBundleName:
  assetBundleVariant:
"""


def _sprite(sheet: Sheet, entry: Entry, key: str, page_height: int) -> str:
    box, (left, top) = entry.box, entry.offset
    pivot_x, pivot_y = (sheet.pivot[0] - left) / box.w, 1 - (sheet.pivot[1] - top) / box.h
    return f"""    - serializedVersion: 2
      name: {quoted(key)}
      rect:
        serializedVersion: 2
        x: {box.x}
        y: {page_height - box.y - box.h}
        width: {box.w}
        height: {box.h}
      alignment: 9
      pivot: {{x: {number(pivot_x)}, y: {number(pivot_y)}}}
      border: {{x: 0, y: 0, z: 0, w: 0}}
      outline: []
      physicsShape:{_shape(entry)}
      tessellationDetail: 0
      bones: []
      spriteID: {sprite_id(key)}
      internalID: {local_id(key)}
      vertices: []
      indices:
      edges: []
      weights: []"""


def _shape(entry: Entry) -> str:
    """The body box as collider outline, in px from the middle of the sprite; without one Unity traces the alpha."""
    box = entry.boxes.get(BODY)
    if box is None:
        return " []"
    left = box.x - entry.offset[0] - entry.box.w / 2
    top = entry.box.h / 2 - (box.y - entry.offset[1])
    corners = [(left, top), (left + box.w, top), (left + box.w, top - box.h), (left, top - box.h)]
    lines = [f"{{x: {number(x)}, y: {number(y)}}}" for x, y in corners]
    return "\n      - - " + "\n        - ".join(lines)
