"""Taking a figure off its background, in a picture or in every frame of a clip."""

from .cutout import Cutout, cut_out
from .glow import difference_matte
from .key_colour import KeyChoice, choose_key, rank_keys
from .methods import METHODS, Method
from .models import MODELS, MattingModel, available_models
from .moving import ClipCutout, cut_clip
from .pixel import looks_like_pixel_art, pixel_scale

__all__ = [
    "METHODS",
    "MODELS",
    "ClipCutout",
    "Cutout",
    "KeyChoice",
    "MattingModel",
    "Method",
    "available_models",
    "choose_key",
    "cut_clip",
    "cut_out",
    "difference_matte",
    "looks_like_pixel_art",
    "pixel_scale",
    "rank_keys",
]
