"""What lies behind the figure, measured on the picture's border: a smooth colour field, or something busier."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

RING_SHARE = 0.015
"""Width of the measured border, as a share of the shorter side."""

SAMPLES = 20_000
"""Border pixels that the fit looks at; more would not move it."""

SETTLED = 0.02
"""Change of the fit, in 8-bit steps, below which it is done."""

Colour = tuple[int, int, int]


@dataclass(frozen=True)
class Backdrop:
    """A polynomial colour field over the picture: flat, a two-colour gradient, or a soft vignette."""

    coefficients: np.ndarray
    """float64 (terms, 3): sRGB 0..255 as a polynomial in x and y, each -1..1 over the picture."""
    noise: float
    """Robust standard deviation of the border around the field, in 8-bit steps."""
    share: float
    """Share of the border, 0..1, that the field explains."""
    colour: Colour
    """Median colour of the border pixels that the field explains: the painted key."""

    @property
    def order(self) -> int:
        """0 flat, 1 a straight gradient, 2 or 3 curved."""
        return {1: 0, 3: 1, 6: 2, 10: 3}[len(self.coefficients)]

    @property
    def tolerance(self) -> float:
        """RGB distance up to which a pixel still counts as background."""
        return float(np.clip(6.0 + 4.0 * self.noise, 10.0, 44.0))

    def field(self, height: int, width: int) -> np.ndarray:
        """float32 (H, W, 3): the background's colour at every pixel, figure or not."""
        import cv2

        if not self.order:
            return np.broadcast_to(np.clip(self.coefficients[0], 0, 255).astype(np.float32), (height, width, 3))
        small = min(1.0, 128 / max(height, width))
        rows, columns = max(2, round(height * small)), max(2, round(width * small))
        y, x = np.meshgrid(_axis(rows), _axis(columns), indexing="ij")
        coarse = (_terms(x.ravel(), y.ravel(), self.order) @ self.coefficients).reshape(rows, columns, 3)
        return np.clip(cv2.resize(coarse.astype(np.float32), (width, height)), 0, 255)

    def saturation(self) -> float:
        """0..1: how unlikely it is that a figure happens to wear the background's colour."""
        return (max(self.colour) - min(self.colour)) / 255


def measure(rgb: np.ndarray, near: Colour | None = None) -> Backdrop:
    """Fits the field to the border of uint8 (H, W, 3). `near` is the key that was asked for: a hint, since a painter or
    a model rarely paints the exact key (field report 21); border pixels far from it are left out when enough are near.
    """
    height, width = rgb.shape[:2]
    y, x = _ring(height, width)
    colours = rgb[y, x].astype(np.float64)
    keep = np.ones(len(y), dtype=bool)
    if near is not None:
        close = np.linalg.norm(colours - np.asarray(near), axis=1) < 130
        keep = close if close.mean() > 0.05 else keep
    u, v = 2 * (x + 0.5) / width - 1, 2 * (y + 0.5) / height - 1
    fitted = fit(u[keep], v[keep], colours[keep], top_order=2)
    residual = np.linalg.norm(colours - _terms(u, v, fitted.order) @ fitted.coefficients, axis=1)
    inside = residual <= fitted.tolerance
    median = np.median(colours[inside], axis=0) if inside.any() else np.median(colours, axis=0)
    colour = (int(median[0]), int(median[1]), int(median[2]))
    return Backdrop(fitted.coefficients, fitted.noise, float(inside.mean()), colour)


def refine(rgb: np.ndarray, background: np.ndarray, first: Backdrop) -> Backdrop:
    """Fits again, one order higher, to all pixels known to be background (bool (H, W)), so that the middle counts."""
    y, x = np.nonzero(background)
    if (first.order == 0 and first.noise < 1.5) or len(y) < 500:
        return first
    pick = np.linspace(0, len(y) - 1, min(SAMPLES, len(y))).astype(np.int64)
    y, x = y[pick], x[pick]
    u, v = 2 * (x + 0.5) / rgb.shape[1] - 1, 2 * (y + 0.5) / rgb.shape[0] - 1
    better = fit(u, v, rgb[y, x].astype(np.float64), top_order=3)
    return Backdrop(better.coefficients, better.noise, first.share, first.colour)


def fit(x: np.ndarray, y: np.ndarray, colours: np.ndarray, top_order: int) -> Backdrop:
    """Iteratively reweighted least squares with Cauchy weights; the lowest order that explains the samples wins."""
    best: Backdrop | None = None
    for order in range(top_order + 1):
        terms = _terms(x, y, order)
        weights, before = np.ones(len(x)), np.inf
        for _ in range(12):
            root = np.sqrt(weights)[:, None]
            coefficients = np.linalg.lstsq(terms * root, colours * root, rcond=None)[0]
            if np.abs(coefficients - before).max() < SETTLED:
                break
            before = coefficients
            residual = np.linalg.norm(colours - terms @ coefficients, axis=1)
            scale = max(1.0, 1.5 * float(np.median(residual)))
            weights = 1 / (1 + (residual / scale) ** 2)
        noise = float(np.median(residual)) / 1.54
        # 1.54: median length of a 3-vector of unit normal noise
        share = float((residual <= np.clip(6 + 4 * noise, 10, 44)).mean())
        candidate = Backdrop(coefficients, noise, share, (0, 0, 0))
        if best is None or noise < 0.8 * best.noise - 0.2:
            best = candidate
        if best.noise <= 0.25:
            # No higher order can win any more.
            break
    assert best is not None
    return best


def ring_width(height: int, width: int) -> int:
    """Pixels of border that are measured."""
    return max(1, round(RING_SHARE * min(height, width)))


def _ring(height: int, width: int) -> tuple[np.ndarray, np.ndarray]:
    w = ring_width(height, width)
    mask = np.ones((height, width), dtype=bool)
    mask[w : height - w, w : width - w] = False
    y, x = np.nonzero(mask)
    pick = np.linspace(0, len(y) - 1, min(SAMPLES, len(y))).astype(np.int64)
    return y[pick], x[pick]


def _axis(count: int) -> np.ndarray:
    return 2 * (np.arange(count) + 0.5) / count - 1


def _terms(x: np.ndarray, y: np.ndarray, order: int) -> np.ndarray:
    """(N, terms): monomials of total degree up to `order`."""
    return np.stack([x**i * y**j for total in range(order + 1) for i, j in _powers(total)], axis=1)


def _powers(total: int) -> list[tuple[int, int]]:
    return [(total - j, j) for j in range(total + 1)]
