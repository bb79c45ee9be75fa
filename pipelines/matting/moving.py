"""The one door for clips: every frame cut out by one method, on one background, with one judgement on gaps."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from ..cancel import NEVER, CancelToken
from ..clip import clean
from ..errors import NoFigureError, PictureError, RequestError
from . import key
from .backdrop import Colour, measure
from .cutout import choose, cut_out
from .holes import Holes
from .methods import METHODS, Order
from .pixel import looks_like_pixel_art
from .specks import keep_largest
from .temporal import one_backdrop, steady, vote

THREADS = 4


@dataclass(frozen=True)
class ClipCutout:
    """The frames of a clip without their background."""

    frames: np.ndarray
    """uint8 (T, H, W, 4) straight alpha; RGB is 0 where alpha is 0."""
    method: str
    """The method for all frames; never "auto"."""
    note: str
    empty: tuple[int, ...]
    """Frames in which no figure was found; they are fully transparent."""


def cut_clip(
    frames: np.ndarray,
    method: str = "auto",
    *,
    key_colour: Colour | None = None,
    hard_edge: bool | None = None,
    holes: Holes = "auto",
    loop: bool = False,
    allow_download: bool = False,
    cancel: CancelToken = NEVER,
) -> ClipCutout:
    """Takes the figure of uint8 (T, H, W, 4) off its background, without flicker.

    Settings as in `cut_out`; they, and what "auto" decides from the middle frame, hold for every frame. loop: the
    first frame follows the last. Raises what `cut_out` raises; `NoFigureError` only when every frame is empty.
    """
    if frames.dtype != np.uint8 or frames.ndim != 4 or frames.shape[3] != 4 or not len(frames):
        raise PictureError(f"A clip needs uint8 RGBA frames (T, H, W, 4); got {frames.dtype} {frames.shape}.")
    if method != "auto" and method not in METHODS:
        raise RequestError(f"There is no cut-out method {method!r}. Use one of: auto, {', '.join(METHODS)}.")
    middle = frames[len(frames) // 2]
    hard = looks_like_pixel_art(middle) if hard_edge is None else hard_edge
    reason = ""
    if method == "auto":
        method, reason, _ = choose(Order(middle, key_colour, cancel=cancel))
    if method == "key":
        cut, note = _keyed(frames, key_colour, hard, holes, loop, cancel)
    else:
        cut, note = _one_by_one(frames, method, key_colour, hard, holes, loop, allow_download, cancel)
    empty = tuple(i for i, frame in enumerate(cut) if not (frame[..., 3] > 127).any())
    if not cut.any():
        raise NoFigureError(f"Nothing was left of any frame by {METHODS[method].title!r}. Choose another method.")
    missing = f" No figure in frame {', '.join(str(i + 1) for i in empty)}." if empty else ""
    return ClipCutout(cut, method, f"{reason}{note}{missing}", empty)


def _keyed(
    frames: np.ndarray, key_colour: Colour | None, hard: bool, holes: Holes, loop: bool, cancel: CancelToken
) -> tuple[np.ndarray, str]:
    rgb = np.ascontiguousarray(frames[..., :3])

    def judged(number: int) -> key.Areas:
        cancel.check()
        return key.areas(rgb[number], backdrops[number], None, holes)

    def cut(number: int) -> np.ndarray:
        cancel.check()
        art, alpha = key.edges(rgb[number], found[number], opened[number], None, hard)
        alpha = keep_largest(np.minimum(alpha, frames[number, ..., 3]))[0]
        return np.dstack([art, alpha])

    numbers = range(len(frames))
    with ThreadPoolExecutor(THREADS) as pool:
        backdrops = one_backdrop(list(pool.map(lambda number: measure(rgb[number], key_colour), numbers)))
        found = list(pool.map(judged, numbers))
        opened = vote([one.enclosed for one in found], [one.opened for one in found], loop)
        cuts = np.stack(list(pool.map(cut, numbers)))
    kept = clean(steady(rgb, cuts, max(one.noise for one in backdrops), loop))
    colour = "#{:02x}{:02x}{:02x}".format(*backdrops[0].colour)
    drift = len({one.colour for one in backdrops}) > 1
    return kept, f"The background (about {colour}{', drifting' if drift else ''}) was removed from every frame."


def _one_by_one(
    frames: np.ndarray,
    method: str,
    key_colour: Colour | None,
    hard: bool,
    holes: Holes,
    loop: bool,
    allow_download: bool,
    cancel: CancelToken,
) -> tuple[np.ndarray, str]:
    cut, note = np.zeros_like(frames), ""
    for number, frame in enumerate(frames):
        try:
            one = cut_out(
                frame,
                method,
                key_colour=key_colour,
                hard_edge=hard,
                holes=holes,
                allow_download=allow_download,
                cancel=cancel,
            )
        except (NoFigureError, PictureError):
            continue
        cut[number], note = one.art, note or one.note
    # The picture's own alpha is the artist's; only a guessed one flickers.
    seen = np.ascontiguousarray(frames[..., :3])
    return cut if method == "alpha" else clean(steady(seen, cut, loop=loop)), note
