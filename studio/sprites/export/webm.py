"""WebM with VP9 and an alpha plane, for pages and video editors (https://www.webmproject.org/docs/container/).

Colour is stored as YUV with half-size chroma, so pixels come back near, not equal; sheets and WebP are lossless.
Chromium and Firefox show the alpha; the file says nothing of loops, the player does.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from io import BytesIO
from typing import TYPE_CHECKING

import numpy as np

from studio.sprites.errors import ExportError
from studio.sprites.frames import Frames, checked
from studio.sprites.timing import checked_durations
from studio.sprites.trim import bleed

if TYPE_CHECKING:
    from av import VideoFrame

LARGEST = 16384
"""Greatest side that encoders are sure to take, in px."""

REACH = 4
"""Px of edge colour under transparency: half-size chroma would mix black into every edge."""

QUALITY = {"crf": "18", "b": "0", "deadline": "realtime", "cpu-used": "8", "auto-alt-ref": "0", "threads": "1"}
"""One thread and no hidden frames: the same clip gives the same bytes, and alpha frames pair with colour frames. The
slower presets take five times as long for a quarter less.
"""


def encode_webm(frames: Frames, durations_ms: Sequence[int], loop: bool) -> bytes:
    """``(T, H, W, 4)`` as a file; odd sides grow by one transparent px, because chroma covers 2x2."""
    import av

    count, height, width, _ = checked(frames).shape
    durations = checked_durations(durations_ms, count)
    if max(width, height) > LARGEST:
        raise ExportError(f"WebM holds at most {LARGEST} px per side; these frames are {width}x{height} px.")
    padded = np.pad(frames, ((0, 0), (0, height % 2), (0, width % 2), (0, 0)))
    buffer = BytesIO()
    with av.open(buffer, "w", format="webm", options={"fflags": "+bitexact"}) as file:
        stream = file.add_stream("libvpx-vp9", rate=1000, options=QUALITY)
        stream.width, stream.height, stream.pix_fmt = padded.shape[2], padded.shape[1], "yuva420p"
        stream.time_base = stream.codec_context.time_base = Fraction(1, 1000)
        stream.codec_context.flags |= av.codec.context.Flags.bitexact
        stream.metadata["alpha_mode"] = "1"
        starts = [sum(durations[:n]) for n in range(count)]
        length = dict(zip(starts, durations, strict=True))  # the encoder forgets it, and the last frame would flash by
        for pixels, start in [*zip(padded, starts, strict=True), (None, 0)]:
            picture = None if pixels is None else _picture(pixels, start)
            for packet in stream.encode(picture):
                packet.duration = length[packet.pts or 0]
                file.mux(packet)
    return buffer.getvalue()


def _picture(pixels: Frames, start_ms: int) -> VideoFrame:
    """``(H, W, 4)`` as a YUV picture with alpha, shown from `start_ms`."""
    from av import VideoFrame

    picture = VideoFrame.from_ndarray(bleed(pixels, REACH), "rgba").reformat(format="yuva420p")
    picture.pts, picture.time_base = start_ms, Fraction(1, 1000)
    return picture
