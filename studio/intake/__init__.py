"""Uploads: hostile files until they are parsed."""

from studio.sprites.export.names import safe_name

from .caps import Caps
from .frames import Animation, read_frames
from .picture import Picture, read_picture

__all__ = ["Animation", "Caps", "Picture", "read_frames", "read_picture", "safe_name"]
