"""A small character drawn in code, anti-aliased, with its true alpha; and backgrounds to put it on."""

from __future__ import annotations

import numpy as np
from PIL import Image, ImageDraw

INK = (24, 22, 40)
SKIN = (236, 188, 150)
CLOTH = (196, 54, 38)
SIDE = 256


def hero(side: int = SIDE, hand_on_hip: bool = True) -> np.ndarray:
    """uint8 (S, S, 4): head, body, legs and a bent arm that encloses a gap; inked outline."""
    big = 4
    image = Image.new("RGBA", (256 * big, 256 * big))
    draw = ImageDraw.Draw(image)

    def scaled(*xy: float) -> list[float]:
        return [v * big for v in xy]

    def shape(kind: str, xy: list[float], fill: tuple[int, int, int]) -> None:
        getattr(draw, kind)(xy, fill=fill, outline=INK, width=5 * big)

    for legs in ((104, 170, 126, 240), (132, 170, 154, 240)):
        shape("rectangle", scaled(*legs), (60, 80, 140))
    shape("rounded_rectangle", [*scaled(96, 96, 160, 180)], CLOTH)
    if hand_on_hip:
        draw.line(scaled(156, 106, 200, 138, 156, 166), fill=INK, width=22 * big, joint="curve")
        draw.line(scaled(156, 106, 200, 138, 156, 166), fill=SKIN, width=12 * big, joint="curve")
    shape("ellipse", scaled(88, 22, 168, 102), SKIN)
    draw.ellipse(scaled(112, 50, 122, 64), fill=(255, 255, 255))
    draw.ellipse(scaled(138, 50, 148, 64), fill=(255, 255, 255))
    out = image.convert("RGBa").resize((side, side), Image.Resampling.BOX).convert("RGBA")
    return np.asarray(out) * (np.asarray(out)[..., 3:] > 0)


def over(art: np.ndarray, background: np.ndarray | tuple[int, ...]) -> np.ndarray:
    """uint8 (H, W, 4) opaque: the art on a colour or a picture."""
    share = art[..., 3:] / 255
    rgb = art[..., :3] * share + np.asarray(background, np.float64) * (1 - share)
    return np.dstack([np.round(rgb).astype(np.uint8), np.full(art.shape[:2], 255, np.uint8)])


def gradient(side: int = SIDE) -> np.ndarray:
    """A smooth field between two colours, slightly curved."""
    y, x = np.mgrid[0:side, 0:side] / side
    return np.stack([240 - 90 * y, 200 - 60 * x * y, 150 + 80 * y - 30 * x], axis=2)


def busy(side: int = SIDE) -> np.ndarray:
    """Foliage: many soft green and brown patches."""
    rng = np.random.default_rng(4)
    image = Image.new("RGB", (side, side), (90, 120, 80))
    draw = ImageDraw.Draw(image)
    for _ in range(500):
        x, y, r = (int(v) for v in (*rng.integers(0, side, 2), rng.integers(3, 16)))
        draw.ellipse(
            [x - r, y - r, x + r, y + r], fill=tuple(int(v) for v in rng.integers((40, 90, 30), (120, 190, 90)))
        )
    return np.asarray(image).astype(np.float64)


def overlap(alpha: np.ndarray, truth: np.ndarray) -> float:
    """Soft intersection over union of two alphas."""
    a, b = alpha.astype(np.float64), truth.astype(np.float64)
    return float(np.minimum(a, b).sum() / np.maximum(a, b).sum())
