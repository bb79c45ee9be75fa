"""How big an upload may be. A file is hostile until it has been parsed."""

from __future__ import annotations

from dataclasses import dataclass

MEGABYTE = 1 << 20


@dataclass(frozen=True)
class Caps:
    """Limits on what is read from a file; every one has a message with its cure."""

    file_bytes: int = 200 * MEGABYTE
    """Size of the file itself."""
    side: int = 16384
    """Pixels a side that a header may announce."""
    pixels: int = 80_000_000
    """Pixels that a header may announce: more is a decompression bomb."""
    least_side: int = 8
    """Pixels a side that a character needs at least."""
    keep_side: int = 2048
    """Pixels of the longer side that are kept of a picture."""
    frames: int = 240
    """Frames of one animation."""
    frame_bytes: int = 200 * MEGABYTE
    """Decoded bytes of one animation; larger frames are reduced to fit."""
    members: int = 500
    """Files in a zip."""
    ratio: int = 200
    """Unpacked to packed size of a zip member from which it is taken for a bomb."""
    sidecar_bytes: int = 4 * MEGABYTE
    """Size of a sheet's JSON."""

    def frame_side(self, count: int) -> int:
        """Pixels of the longer side that `count` frames may have."""
        return max(16, min(self.keep_side, int((self.frame_bytes / (4 * max(1, count))) ** 0.5)))
