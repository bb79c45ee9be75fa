"""Render the example art: every SVG to a 1024x1024 PNG, the pixel hero, and three pictures to cut out.

Run `python examples/art/render.py` after changing a drawing; it needs resvg_py (PyPI: resvg-py).
"""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
from PIL import Image

HERE = Path(__file__).resolve().parent
SIZE = 1024
CHARACTERS = ("knight", "witch", "robot", "chibi", "mask", "archer")


def rasterise(svg: str, size: int = SIZE) -> Image.Image:
    """SVG text -> straight-alpha RGBA picture (size, size); RGB is 0 where alpha is 0."""
    import resvg_py

    png = bytes(resvg_py.svg_to_bytes(svg_string=svg, width=size, height=size))
    rgba = np.array(Image.open(io.BytesIO(png)).convert("RGBA"))
    rgba[rgba[..., 3] == 0] = 0
    return Image.fromarray(rgba)


def main() -> None:
    """Write all pictures beside this file."""
    for name in CHARACTERS:
        source = HERE / f"{name}.svg"
        if source.exists():
            picture = rasterise(source.read_text(encoding="utf-8"))
            picture.save(HERE / f"{name}.png", optimize=True)


if __name__ == "__main__":
    main()
