"""The sheet's pictures as PNG files, shared by every target that refers to them."""

from io import BytesIO
from pathlib import Path

from PIL import Image

from studio.sprites.export.names import made, safe_name
from studio.sprites.frames import Frames
from studio.sprites.sheet import Sheet


def page_names(sheet: Sheet, name: str) -> list[str]:
    """``hero.png``, or ``hero-0.png``, ``hero-1.png`` ... when the sheet has several pages."""
    stem = safe_name(name)
    if len(sheet.pages) == 1:
        return [f"{stem}.png"]
    return [f"{stem}-{number}.png" for number in range(len(sheet.pages))]


def write_pages(sheet: Sheet, folder: Path, name: str) -> list[Path]:
    """Write every page and return the paths in page order."""
    paths = [made(folder) / page for page in page_names(sheet, name)]
    for path, page in zip(paths, sheet.pages, strict=True):
        path.write_bytes(png(page))
    return paths


def png(picture: Frames) -> bytes:
    """``(H, W, 4)`` as a PNG file without metadata; RGB under alpha 0 is kept."""
    buffer = BytesIO()
    Image.fromarray(picture, "RGBA").save(buffer, "PNG", compress_level=6)
    return buffer.getvalue()
