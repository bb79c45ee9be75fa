"""Animated PNG (https://www.w3.org/TR/png-3/#apng-frame-based-animation).

Pillow compresses each frame; the frames are joined here, because its own writer merges equal neighbours and so
changes their count (field report 32).
"""

import struct
import zlib
from collections.abc import Iterator, Sequence

from studio.sprites.export.pages import png
from studio.sprites.frames import Frames, checked
from studio.sprites.timing import checked_durations

SIGNATURE = b"\x89PNG\r\n\x1a\n"


def encode_apng(frames: Frames, durations_ms: Sequence[int], loop: bool) -> bytes:
    """``(T, H, W, 4)`` as a file; every frame is whole and replaces the one before."""
    count, height, width, _ = checked(frames).shape
    durations = checked_durations(durations_ms, count)
    header = struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0)
    out = [SIGNATURE, _chunk(b"IHDR", header), _chunk(b"acTL", struct.pack(">II", count, 0 if loop else 1))]
    number = 0
    for t, (frame, duration) in enumerate(zip(frames, durations, strict=True)):
        control = struct.pack(">IIIIIHHBB", number, width, height, 0, 0, duration, 1000, 0, 0)
        out.append(_chunk(b"fcTL", control))
        number += 1
        for data in _pixels(png(frame)):
            if t == 0:
                out.append(_chunk(b"IDAT", data))
            else:
                out.append(_chunk(b"fdAT", struct.pack(">I", number) + data))
                number += 1
    return b"".join([*out, _chunk(b"IEND", b"")])


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def _pixels(file: bytes) -> Iterator[bytes]:
    """The contents of the IDAT chunks of a still PNG."""
    at = len(SIGNATURE)
    while at < len(file):
        (length,) = struct.unpack_from(">I", file, at)
        if file[at + 4 : at + 8] == b"IDAT":
            yield file[at + 8 : at + 8 + length]
        at += 12 + length
