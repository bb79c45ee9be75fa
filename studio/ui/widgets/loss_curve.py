"""The falling loss of a running training, and the pictures it has made so far."""

from __future__ import annotations

from .widget import Widget


class LossCurve(Widget):
    """Value: `{points: [[step, loss]], total, previews: [{step, url}], words: {title, empty}}`."""

    stem = "loss_curve"
