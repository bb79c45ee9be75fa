"""File names from what an artist typed: the same on Windows, macOS and Linux, and never outside the folder."""

import re
import unicodedata
from collections.abc import Iterable
from pathlib import Path

LONGEST = 64
"""Characters kept."""

LONGEST_BYTES = 100
"""UTF-8 bytes kept: two names and their suffixes stay under the 255 bytes that disks allow for a file."""

DEVICES = frozenset(
    ["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$"]
    + [f"{port}{n}" for port in ("COM", "LPT") for n in "0123456789¹²³"]
)
"""Names that Windows keeps for itself, with any extension."""

MARKUP = re.compile(r"</?[A-Za-z][^<>]*>")
"""Tags that came along when a name was copied off a page: ``<b>Wanda</b>`` is called Wanda."""


def safe_name(text: str, fallback: str = "sprite") -> str:
    """One path part without separators, control characters, device names or trailing dots (field report 9).

    Letters and digits of any script stay, and ``@`` for ``hero@2x``; each run of anything that a file system could
    read as syntax becomes one ``_``. ``safe_name(safe_name(x)) == safe_name(x)``.
    """
    plain = MARKUP.sub("", unicodedata.normalize("NFC", text))
    kept = "".join(c if c in "-_.@" or _letter(c) else "\0" for c in plain)
    kept = re.sub("[_\0]*\0[_\0]*", "_", kept)
    kept = _shortened(kept.strip("._ "))
    if not kept or not any(map(_letter, kept)):
        kept = fallback
    return _shortened(f"{fallback}_{kept}") if kept.split(".")[0].upper() in DEVICES else kept


def distinct_names(texts: Iterable[str]) -> list[str]:
    """Safe names, numbered where two would be one file on a disk that ignores case: walk, walk_2."""
    out: list[str] = []
    used: set[str] = set()
    for text in texts:
        base, name, number = safe_name(text), safe_name(text), 2
        while name.casefold() in used:
            name, number = f"{base}_{number}", number + 1
        used.add(name.casefold())
        out.append(name)
    return out


def made(folder: Path) -> Path:
    """Create `folder` if it is missing and return it."""
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def _letter(character: str) -> bool:
    return unicodedata.category(character)[0] in "LNM"


def _shortened(text: str) -> str:
    cut = text[:LONGEST]
    while len(cut.encode("utf-8", "replace")) > LONGEST_BYTES:
        cut = cut[:-1]
    return cut.rstrip("._ ")
