"""One door to every way of taking a figure off its background."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ..cancel import NEVER, CancelToken
from ..clip import clean
from ..errors import NoFigureError, PictureError, RequestError
from .backdrop import Colour, measure
from .drawing import looks_like_paper
from .holes import Holes
from .methods import METHODS, Layer, Order
from .pixel import looks_like_pixel_art
from .specks import keep_largest
from .strokes import checked, resized
from .transparency import is_cut_out

SMOOTH_SHARE = 0.72
"""Share of the border that a smooth colour field must explain for `auto` to key; a figure may stand on the border."""

SMOOTH_NOISE = 6.0
"""Grain, in 8-bit steps, up to which `auto` keys."""

PAPER_NOISE = 1.2
"""Grain from which a pale background is photographed paper rather than a painted one."""

WORKING_SIDE = 2048
"""Pixels of the longer side above which the mask is found on a reduced copy and carried back."""

LEAST_SHARE = 5e-4
"""Share of the picture that must be left for a cut-out to count."""


UNTOUCHED = ("alpha", "glow")
"""Methods whose specks are meant: the artist's own alpha, and sparks."""


@dataclass(frozen=True)
class Cutout:
    """A figure without its background."""

    art: np.ndarray
    """uint8 (H, W, 4) straight alpha, the size of the picture; RGB is 0 where alpha is 0."""
    method: str
    """The method that did it; never "auto"."""
    note: str
    """What was done and why, for the artist."""
    confidence: float
    """0..1: below 0.5 the artist should look closely."""


def cut_out(
    picture: np.ndarray,
    method: str = "auto",
    *,
    key_colour: Colour | None = None,
    strokes: np.ndarray | None = None,
    hard_edge: bool | None = None,
    holes: Holes = "auto",
    allow_download: bool = False,
    cancel: CancelToken = NEVER,
) -> Cutout:
    """Takes the figure of uint8 (H, W, 4) off its background.

    method: "auto" or a key of `METHODS`. key_colour: sRGB of the background as it was asked for; the painted key is
    measured near it. strokes uint8 (H, W): 0 none, 1 background, 2 figure. hard_edge: alpha 0 or 255 only; None decides
    by looking for pixel art. holes: "keep" or "remove" overrides the judgement on enclosed background colour.
    Raises `PictureError`, `RequestError`, `NoFigureError`, `MissingWeightsError`, `Cancelled`.
    """
    if picture.dtype != np.uint8 or picture.ndim != 3 or picture.shape[2] != 4 or min(picture.shape[:2]) < 2:
        raise PictureError(f"A cut-out needs an RGBA picture of at least 2 x 2 px; this one is {picture.shape}.")
    if method != "auto" and method not in METHODS:
        raise RequestError(f"There is no cut-out method {method!r}. Use one of: auto, {', '.join(METHODS)}.")
    if not picture[..., 3].any():
        raise PictureError("The picture is fully transparent. Save it again with the figure visible.")
    height, width = picture.shape[:2]
    hard = looks_like_pixel_art(picture) if hard_edge is None else hard_edge
    marks = checked(strokes, (height, width))
    order = Order(picture, key_colour, marks, hard, holes, allow_download, cancel)
    reason = ""
    if method == "auto":
        method, reason, order = choose(order)
    layer = run_capped(method, order)
    cancel.check()
    alpha = np.minimum(layer.alpha, picture[..., 3])
    if hard:
        alpha = np.where(alpha > 127, 255, 0).astype(np.uint8)
    specks = 0
    if method not in UNTOUCHED:
        alpha, specks = keep_largest(alpha)
    if (alpha > 127).sum() < max(4, LEAST_SHARE * alpha.size):
        raise NoFigureError(
            f"Nothing was left after the cut-out by {METHODS[method].title!r}. "
            "Choose another method, or paint a stroke over the figure."
        )
    note = f"{reason}{layer.note}{f' Specks removed: {specks}.' if specks else ''}"
    return Cutout(clean(np.dstack([layer.rgb, alpha])), method, note, layer.confidence)


def choose(order: Order) -> tuple[str, str, Order]:
    """The method for a picture, why, and the order with what was measured on the way."""
    if is_cut_out(order.picture):
        return "alpha", "", order
    backdrop = measure(order.rgb, order.key_colour)
    measured = replace(order, backdrop=backdrop)
    smooth = backdrop.share >= SMOOTH_SHARE and backdrop.noise <= SMOOTH_NOISE
    if not (smooth and backdrop.noise < PAPER_NOISE) and looks_like_paper(order.rgb):
        return "drawing", "This looks like a drawing photographed on paper. ", measured
    if smooth:
        return "key", "", measured
    return "grabcut", f"Only {backdrop.share:.0%} of the border is one smooth colour: a busy background. ", measured


def run_capped(method: str, order: Order) -> Layer:
    """Runs a method at most at `WORKING_SIDE`; opaque pixels keep the picture's own full-resolution colours."""
    import cv2

    height, width = order.picture.shape[:2]
    small = WORKING_SIDE / max(height, width)
    if small >= 1 or method == "alpha":
        return METHODS[method].run(order)
    size = (max(2, round(width * small)), max(2, round(height * small)))
    down, up = (cv2.INTER_NEAREST,) * 2 if order.hard_edge else (cv2.INTER_AREA, cv2.INTER_LINEAR)
    little = replace(
        order,
        picture=cv2.resize(order.picture, size, interpolation=down),
        strokes=resized(order.strokes, size[1], size[0]),
    )
    layer = METHODS[method].run(little)
    alpha = cv2.resize(layer.alpha, (width, height), interpolation=up)
    # The picture's own colour is right only where no background shines through, neither here nor one step around.
    own = cv2.erode(alpha, np.ones((3, 3), np.uint8)) == 255
    rgb = cv2.resize(layer.rgb, (width, height), interpolation=up)
    return replace(layer, rgb=np.where(own[..., None], order.picture[..., :3], rgb), alpha=alpha)
