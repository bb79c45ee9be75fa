"""A valley painted in code: sky, pale hills, dark trees that stand alone, a striped ground."""

from __future__ import annotations

import numpy as np
from PIL import Image, ImageDraw

WIDTH, HEIGHT, GROUND = 320, 180, 138
TREES = (30, 95, 150, 215, 280)


def valley() -> np.ndarray:
    """uint8 (180, 320, 3)"""
    big = 2
    y = np.linspace(0, 1, HEIGHT * big)[:, None, None]
    sky = np.broadcast_to(
        np.array([90, 150, 220]) * (1 - y) + np.array([190, 215, 235]) * y, (HEIGHT * big, WIDTH * big, 3)
    )
    image = Image.fromarray(sky.astype(np.uint8))
    draw = ImageDraw.Draw(image)
    x = np.arange(0, WIDTH * big + 1, 2)
    hills = big * (85 + 8 * np.sin(x / 50) + 4 * np.sin(x / 21))
    draw.polygon(
        [(0, HEIGHT * big), *zip(x.tolist(), hills.tolist(), strict=True), (WIDTH * big, HEIGHT * big)], (110, 130, 160)
    )
    for centre in TREES:
        draw.rectangle([big * (centre - 3), big * 100, big * (centre + 3), big * GROUND], (60, 40, 34))
        draw.polygon(
            [(big * centre, big * 52), (big * (centre - 18), big * 112), (big * (centre + 18), big * 112)], (30, 80, 50)
        )
    draw.rectangle([0, big * GROUND, WIDTH * big, HEIGHT * big], (150, 110, 70))
    for left in range(0, WIDTH, 20):
        draw.rectangle([big * left, big * (GROUND + 12), big * (left + 9), big * (GROUND + 20)], (120, 84, 52))
    return np.asarray(image.resize((WIDTH, HEIGHT), Image.Resampling.BOX))
