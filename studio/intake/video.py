"""MP4, MOV and WebM through PyAV, with alpha where VP8 or VP9 carry it."""

from __future__ import annotations

import io
from itertools import pairwise
from typing import Any

import numpy as np

from pipelines.errors import PictureError

from .caps import Caps
from .frames import Animation, animation, check_count
from .picture import fitted

ALPHA_DECODERS = {"vp9": "libvpx-vp9", "vp8": "libvpx"}
"""FFmpeg's own VP8 and VP9 decoders drop the alpha layer; libvpx keeps it."""


def video_frames(data: bytes, name: str, demuxer: str, caps: Caps) -> Animation:
    """All frames of the first video stream. Raises `PictureError`."""
    import av

    try:
        with av.open(io.BytesIO(data), format=demuxer) as container:
            frames, durations, notes = _decode(container, name, caps)
    except PictureError:
        raise
    except Exception as error:
        # av raises its own errors, ValueError, EOFError and more on damaged files.
        raise PictureError(
            f"{name!r} is a video that cannot be decoded. Save it again as MP4 (H.264) or WebM (VP9)."
        ) from error
    return animation(frames, durations, name, caps, notes)


def _decode(container: Any, name: str, caps: Caps) -> tuple[list[np.ndarray], list[int], list[str]]:
    if not container.streams.video:
        raise PictureError(f"{name!r} has no picture track, only sound. Choose the video.")
    stream = container.streams.video[0]
    _check_size(stream.codec_context, name, caps)
    announced = stream.frames or int(float(stream.average_rate or 0) * _seconds(container, stream))
    side = caps.frame_side(min(announced, caps.frames) if announced > 0 else caps.frames)
    alpha = str(stream.metadata.get("alpha_mode", stream.metadata.get("ALPHA_MODE", "0"))) == "1"
    frames: list[np.ndarray] = []
    times: list[float] = []
    notes: list[str] = []
    for frame in _stream(container, stream, alpha):
        if len(frames) == caps.frames:
            check_count(max(announced, caps.frames + 1), name, caps)
        _check_size(frame, name, caps)
        rgba = frame.to_ndarray(format="rgba")
        turns = round(int(getattr(frame, "rotation", 0)) / 90) % 4
        small, notes = fitted(np.ascontiguousarray(np.rot90(rgba, turns)), side)
        frames.append(small)
        times.append(float(frame.time) if frame.time is not None else -1.0)
    check_count(len(frames), name, caps)
    return frames, _durations(times, float(stream.average_rate or 0)), notes


def _check_size(sized: Any, name: str, caps: Caps) -> None:
    width, height = sized.width, sized.height
    if max(width, height) > caps.side or width * height > caps.pixels:
        raise PictureError(f"{name!r} is {width} x {height} px; that is too large. Save it at 1080 px or less.")


def _stream(container: Any, stream: Any, alpha: bool) -> Any:
    """Decoded frames, through libvpx when the stream has an alpha layer."""
    import av

    decoder = ALPHA_DECODERS.get(stream.codec_context.name)
    if not (alpha and decoder in av.codecs_available):
        yield from container.decode(stream)
        return
    context: Any = av.CodecContext.create(str(decoder), "r")
    for packet in container.demux(stream):
        for frame in context.decode(packet if packet.size else None):
            if frame.time_base is None:
                frame.time_base = packet.time_base
            yield frame


def _seconds(container: Any, stream: Any) -> float:
    if stream.duration and stream.time_base:
        return float(stream.duration * stream.time_base)
    return float(container.duration or 0) / 1e6


def _durations(times: list[float], rate: float) -> list[int]:
    """Milliseconds from presentation times; rounding never accumulates, the last frame lasts like the one before."""
    usual = 1000 / rate if rate > 0 else 0.0
    if len(times) < 2 or min(times) < 0 or sorted(times) != times:
        return [round(usual)] * len(times)
    ends = [round(1000 * (t - times[0])) for t in times]
    steps = [b - a for a, b in pairwise(ends)]
    return [*steps, round(usual) if usual else steps[-1]]
