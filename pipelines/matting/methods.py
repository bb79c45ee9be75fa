"""The table of cut-out methods: one row and one function each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ..cancel import NEVER, CancelToken
from .backdrop import Backdrop, Colour, measure
from .holes import Holes
from .models import MODELS, model_alpha


@dataclass(frozen=True)
class Order:
    """What a method may look at; see `cut_out` for the meaning of each."""

    picture: np.ndarray
    """uint8 (H, W, 4)"""
    key_colour: Colour | None = None
    strokes: np.ndarray | None = None
    hard_edge: bool = False
    holes: Holes = "auto"
    allow_download: bool = False
    cancel: CancelToken = NEVER
    backdrop: Backdrop | None = None
    """Where the automatic choice has measured it already."""

    @property
    def rgb(self) -> np.ndarray:
        """uint8 (H, W, 3)"""
        return np.ascontiguousarray(self.picture[..., :3])


@dataclass(frozen=True)
class Layer:
    """What a method gives back."""

    rgb: np.ndarray
    """uint8 (H, W, 3)"""
    alpha: np.ndarray
    """uint8 (H, W)"""
    note: str
    confidence: float


@dataclass(frozen=True)
class Method:
    """A row of the table, as the page offers it."""

    name: str
    title: str
    about: str
    run: Callable[[Order], Layer]


def keep_transparency(order: Order) -> Layer:
    """Takes the picture's own alpha; mends a halo only when one is measured."""
    from .transparency import halo, without_halo

    matte = halo(order.picture)
    mended = order.picture if matte is None else without_halo(order.picture, matte)
    about = "" if matte is None else f" A {matte.name} halo at its edge was taken out."
    return Layer(
        mended[..., :3], order.picture[..., 3], f"The picture is transparent already; that was kept.{about}", 1.0
    )


def plain_background(order: Order) -> Layer:
    """Keys a flat or softly graded background."""
    from .key import key

    backdrop = order.backdrop or measure(order.rgb, order.key_colour)
    keyed = key(
        order.rgb,
        backdrop=backdrop,
        strokes=order.strokes,
        hard_edge=order.hard_edge,
        holes=order.holes,
        cancel=order.cancel,
    )
    kind = "plain" if backdrop.order == 0 else "softly graded"
    note = f"The {kind} background (about {_hex(backdrop.colour)}) was removed."
    if keyed.holes_removed:
        note += f" {_count(keyed.holes_removed, 'gap')} inside the figure opened. If a gap should be solid, "
        note += "choose another way to remove the background."
    if keyed.holes_kept:
        note += f" {_count(keyed.holes_kept, 'area')} of the same colour inside the figure kept."
    return Layer(keyed.rgb, keyed.alpha, note, float(np.clip(backdrop.share, 0, 1)))


def drawing_on_paper(order: Order) -> Layer:
    """Finds the lines of a photographed drawing and fills the body."""
    from .drawing import drawing

    alpha, rgb = drawing(order.rgb, order.strokes, order.cancel)
    return Layer(rgb, _bytes(alpha), "Its lines were found and the body that they enclose was filled.", 0.6)


def busy_background(order: Order) -> Layer:
    """Separates figure and scenery by GrabCut."""
    from .grabcut import grabcut
    from .refine import figure_colours

    rgb = order.rgb
    alpha = grabcut(rgb, order.strokes, order.cancel)
    trust = 0.75 * (1 - float(np.concatenate([alpha[0], alpha[:, 0], alpha[:, -1]]).mean()))
    brush = "" if order.strokes is not None else " Paint strokes where it went wrong."
    note = f"The figure was separated from the scenery by colour and place.{brush}"
    return Layer(figure_colours(rgb, alpha), _bytes(alpha), note, trust)


def see_through(order: Order) -> Layer:
    """Unmixes every pixel: light, smoke, glass."""
    from .glow import colour_to_alpha

    backdrop = order.backdrop or measure(order.rgb, order.key_colour)
    field = backdrop.field(*order.picture.shape[:2])
    rgb, alpha = colour_to_alpha(order.rgb, field, floor=max(2.0, 3 * backdrop.noise))
    note = f"The background (about {_hex(backdrop.colour)}) was taken out of every pixel; nothing is solid."
    return Layer(rgb, _bytes(alpha), note, float(np.clip(backdrop.share, 0, 1)))


def learned(name: str) -> Callable[[Order], Layer]:
    """The method that runs the rembg model `name`."""

    def run(order: Order) -> Layer:
        from .refine import figure_colours

        rgb = order.rgb
        alpha = model_alpha(rgb, name, order.allow_download)
        return Layer(figure_colours(rgb, alpha), _bytes(alpha), f"Cut out by {MODELS[name].title}.", 0.85)

    return run


METHODS: dict[str, Method] = {
    m.name: m
    for m in (
        Method("alpha", "Keep transparency", "The picture is cut out already; a halo is mended.", keep_transparency),
        Method("key", "Plain background", "Removes a flat or softly graded background.", plain_background),
        Method("drawing", "Drawing on paper", "Finds pen lines on a photographed sheet.", drawing_on_paper),
        Method("grabcut", "Busy background", "Separates figure and scenery; brush strokes help.", busy_background),
        Method("glow", "Light and smoke", "See-through everywhere: effects on a plain colour.", see_through),
        *(Method(m.name, m.title, f"{m.about} A learned model.", learned(m.name)) for m in MODELS.values()),
    )
}


def _bytes(alpha: np.ndarray) -> np.ndarray:
    return np.round(np.clip(alpha, 0, 1) * 255).astype(np.uint8)


def _hex(colour: Colour) -> str:
    return "#{:02x}{:02x}{:02x}".format(*colour)


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
