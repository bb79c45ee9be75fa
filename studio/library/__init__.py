"""Characters and all that belongs to them, on disk: one folder each, readable without this app."""

from .character import Character
from .clips import ClipRecord
from .samples import Sample
from .store import Library

__all__ = ["Character", "ClipRecord", "Library", "Sample"]
