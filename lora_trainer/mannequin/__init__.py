"""The data engine: random 3D characters, posed by the motion library, drawn analytically, with their truth."""

from .camera import View, sample_view
from .character import Mannequin, sample_character
from .render import Rendered, clip, render, still
from .shading import Shading, sample_shading
from .stance import stance

__all__ = [
    "Mannequin",
    "Rendered",
    "Shading",
    "View",
    "clip",
    "render",
    "sample_character",
    "sample_shading",
    "sample_view",
    "stance",
    "still",
]
