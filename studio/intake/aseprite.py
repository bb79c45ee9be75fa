"""Sprite sheets with a JSON beside them, as Aseprite and TexturePacker write it (hash or array of frames)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from pipelines.errors import PictureError

from .caps import MEGABYTE, Caps
from .frames import DEFAULT_MS, check_count

Box = tuple[int, int, int, int]


def sheet_frames(sheet: np.ndarray, raw: bytes, name: str, caps: Caps) -> tuple[list[np.ndarray], list[int]]:
    """Frames on their untrimmed canvas, and durations in ms. Raises `PictureError` naming the bad frame."""
    height, width = sheet.shape[:2]
    entries = _entries(raw, name, caps)
    check_count(len(entries), name, caps)
    frames: list[np.ndarray] = []
    durations: list[int] = []
    for number, entry in enumerate(entries, start=1):
        where = f"{name!r}, frame {number}"
        if entry.get("rotated"):
            raise PictureError(f"{where} was packed rotated. Export the sheet again without rotation.")
        x, y, w, h = _box(entry.get("frame"), where)
        if x < 0 or y < 0 or w < 1 or h < 1 or x + w > width or y + h > height:
            raise PictureError(
                f"{where} lies at {x}, {y} with {w} x {h} px, outside the sheet of {width} x {height} px. "
                "Choose the JSON that was exported with this sheet."
            )
        left, top, _, _ = _box(entry.get("spriteSourceSize", {"x": 0, "y": 0, "w": w, "h": h}), where)
        canvas = entry.get("sourceSize", {"w": w, "h": h})
        canvas_w, canvas_h = _number(canvas, "w", where), _number(canvas, "h", where)
        if left < 0 or top < 0 or left + w > canvas_w or top + h > canvas_h or canvas_w * canvas_h > caps.pixels:
            raise PictureError(f"{where} does not fit its canvas of {canvas_w} x {canvas_h} px. Export it again.")
        if frames and frames[0].shape[:2] != (canvas_h, canvas_w):
            raise PictureError(f"{where} has another canvas size than the first. Export one animation per sheet.")
        if len(entries) * canvas_w * canvas_h * 4 > 2 * caps.frame_bytes:
            raise PictureError(f"{name!r} unpacks to too much memory. Export it at half the size.")
        frame = np.zeros((canvas_h, canvas_w, 4), np.uint8)
        frame[top : top + h, left : left + w] = sheet[y : y + h, x : x + w]
        frames.append(frame)
        duration = entry.get("duration", DEFAULT_MS)
        durations.append(round(duration) if _plain(duration) and 0 < duration < 600_000 else 0)
    return frames, durations


def describes_frames(path: Path, caps: Caps) -> bool:
    """Whether a JSON found beside a picture is its sheet; any other file of that name is none of our business."""
    if path.stat().st_size > caps.sidecar_bytes:
        return False
    try:
        about = json.loads(path.read_bytes())
    except (ValueError, RecursionError):
        return False
    return isinstance(about, dict) and isinstance(about.get("frames"), (dict, list))


def _entries(raw: bytes, name: str, caps: Caps) -> list[dict[str, Any]]:
    if len(raw) > caps.sidecar_bytes:
        raise PictureError(f"{name!r} has {len(raw) // MEGABYTE} MB; no sheet needs that. Choose the sheet's own JSON.")
    try:
        about = json.loads(raw)
    except (ValueError, RecursionError) as error:
        raise PictureError(f"{name!r} is not valid JSON. Export the sheet again.") from error
    frames = about.get("frames") if isinstance(about, dict) else None
    entries = list(frames.values()) if isinstance(frames, dict) else frames
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        raise PictureError(f"{name!r} has no list of frames. Export the sheet from Aseprite as JSON (hash or array).")
    return entries


def _box(box: Any, where: str) -> Box:
    return _number(box, "x", where), _number(box, "y", where), _number(box, "w", where), _number(box, "h", where)


def _number(box: Any, key: str, where: str) -> int:
    value: Any = box.get(key) if isinstance(box, dict) else None
    if not _plain(value) or not -(2**31) < value < 2**31:
        raise PictureError(f"{where} has no number for {key!r}. Export the sheet again.")
    return int(value)


def _plain(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and value == value
