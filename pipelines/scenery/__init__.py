"""What lies behind a character: the plate it leaves, and scenes in layers that scroll."""

from .depth import DEPTH_MODELS, DepthModel, available_depth_models, depth_of
from .loop import loop_sideways, seam
from .plate import fill_plate
from .scene import Layer, Scene
from .split import split_scene

__all__ = [
    "DEPTH_MODELS",
    "DepthModel",
    "Layer",
    "Scene",
    "available_depth_models",
    "depth_of",
    "fill_plate",
    "loop_sideways",
    "seam",
    "split_scene",
]
