"""Moving pictures of any kind: one door, chosen by what the file really is."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from pipelines.clip import clean
from pipelines.errors import PictureError

from .caps import Caps
from .picture import decoded, fitted, frame_count, opened
from .sniff import HEAD, PICTURES, VIDEOS, kind, read_bytes, refuse

DEFAULT_MS = 100
"""Duration of a frame that carries none: what browsers take, too."""


@dataclass(frozen=True)
class Animation:
    """Frames of one canvas size."""

    frames: np.ndarray
    """uint8 (T, H, W, 4) straight alpha, sRGB; RGB is 0 where alpha is 0."""
    durations_ms: tuple[int, ...]
    """One per frame, at least 1."""
    note: str = ""
    """What was changed or guessed on the way in, for the artist."""


def read_frames(
    path: Path,
    *,
    columns: int | None = None,
    rows: int | None = None,
    sheet: Path | None = None,
    caps: Caps = Caps(),
) -> Animation:
    """Reads GIF, APNG, WebP, MP4, MOV, WebM, a strip or grid sheet, or a zip of pictures.

    columns, rows: the grid of a sheet; None finds it from transparent gutters. sheet: the Aseprite or TexturePacker
    JSON of a sheet; a JSON of the same name beside the picture is taken by itself if it lists frames. Raises
    `PictureError`.
    """
    path = Path(path)
    data = read_bytes(path, caps)
    found = kind(data[:HEAD])
    beside = sheet if sheet is not None else path.with_suffix(".json")
    if found in VIDEOS:
        from .video import video_frames

        return video_frames(data, path.name, VIDEOS[found], caps)
    if found == "zip":
        from .archive import zip_frames

        return zip_frames(data, path.name, caps)
    if found not in PICTURES:
        raise refuse(path.name, found)
    image = opened(data, path.name, caps)
    count = frame_count(image)
    if count > 1:
        return _moving(image, count, path.name, caps)
    rgba, notes = decoded(image, path.name)
    from .aseprite import describes_frames, sheet_frames

    found_beside = columns is None and rows is None and beside.is_file() and describes_frames(beside, caps)
    if sheet is not None or found_beside:
        frames, durations = sheet_frames(rgba, read_bytes(beside, caps), beside.name, caps)
        return animation(frames, durations, path.name, caps, notes)
    from .grid import cut

    frames, about = cut(rgba, columns, rows, path.name, caps)
    return animation(frames, [DEFAULT_MS] * len(frames), path.name, caps, [*notes, *about])


def animation(
    frames: list[np.ndarray] | np.ndarray, durations: list[int], name: str, caps: Caps, notes: list[str]
) -> Animation:
    """Checks, reduces and stacks frames of one size."""
    check_count(len(frames), name, caps)
    side = caps.frame_side(len(frames))
    done = [fitted(frame, side) for frame in frames]
    if len({frame.shape for frame, _ in done}) > 1:
        raise PictureError(f"{name!r} changes its size on the way. Save it again with one canvas size.")
    stacked = clean(np.stack([frame for frame, _ in done]))
    if not stacked[..., 3].any():
        raise PictureError(f"{name!r} is fully transparent in every frame. Show the figure's layer and save it again.")
    unset = sum(duration <= 0 for duration in durations)
    timed = tuple(round(duration) if duration > 0 else DEFAULT_MS for duration in durations)
    guessed = [f"Frames without a duration last {DEFAULT_MS} ms: {unset}."] if unset else []
    return Animation(stacked, tuple(max(1, ms) for ms in timed), " ".join([*notes, *done[0][1], *guessed]))


def check_count(count: int, name: str, caps: Caps) -> None:
    """Raises `PictureError` for no frames or too many."""
    if count < 1:
        raise PictureError(f"{name!r} holds no frames. Save it again.")
    if count > caps.frames:
        raise PictureError(
            f"{name!r} has {count} frames; {caps.frames} are the most. Cut it to one action, or lower its frame rate."
        )


def _moving(image: Any, count: int, name: str, caps: Caps) -> Animation:
    """GIF, APNG or WebP through Pillow, which puts partial frames together (field report 32)."""
    from .colour import to_rgba

    # An APNG may carry a still that is not part of the animation.
    first = 1 if getattr(image, "default_image", False) else 0
    check_count(count - first, name, caps)
    side = caps.frame_side(count - first)
    frames, durations, notes = [], [], []
    for number in range(first, count):
        try:
            image.seek(number)
            image.load()
            rgba, _ = to_rgba(image.copy())
            duration = float(image.info.get("duration", 0) or 0)
        except Exception as error:
            raise PictureError(
                f"{name!r} is damaged from frame {number + 1 - first} of {count - first} on. Save it again."
            ) from error
        small, about = fitted(rgba, side)
        frames.append(small)
        durations.append(round(duration))
        notes = about
    return animation(frames, durations, name, caps, notes)
