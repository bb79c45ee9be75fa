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


def pixel_grid(text: str) -> Image.Image:
    """hero.txt -> RGBA picture: lines `key = RRGGBB name`, a blank line, then one character a pixel."""
    legend, grid = text.split("\n\n", 1)
    colours = {".": (0, 0, 0, 0)}
    for line in legend.splitlines():
        if not line.startswith("#"):
            key, _, code = line.split()[:3]
            colours[key] = (*bytes.fromhex(code), 255)
    rows = [[colours[key] for key in row] for row in grid.split()]
    return Image.fromarray(np.array(rows, dtype=np.uint8))


def gradient(top: tuple[int, int, int], bottom: tuple[int, int, int]) -> Image.Image:
    """Soft diagonal two-colour gradient, RGB (SIZE, SIZE)."""
    y, x = np.mgrid[0:SIZE, 0:SIZE] / (SIZE - 1)
    t = (0.8 * y + 0.2 * x)[..., None]
    rgb = np.array(top) * (1 - t) + np.array(bottom) * t
    return Image.fromarray(rgb.round().astype(np.uint8))


def compose(character: Image.Image, background: Image.Image) -> Image.Image:
    """Character over an opaque background, RGB: what an artist uploads who has no cut-out."""
    return Image.alpha_composite(background.convert("RGBA"), character).convert("RGB")


def main() -> None:
    """Write all pictures beside this file."""
    drawn = {name: rasterise((HERE / f"{name}.svg").read_text(encoding="utf-8")) for name in CHARACTERS}
    workshop = rasterise((HERE / "workshop.svg").read_text(encoding="utf-8"))
    pictures = {
        **drawn,
        "hero": pixel_grid((HERE / "hero.txt").read_text(encoding="utf-8")),
        "knight_on_white": compose(drawn["knight"], Image.new("RGB", (SIZE, SIZE), "white")),
        "witch_on_gradient": compose(drawn["witch"], gradient((250, 214, 165), (120, 150, 190))),
        "robot_on_busy": compose(drawn["robot"], workshop),
    }
    for name, picture in pictures.items():
        picture.save(HERE / f"{name}.png", optimize=True)


if __name__ == "__main__":
    main()
