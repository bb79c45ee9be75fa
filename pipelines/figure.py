"""A drawn figure: cut-out art with its joints, and where it stands in the cell."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .pose.skeleton import INDEX, N_JOINTS, Facing

ANCHOR = (0.5, 0.86)
"""Where the ground point under the pelvis stands in every cell, in cells from the top left."""

BODY_SHARE = 0.62
"""Share of the cell's height that the standing body takes; the rest is room for a raised sword and a jump."""


@dataclass(frozen=True)
class Figure:
    """What the rig and every backend need to know of a character's art. Immutable; arrays are not written to."""

    art: np.ndarray
    """uint8 (H, W, 4) straight alpha, background removed, at the artist's own resolution."""
    joints: np.ndarray
    """float32 (21, 3): x, y in art pixels and a confidence 0..1; 0 means the character has no such joint."""
    facing: Facing = "right"
    pixel_art: bool = False
    """True: nearest-neighbour everywhere, binary alpha, no colour that the art does not have."""
    parts: np.ndarray | None = None
    """int16 (H, W) part map painted by the artist, -1 where automatic; None: all automatic."""
    body_share: float = BODY_SHARE
    """Share of the cell's height that the standing body takes, so that the widest action still fits; see `reach`."""
    weapon: str | None = None
    """Caption word of what the right hand holds ("sword"), or None."""

    def __post_init__(self) -> None:
        if self.art.dtype != np.uint8 or self.art.ndim != 3 or self.art.shape[2] != 4:
            raise ValueError(f"art must be uint8 (H, W, 4), got {self.art.dtype} {self.art.shape}")
        if self.joints.shape != (N_JOINTS, 3):
            raise ValueError(f"joints must be ({N_JOINTS}, 3), got {self.joints.shape}")


@dataclass(frozen=True)
class Placement:
    """Similarity from art pixels to cells: `cell = (art - ground) * scale + ANCHOR`. Decided once per character."""

    scale: float
    """Cells per art pixel."""
    ground: tuple[float, float]
    """Point of the art, in pixels, that stands on the anchor: under the pelvis, on the sole line."""

    def to_cell(self, xy: np.ndarray) -> np.ndarray:
        """(..., 2) art pixels to cells."""
        return ((xy - np.asarray(self.ground)) * self.scale + np.asarray(ANCHOR)).astype(np.float32)

    def to_art(self, xy: np.ndarray) -> np.ndarray:
        """(..., 2) cells to art pixels."""
        return ((xy - np.asarray(ANCHOR)) / self.scale + np.asarray(self.ground)).astype(np.float32)


def sole_line(alpha: np.ndarray) -> float:
    """Row of the ground in pixels: the lowest row that holds at least 2 % of the widest row's coverage.

    Specks below the feet do not count (field report 22).
    """
    rows = (alpha > 127).sum(axis=1)
    wide = np.nonzero(rows >= max(1.0, 0.02 * rows.max(initial=0)))[0]
    return float(wide[-1] + 1) if len(wide) else float(alpha.shape[0])


def place(figure: Figure) -> Placement:
    """The figure's placement: body from crown (or highest opaque row where the crown is unknown) to sole line."""
    alpha = figure.art[..., 3]
    bottom = sole_line(alpha)
    rows = np.nonzero((alpha > 127).any(axis=1))[0]
    crown = figure.joints[INDEX["crown"]]
    top = float(crown[1]) if crown[2] > 0 else float(rows[0]) if len(rows) else 0.0
    pelvis = figure.joints[INDEX["pelvis"]]
    return Placement(figure.body_share / max(bottom - top, 1.0), (float(pelvis[0]), bottom))
