"""Taking a figure off its background."""

from .cutout import Cutout, cut_out
from .methods import METHODS, Method
from .models import MODELS, MattingModel, available_models
from .pixel import looks_like_pixel_art, pixel_scale

__all__ = [
    "METHODS",
    "MODELS",
    "Cutout",
    "MattingModel",
    "Method",
    "available_models",
    "cut_out",
    "looks_like_pixel_art",
    "pixel_scale",
]
