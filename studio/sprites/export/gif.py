"""GIF89a with one palette for all frames (https://www.w3.org/Graphics/GIF/spec-gif89a.txt).

Pillow compresses each frame; the frames are joined here, because its own writer merges equal neighbours, adds up
their times and may give a frame its own palette (field reports 32 and 33).
"""

import struct
from collections.abc import Sequence
from io import BytesIO

import numpy as np
from PIL import Image

from studio.sprites.errors import ExportError
from studio.sprites.frames import OPAQUE, Frames, checked
from studio.sprites.palette import Palette, indexed, shared_palette
from studio.sprites.timing import checked_durations

CLEAR = 255
"""Palette number of the transparent colour; colours use 0 to 254."""

RESTORE_BACKGROUND = 2
"""Disposal: the frame is wiped before the next one, else moving parts leave ghosts."""

SHORTEST = 2
"""Hundredths of a second; browsers play anything shorter at 10 frames per second."""


def gif_durations(durations_ms: Sequence[int]) -> tuple[int, ...]:
    """Milliseconds as a GIF can hold them: multiples of 10, at least 20, the remainder carried to the next frame.

    Time that a frame had to gain is taken from the ones after it, so the action keeps its length within 5 ms unless
    its frames are too short for that.
    """
    out, owed = [], 0
    for duration in checked_durations(durations_ms, len(durations_ms)):
        owed += duration
        ticks = max((owed + 5) // 10, SHORTEST)
        out.append(ticks * 10)
        owed -= ticks * 10
    return tuple(out)


def encode_gif(frames: Frames, durations_ms: Sequence[int], loop: bool, palette: Palette | None = None) -> bytes:
    """``(T, H, W, 4)`` as a file. Alpha from 128 is opaque, below it clear: the format has no soft edges.

    `palette` (at most 255 colours) may be shared with other actions; by default it is made from these frames.
    """
    height, width = checked(frames).shape[1:3]
    if max(width, height) > 65535:
        raise ExportError(f"GIF holds at most 65535 px per side; these frames are {width}x{height} px.")
    palette = shared_palette([frames], CLEAR) if palette is None else palette
    if len(palette) > CLEAR:
        raise ExportError(f"The palette has {len(palette)} colours, but a GIF with clear parts holds {CLEAR}.")
    numbers = np.where(frames[..., 3] >= OPAQUE, indexed(frames, palette), np.uint8(CLEAR))
    table = np.zeros((256, 3), np.uint8)
    table[: len(palette)] = palette
    out = [b"GIF89a", struct.pack("<HHBBB", width, height, 0xF7, CLEAR, 0), table.tobytes()]
    if loop:
        out.append(b"\x21\xff\x0bNETSCAPE2.0\x03\x01\x00\x00\x00")
    for picture, duration in zip(numbers, gif_durations(durations_ms), strict=True):
        out.append(struct.pack("<BBBBHBB", 0x21, 0xF9, 4, RESTORE_BACKGROUND << 2 | 1, duration // 10, CLEAR, 0))
        out.append(struct.pack("<BHHHHB", 0x2C, 0, 0, width, height, 0))
        out.append(_compressed(picture))
    return b"".join([*out, b"\x3b"])


def _compressed(picture: np.ndarray) -> bytes:
    """The LZW code size and data blocks of one ``(H, W)`` picture, cut out of a still GIF."""
    still = Image.fromarray(picture, "P")
    still.putpalette(np.repeat(np.arange(256, dtype=np.uint8), 3).tobytes())
    buffer = BytesIO()
    still.save(buffer, "GIF", optimize=False, interlace=False)
    file = buffer.getvalue()
    at = 13 + 3 * (2 << (file[10] & 7))
    while file[at] == 0x21:  # extensions before the picture
        at = _after_blocks(file, at + 2)
    return file[at + 10 : _after_blocks(file, at + 11)]


def _after_blocks(file: bytes, at: int) -> int:
    """Skip length-prefixed blocks up to and including the empty one."""
    while file[at]:
        at += file[at] + 1
    return at + 1
