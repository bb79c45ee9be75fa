"""The auto-rig: one drawing and its joints become a layered puppet that acts at any size."""

from .draw import RigFrames, draw
from .parts import PARTS, Part, part_map
from .puppet import Puppet, build_puppet

__all__ = ["PARTS", "Part", "Puppet", "RigFrames", "build_puppet", "draw", "part_map"]
