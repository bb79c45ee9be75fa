"""Which colour to ask for behind a character: the one that is farthest from everything it wears."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..errors import PictureError
from .backdrop import Colour

KEYS: dict[str, Colour] = {
    "green": (0, 255, 0),
    "magenta": (255, 0, 255),
    "blue": (0, 0, 255),
    "cyan": (0, 255, 255),
    "red": (255, 0, 0),
    "yellow": (255, 255, 0),
}
"""Pure colours that models and painters understand by name; best known first, which settles a draw."""

PAINTED = ((1.0, 0), (0.64, 0), (0.64, 40))
"""What becomes of a pure colour when it is painted, as gain and offset: field report 21 asked for #00FF00 and got
(8, 162, 24). A figure must keep away from all of them."""

RISK = 32.0
"""CIELAB distance to a painted key below which paint may go with it."""

NEAREST = 2.0
"""Percentile of the figure's pixels, by distance, that counts as its nearest paint; fewer are grain."""

SAMPLES = 40_000


@dataclass(frozen=True)
class KeyChoice:
    """One key for one character."""

    name: str
    colour: Colour
    distance: float
    """CIELAB distance from the key, as it may be painted, to the nearest paint of the figure; above 32 is safe."""
    at_risk: float
    """Share of the figure, 0..1, that this key could erase or fringe."""

    @property
    def note(self) -> str:
        """What to tell the artist."""
        share = f"{self.at_risk:.1%} of the figure is close to it" if self.at_risk else "nothing of the figure is close"
        return f"{self.name} ({'#{:02x}{:02x}{:02x}'.format(*self.colour)}): {share}."


def rank_keys(art: np.ndarray) -> list[KeyChoice]:
    """All `KEYS` for a cut-out figure uint8 (H, W, 4), safest first: least paint at risk, then farthest away.

    Field report 21: a key fixed in the code erased a teal subject. Raises `PictureError` when nothing is visible.
    """
    seen = art[..., :3][art[..., 3] > 127]
    if not len(seen):
        raise PictureError("The picture is fully transparent, so no key colour can be chosen for it.")
    paint = _lab(seen[np.linspace(0, len(seen) - 1, min(SAMPLES, len(seen))).astype(np.int64)])
    ranked = []
    for name, colour in KEYS.items():
        painted = _lab(np.array([[gain * c + lift for c in colour] for gain, lift in PAINTED]).clip(0, 255))
        away = np.min([np.linalg.norm(paint - one, axis=1) for one in painted], axis=0)
        near = float(np.percentile(away, NEAREST))
        ranked.append(KeyChoice(name, colour, near, float((away < RISK).mean())))
    return sorted(ranked, key=lambda choice: (round(choice.at_risk, 3), -round(choice.distance)))


def choose_key(art: np.ndarray) -> KeyChoice:
    """The safest key for a cut-out figure uint8 (H, W, 4); see `rank_keys`."""
    return rank_keys(art)[0]


def _lab(rgb: np.ndarray) -> np.ndarray:
    """(N, 3) sRGB 0..255 to CIELAB, float32 (N, 3)."""
    import cv2

    return np.asarray(cv2.cvtColor(rgb[None].astype(np.float32) / 255, cv2.COLOR_RGB2LAB)[0])
