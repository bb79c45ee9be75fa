"""Laying frames out as the pictures of docs/, and saving them small enough for a repository."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw, ImageFont

Colour = tuple[int, int, int, int]

DARK, CHECK, GREY = (27, 28, 31, 255), (46, 47, 52, 255), (154, 155, 161)
"""The page's own ground, its checker and its muted text."""
LARGEST = 600_000
"""Bytes of a picture: a repository is not a gallery."""
FPS = 15
"""Frames a second of what moves."""


def pixels(path: Path) -> np.ndarray:
    return np.asarray(Image.open(path).convert("RGBA"))


def ground(width: int, height: int, colour: Colour | None) -> Image.Image:
    """A plain ground, or the page's checker."""
    if colour:
        return Image.new("RGBA", (width, height), colour)
    rows, columns = np.indices((height, width)) // 8
    return Image.fromarray(np.where(((rows + columns) % 2)[..., None], CHECK, DARK).astype(np.uint8), "RGBA")


def over(picture: np.ndarray, below: Image.Image) -> Image.Image:
    return Image.alpha_composite(below, Image.fromarray(np.ascontiguousarray(picture), "RGBA"))


def row(frames: Sequence[np.ndarray], colour: Colour | None) -> Image.Image:
    together = np.concatenate(list(frames), axis=1)
    return over(together, ground(together.shape[1], together.shape[0], colour))


def stack(rows: Sequence[Image.Image]) -> Image.Image:
    return Image.fromarray(np.concatenate([np.asarray(one) for one in rows], axis=0), "RGBA")


def shrunk(picture: np.ndarray, side: int) -> np.ndarray:
    """Premultiplied while it shrinks, or clear pixels would darken the edge."""
    small = Image.fromarray(picture, "RGBA").convert("RGBa").resize((side, side), Image.Resampling.LANCZOS)
    return np.asarray(small.convert("RGBA"))


def grown(frame: np.ndarray, times: int) -> np.ndarray:
    return frame.repeat(times, 0).repeat(times, 1)


def trimmed(frames: np.ndarray, width: int, margin: int = 8) -> np.ndarray:
    """(T, H, W, 4) without the rows that no frame uses, centred on what it shows in `width` columns."""
    used: np.ndarray = frames[..., 3].max(axis=0)
    rows, columns = np.flatnonzero(used.max(axis=1)), np.flatnonzero(used.max(axis=0))
    kept = frames[:, rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1][:, :, :width]
    left = (width - kept.shape[2]) // 2
    sides = ((0, 0), (margin, margin), (left, width - kept.shape[2] - left), (0, 0))
    return np.pad(kept, sides)


def labelled(picture: Image.Image, text: str) -> Image.Image:
    ImageDraw.Draw(picture).text(
        (picture.width / 2, picture.height - 3), text, GREY, ImageFont.load_default(12), anchor="md"
    )
    return picture


def saved(path: Path, made: Image.Image | list[Image.Image]) -> Path:
    """A PNG, or a WebP that moves; refuses what is too large for a repository."""
    if isinstance(made, list):
        path = path.with_suffix(".webp")
        stills = [frame.convert("RGB") for frame in made]
        stills[0].save(
            path, save_all=True, append_images=stills[1:], duration=1000 // FPS, loop=0, quality=88, method=4
        )
    else:
        path = path.with_suffix(".png")
        made.convert("RGB").save(path, optimize=True)
        if path.stat().st_size > LARGEST:
            made.convert("RGB").quantize(256, dither=Image.Dither.NONE).save(path, optimize=True)
    size = path.stat().st_size
    print(f"{path}: {size // 1000} KB", flush=True)
    if size > LARGEST:
        raise SystemExit(f"{path.name} has {size} bytes; {LARGEST} are the most.")
    return path
