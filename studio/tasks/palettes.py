"""A palette file that an artist gave, as an order's colours."""

from __future__ import annotations

from pathlib import Path

from pipelines.errors import RequestError

from ..sprites.errors import PaletteError
from ..sprites.palette_files import BIGGEST, read_palette


def palette_of(file: Path | None) -> tuple[tuple[int, int, int], ...]:
    """The colours (r, g, b) of a .gpl, .hex or .pal file; none without a file. Raises RequestError for all else."""
    if file is None:
        return ()
    try:
        with file.open("rb") as opened:
            return tuple((int(r), int(g), int(b)) for r, g, b in read_palette(opened.read(BIGGEST + 1)))
    except OSError as error:
        raise RequestError(
            f"The palette file {file.name} cannot be opened ({error.strerror}); check its name."
        ) from error
    except PaletteError as error:
        raise RequestError(str(error)) from error
