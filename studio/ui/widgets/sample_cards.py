"""Training samples as cards: plays on hover, keep or reject, action, caption, verdict."""

from __future__ import annotations

from .widget import Widget


class SampleCards(Widget):
    """Value: `{items: [{id, kind, clip, action, caption, keep, verdict}], actions: [[name, title]], words}`.
    Event `act` carries `{act: "set", id, keep?, action?, caption?}`."""

    stem = "sample_cards"
