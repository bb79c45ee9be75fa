"""The uploaded picture against its cut-out, under one slider."""

from __future__ import annotations

from .widget import Widget


class CutoutCompare(Widget):
    """Value: `{before, after, width, height, pixel}` with picture URLs, or None."""

    stem = "cutout_compare"
