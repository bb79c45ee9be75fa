"""Animated lossless WebP (https://developers.google.com/speed/webp/docs/riff_container).

Pillow compresses each frame; the frames are joined here, because the library's animation writer drops equal
neighbours even when lossless (Pillow issue 8720, field report 32).
"""

import struct
from collections.abc import Iterator, Sequence
from io import BytesIO

from PIL import Image

from studio.sprites.errors import ExportError
from studio.sprites.frames import Frames, checked
from studio.sprites.timing import checked_durations

ANIMATION, ALPHA = 0x02, 0x10
REPLACE = 0x02
"""Frame flag: do not blend over the frame before."""

LARGEST = 16383
"""Greatest side of a WebP picture in px."""


def encode_webp(frames: Frames, durations_ms: Sequence[int], loop: bool) -> bytes:
    """``(T, H, W, 4)`` as a file; every frame is whole and replaces the one before."""
    count, height, width, _ = checked(frames).shape
    durations = checked_durations(durations_ms, count)
    if max(width, height) > LARGEST:
        raise ExportError(f"WebP holds at most {LARGEST} px per side; these frames are {width}x{height} px.")
    size = _u24(width - 1) + _u24(height - 1)
    body = [
        _chunk(b"VP8X", struct.pack("<I", ANIMATION | ALPHA) + size),
        _chunk(b"ANIM", struct.pack("<IH", 0, 0 if loop else 1)),
    ]
    for frame, duration in zip(frames, durations, strict=True):
        place = _u24(0) + _u24(0) + size + _u24(duration) + bytes([REPLACE])
        body.append(_chunk(b"ANMF", place + _chunk(b"VP8L", _still(frame))))
    content = b"WEBP" + b"".join(body)
    return b"RIFF" + struct.pack("<I", len(content)) + content


def _still(frame: Frames) -> bytes:
    """The lossless bit stream of one picture."""
    buffer = BytesIO()
    Image.fromarray(frame, "RGBA").save(buffer, "WEBP", lossless=True, exact=True, quality=60, method=2)
    return next(data for kind, data in _chunks(buffer.getvalue()) if kind == b"VP8L")


def _chunks(file: bytes) -> Iterator[tuple[bytes, bytes]]:
    at = 12
    while at < len(file):
        kind, (length,) = file[at : at + 4], struct.unpack_from("<I", file, at + 4)
        yield kind, file[at + 8 : at + 8 + length]
        at += 8 + length + length % 2


def _chunk(kind: bytes, data: bytes) -> bytes:
    return kind + struct.pack("<I", len(data)) + data + b"\0" * (len(data) % 2)


def _u24(value: int) -> bytes:
    return struct.pack("<I", value)[:3]
