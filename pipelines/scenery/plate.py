"""The plate: a picture with its figure taken out and the hole painted over."""

from __future__ import annotations

import numpy as np

from ..errors import PictureError

WORKING_SIDE = 256
"""Pixels of the longer side at which the hole is painted; what is behind a figure is seen in passing."""

GROW = 0.006
"""Share of the longer side by which the hole grows, so that no fringe of the figure stays on the plate."""

GUESS = 5.0
"""How much the first guess has a say against what lies around the hole."""

RADIUS = 5.0

LEVEL = 0.06
"""Share of the height that a shift may climb: floors stay below walls, and skies above hills."""

NEAREST = 6
"""Pixels of the reduced picture below which a shift is no repetition, but the same place."""

OFFSETS = 16
"""Shifts at which the picture repeats itself that are tried for every pixel of the hole."""


def fill_plate(picture: np.ndarray, alpha: np.ndarray) -> np.ndarray:
    """uint8 (H, W, 3): the background of uint8 (H, W, 3 or 4) behind the figure whose alpha is uint8 (H, W).

    Outside the figure every pixel is the picture's own. Raises `PictureError` when the figure leaves nothing.
    """
    rgb = np.ascontiguousarray(picture[..., :3])
    if alpha.shape != rgb.shape[:2]:
        raise PictureError(f"The figure's alpha is {alpha.shape}, the picture {rgb.shape[:2]}; cut it out again.")
    import cv2

    reach = max(1, round(GROW * max(alpha.shape)))
    hole = cv2.dilate((alpha > 0).astype(np.uint8), np.ones((2 * reach + 1,) * 2, np.uint8)) > 0
    return paint_over(rgb, hole)


def paint_over(rgb: np.ndarray, hole: np.ndarray, source: np.ndarray | None = None, copies: bool = True) -> np.ndarray:
    """uint8 (H, W, 3) with bool (H, W) `hole` painted over from around it; see `fill_plate` for errors.

    source bool (H, W): the only pixels that may be looked at; None takes all outside the hole. copies: False leaves it
    at a soft fill, as for a sky.

    Fast marching (Telea 2004) makes a first guess at a reduced size. Then pixels are copied from the shifts at which
    the picture resembles itself (He and Sun 2012, statistics of patch offsets), so that bricks stay bricks.
    """
    import cv2

    known = ~hole if source is None else source & ~hole
    if not known.any():
        raise PictureError("The figure covers the whole picture; there is no background to go by.")
    if not hole.any():
        return rgb.copy()
    height, width = hole.shape
    small = min(1.0, WORKING_SIDE / max(height, width))
    size = (max(2, round(width * small)), max(2, round(height * small)))
    cover = cv2.resize(known.astype(np.float32), size, interpolation=cv2.INTER_AREA)
    little = cv2.resize(rgb * known[..., None].astype(np.float32), size, interpolation=cv2.INTER_AREA)
    # The mean of the known pixels alone: none of the figure bleeds into the reduced copy.
    little = little / np.maximum(cover, 1e-3)[..., None]
    gap = cover < min(0.5, float(cover.max()))
    guess = cv2.inpaint(np.round(little).astype(np.uint8), gap.astype(np.uint8), RADIUS, cv2.INPAINT_TELEA)
    out = cv2.resize(guess, (width, height), interpolation=cv2.INTER_LINEAR).astype(np.float32)
    total = np.full((height, width, 1), 1e-3, np.float32)
    filled = out * total
    for (down, right), region in shares(guess.astype(np.float32), gap, repeats(little, ~gap) if copies else []):
        copy, valid = moved(rgb, known, round(down / small), round(right / small))
        weight = (cv2.resize(region, (width, height)) * valid)[..., None]
        filled, total = filled + weight * copy, total + weight
    filled /= total
    soft = np.clip(cv2.GaussianBlur(hole.astype(np.float32), (0, 0), 1.5) * 2 - 0.2, 0, 1)[..., None]
    return np.where(hole[..., None], np.round(filled * soft + out * (1 - soft)), rgb).astype(np.uint8)


