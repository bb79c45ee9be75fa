"""Still pictures: from a hostile file to straight-alpha sRGB, or one clear sentence."""

from __future__ import annotations

import io
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from pipelines.clip import clean
from pipelines.errors import PictureError

from .caps import Caps
from .colour import to_rgba
from .sniff import HEAD, PICTURES, kind, read_bytes, refuse


@dataclass(frozen=True)
class Picture:
    """An artist's picture, ready for the cut-out."""

    rgba: np.ndarray
    """uint8 (H, W, 4) straight alpha, sRGB, upright; RGB is 0 where alpha is 0."""
    note: str = ""
    """What was changed on the way in, for the artist; empty when nothing was."""


def read_picture(path: Path, *, caps: Caps = Caps()) -> Picture:
    """Reads PNG, JPEG, WebP, GIF, BMP, TIFF or AVIF by content, whatever the file is called.

    Raises `PictureError` for anything else, and for empty, cut off, huge, animated or invisible pictures.
    """
    path = Path(path)
    return picture_from(read_bytes(path, caps), path.name, caps)


def picture_from(data: bytes, name: str, caps: Caps) -> Picture:
    """`read_picture` for a file in memory."""
    image = opened(data, name, caps)
    count = frame_count(image)
    if count > 1:
        raise PictureError(
            f"{name!r} is an animation of {count} frames, and a character starts from one still picture. "
            "Save one frame as PNG, or add the animation on the Samples tab."
        )
    rgba, notes = decoded(image, name)
    if not rgba[..., 3].any():
        raise PictureError(f"{name!r} is fully transparent. Show the figure's layer and save it again.")
    large_enough(rgba, name, caps)
    rgba, reduced = own_pixels(rgba) if max(rgba.shape) > caps.keep_side else (rgba, [])
    rgba, more = fitted(rgba, caps.keep_side)
    reduced += more
    return Picture(clean(rgba), " ".join([*notes, *reduced]))


def opened(data: bytes, name: str, caps: Caps) -> Any:
    """A Pillow image whose header was checked, pixels not yet decoded."""
    from PIL import Image

    found = kind(data[:HEAD])
    if found not in PICTURES:
        raise refuse(name, found)
    formats = [PICTURES[found], *(["MPO"] if found == "jpeg" else [])]
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            image = Image.open(io.BytesIO(data), formats=formats)
    except Image.DecompressionBombError as error:
        raise PictureError(_too_large(name, "far too many", caps)) from error
    except Exception as error:
        # Parsers of hostile bytes fail in every way there is; to the artist it is one thing.
        raise PictureError(f"{name!r} is damaged: its header cannot be read. Save it again as PNG.") from error
    width, height = image.size
    if max(width, height) > caps.side or width * height > caps.pixels:
        raise PictureError(_too_large(name, f"{width} x {height}", caps))
    if min(width, height) < 1:
        raise PictureError(f"{name!r} is {width} x {height} px: there is nothing in it. Save it again.")
    return image


def frame_count(image: Any) -> int:
    """Frames of an opened image; a stereo photo (MPO) counts as one."""
    if image.format == "MPO":
        return 1
    try:
        return int(getattr(image, "n_frames", 1))
    except Exception:
        # A damaged later frame: decoding says so with a better sentence.
        return 1


def decoded(image: Any, name: str) -> tuple[np.ndarray, list[str]]:
    """uint8 (H, W, 4) and notes. Raises `PictureError` when the file ends early or lies."""
    from PIL import ImageOps

    try:
        image.load()
        upright = ImageOps.exif_transpose(image)
        rgba, notes = to_rgba(upright)
    except Exception as error:
        raise PictureError(
            f"{name!r} is damaged or was cut off on the way. Save it again as PNG, or upload it again."
        ) from error
    if image.getexif().get(0x0112, 1) not in (0, 1):
        notes = ["Turned upright.", *notes]
    return rgba, notes


def large_enough(rgba: np.ndarray, name: str, caps: Caps) -> None:
    """Raises `PictureError` for pictures that hold no character."""
    height, width = rgba.shape[:2]
    if min(height, width) < caps.least_side:
        raise PictureError(f"{name!r} is {width} x {height} px; a figure needs at least {caps.least_side} px a side.")


def own_pixels(rgba: np.ndarray) -> tuple[np.ndarray, list[str]]:
    """Blown-up pixel art at its true size: any other reduction would smear its grid."""
    from pipelines.matting import looks_like_pixel_art, pixel_scale

    blown = pixel_scale(rgba) if looks_like_pixel_art(rgba) else 1
    if blown < 2:
        return rgba, []
    return np.ascontiguousarray(rgba[blown // 2 :: blown, blown // 2 :: blown]), [f"Pixel art blown up {blown} times."]


def fitted(rgba: np.ndarray, side: int) -> tuple[np.ndarray, list[str]]:
    """The picture with its longer side at most `side`, and what was done. Transparent colour never bleeds in."""
    from PIL import Image

    height, width = rgba.shape[:2]
    if max(height, width) <= side:
        return rgba, []
    small = side / max(height, width)
    size = (max(1, round(width * small)), max(1, round(height * small)))
    premultiplied = Image.fromarray(rgba).convert("RGBa")
    out = np.asarray(premultiplied.resize(size, Image.Resampling.LANCZOS).convert("RGBA"))
    return out, [f"Reduced from {width} x {height} to {size[0]} x {size[1]} px."]


def _too_large(name: str, size: str, caps: Caps) -> str:
    return (
        f"{name!r} announces {size} px; {caps.side} px a side and {caps.pixels // 1_000_000} million pixels are the "
        "most. Save it smaller: 2048 px is plenty."
    )
