"""The packed sheet, page by page."""

from __future__ import annotations

from .widget import Widget


class AtlasView(Widget):
    """Value: `{pages: [{url, width, height}], strips: [{title, url}], pixel, words}` or None."""

    stem = "atlas_view"