def repeats(picture: np.ndarray, known: np.ndarray) -> list[tuple[int, int]]:
    """Shifts (down, right), best first, at which float (h, w, 3) looks like itself where both ends are known.

    The masked mean squared difference of every shift at once, by Fourier transforms.
    """
    from scipy import fft, ndimage

    height, width = known.shape
    shape = (fft.next_fast_len(2 * height), fft.next_fast_len(2 * width))

    def spectrum(values: np.ndarray) -> np.ndarray:
        return np.asarray(fft.rfft2(values, shape))

    flat = picture - picture[known].mean(axis=0)
    mask = spectrum(known.astype(np.float64))
    square = spectrum((flat**2).sum(axis=2) * known)
    cross = sum(np.abs(spectrum(flat[..., c] * known)) ** 2 for c in range(3))
    error = fft.irfft2(square * mask.conj() + mask * square.conj() - 2 * cross, shape)
    count = fft.irfft2(np.abs(mask) ** 2, shape)
    error = np.where(count > 0.12 * known.sum(), error / np.maximum(count, 1), np.inf)
    error[np.ix_(*(np.abs(fft.fftfreq(n, 1 / n)) < NEAREST for n in shape))] = np.inf
    error[np.abs(fft.fftfreq(shape[0], 1 / shape[0])) > max(2, LEVEL * height)] = np.inf
    lowest = (error == ndimage.minimum_filter(error, 5, mode="wrap")) & np.isfinite(error)
    y, x = np.nonzero(lowest)
    order = np.argsort(error[y, x], kind="stable")[:OFFSETS]
    signed = [fft.fftfreq(n, 1 / n).astype(np.int64) for n in shape]
    return [(int(signed[0][y[i]]), int(signed[1][x[i]])) for i in order]


def shares(
    guess: np.ndarray, gap: np.ndarray, shifts: list[tuple[int, int]]
) -> list[tuple[tuple[int, int], np.ndarray]]:
    """For each shift that is used, how much of every pixel of the gap comes from it: float32 (h, w) 0..1.

    A shift costs what it gets wrong on the known pixels around, carried into the gap; each pixel takes the cheapest.
    """
    import cv2

    around = ~gap
    reach = max(3.0, max(gap.shape) / 24)
    costs = []
    for down, right in shifts:
        copy, valid = moved(guess, around, down, right)
        both = (valid & around).astype(np.float32)
        wrong = ((copy - guess) ** 2).sum(axis=2) * both
        mean = cv2.GaussianBlur(wrong, (0, 0), reach) / np.maximum(cv2.GaussianBlur(both, (0, 0), reach), 1e-4)
        # The deeper in the gap, the less is known: the guess itself has a small say.
        own = cv2.GaussianBlur(((copy - guess) ** 2).sum(axis=2), (0, 0), reach / 2)
        costs.append(np.where(valid, mean + GUESS * own, np.inf))
    if not costs:
        return []
    stack = np.stack(costs)
    best = stack.argmin(axis=0)
    usable = np.isfinite(stack.min(axis=0)) & gap
    out = []
    for number, shift in enumerate(shifts):
        region = ((best == number) & usable).astype(np.float32)
        if region.any():
            out.append((shift, cv2.GaussianBlur(region, (0, 0), 1.0)))
    return out


def moved(picture: np.ndarray, known: np.ndarray, down: int, right: int) -> tuple[np.ndarray, np.ndarray]:
    """What lies `down` and `right` of every pixel, float32 (h, w, 3), and where that is known, bool (h, w)."""
    height, width = known.shape
    y, x = np.arange(height) + down, np.arange(width) + right
    inside = ((y >= 0) & (y < height))[:, None] & ((x >= 0) & (x < width))[None]
    at = np.ix_(y.clip(0, height - 1), x.clip(0, width - 1))
    return picture[at].astype(np.float32), known[at] & inside
