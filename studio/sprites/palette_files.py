"""Palettes as files: GIMP .gpl, Lospec .hex and JASC .pal, told apart by what is in them, never by their name."""

import re
from typing import Literal

import numpy as np

from studio.sprites.errors import PaletteError
from studio.sprites.palette import Palette

Kind = Literal["gpl", "hex", "pal"]

BIGGEST = 64 * 1024
"""Bytes of the largest file that is read: 256 colours with long names fit many times."""

MOST = 256
"""Colours of the largest palette."""

_HEX = re.compile(r"#?([0-9a-fA-F]{6})(?:[fF]{2})?\Z")
_TRIPLE = re.compile(r"(\d{1,3})[ \t]+(\d{1,3})[ \t]+(\d{1,3})(?:[ \t].*)?\Z", re.ASCII)


def read_palette(data: bytes) -> Palette:
    """The ``(N, 3)`` colours of a palette file, in its order, each once. The file may come from anybody.

    Raises PaletteError, with the line, for anything that is not a palette of 1 to 256 colours.
    """
    if len(data) > BIGGEST:
        raise PaletteError(f"The palette file has {len(data)} bytes; the limit is {BIGGEST}. Export fewer colours.")
    lines = [line.strip() for line in data.decode("utf-8-sig", errors="replace").splitlines()]
    if not any(lines):
        raise PaletteError("The palette file is empty; export it again as .gpl, .hex or .pal.")
    if lines[0] == "GIMP Palette":
        colours = [_triple(n, line) for n, line in _rows(lines, 1) if not _is_header(line)]
    elif lines[0] == "JASC-PAL":
        colours = [_triple(n, line) for n, line in _rows(lines, 3)]
    else:
        colours = [_hexed(n, line) for n, line in _rows(lines, 0, comment=";")]
    once = list(dict.fromkeys(colours))
    if not 1 <= len(once) <= MOST:
        raise PaletteError(f"The palette file holds {len(once)} different colours; use 1 to {MOST}.")
    return np.array(once, np.uint8)


def write_palette(palette: Palette, kind: Kind, name: str = "Palette") -> bytes:
    """The file of `palette` ``(N, 3)``; `read_palette` gives the same colours back. `name` appears in .gpl only."""
    rows = [tuple(int(v) for v in colour) for colour in palette]
    if kind == "gpl":
        title = " ".join("".join(c if c.isprintable() else " " for c in name).split()) or "Palette"
        body = [f"{r:3d} {g:3d} {b:3d}\t{r:02x}{g:02x}{b:02x}" for r, g, b in rows]
        return "\n".join(["GIMP Palette", f"Name: {title}", "Columns: 8", "#", *body, ""]).encode()
    if kind == "pal":  # Paint Shop Pro wrote Windows line ends, and old readers insist on them
        return "\r\n".join(["JASC-PAL", "0100", str(len(rows)), *(f"{r} {g} {b}" for r, g, b in rows), ""]).encode()
    if kind == "hex":
        return "".join(f"{r:02x}{g:02x}{b:02x}\n" for r, g, b in rows).encode()
    raise PaletteError(f"The palette format '{kind}' is unknown; use gpl, hex or pal.")


def _rows(lines: list[str], skip: int, comment: str = "#") -> list[tuple[int, str]]:
    """Numbered lines with something on them; a .hex line may itself begin with '#', so its comments begin with ';'."""
    return [(n, line) for n, line in enumerate(lines[skip:], skip + 1) if line and not line.startswith(comment)]


def _is_header(line: str) -> bool:
    return line.startswith(("Name:", "Columns:", "Channels:"))


def _triple(number: int, line: str) -> tuple[int, int, int]:
    found = _TRIPLE.match(line)
    values = [int(value) for value in found.groups()] if found else [256]
    if max(values) > 255:
        raise PaletteError(f"Line {number} of the palette file, '{line[:40]}', is not three numbers from 0 to 255.")
    return (values[0], values[1], values[2])


def _hexed(number: int, line: str) -> tuple[int, int, int]:
    found = _HEX.match(line)
    if not found:
        raise PaletteError(f"Line {number} of the palette file, '{line[:40]}', is no colour such as ff8800.")
    code = int(found[1], 16)
    return (code >> 16, code >> 8 & 255, code & 255)
