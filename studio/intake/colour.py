"""Any Pillow mode and profile to 8-bit sRGB with straight alpha."""

from __future__ import annotations

import io
from typing import Any

import numpy as np

PROFILE_SPACES = {"RGB ": "RGB", "GRAY": "L", "CMYK": "CMYK", "Lab ": "LAB"}
"""ICC colour spaces, and the Pillow mode that each applies to."""


def to_rgba(image: Any) -> tuple[np.ndarray, list[str]]:
    """uint8 (H, W, 4) of a loaded image, and notes on conversions that can be seen."""
    notes: list[str] = []
    if image.mode in ("I", "F") or image.mode.startswith("I;"):
        image = _eight_bit(image)
        notes.append("Converted from 16 bits.")
    if image.mode in ("P", "PA") or "transparency" in image.info:
        profile = image.info.get("icc_profile")
        image = image.convert("RGBA")
        image.info["icc_profile"] = profile
    alpha = image.getchannel("A") if "A" in image.getbands() and image.mode != "LAB" else None
    converted = _to_srgb(image)
    if converted is not None:
        notes.append("Colours converted to sRGB.")
    elif image.mode == "CMYK":
        notes.append("Converted from CMYK; check the colours.")
    rgb = np.asarray((image if converted is None else converted).convert("RGB"))
    cover = np.full(rgb.shape[:2], 255, np.uint8) if alpha is None else np.asarray(alpha)
    return np.dstack([rgb, cover]), notes


def _eight_bit(image: Any) -> Any:
    from PIL import Image

    values = np.asarray(image).astype(np.float64)
    values = np.nan_to_num(values, nan=0.0, posinf=0.0, neginf=0.0)
    top = 1.0 if image.mode == "F" and values.max(initial=0) <= 1 else 255.0 if image.mode == "F" else 65535.0
    return Image.fromarray(np.round(np.clip(values / top, 0, 1) * 255).astype(np.uint8))


def _to_srgb(image: Any) -> Any | None:
    """An RGB image when an embedded profile says that the numbers are not sRGB, else None."""
    from PIL import ImageCms

    raw = image.info.get("icc_profile")
    if not raw:
        return None
    try:
        profile = ImageCms.ImageCmsProfile(io.BytesIO(raw))
        mode = PROFILE_SPACES.get(profile.profile.xcolor_space)
        about = ImageCms.getProfileDescription(profile)
        if mode is None or "srgb" in about.lower():
            return None
        plain = {"RGBA": "RGB", "LA": "L", "RGBX": "RGB"}.get(image.mode, image.mode)
        if plain != mode:
            return None
        return ImageCms.profileToProfile(
            image.convert(plain), profile, ImageCms.createProfile("sRGB"), outputMode="RGB"
        )
    except (ImageCms.PyCMSError, OSError, ValueError, TypeError):
        # A broken profile is worth no more than none: the numbers are taken as sRGB.
        return None
