"""What the training changed: the same action without and with the look, the numbers, one plain sentence."""

from __future__ import annotations

from .widget import Widget


class ProofCard(Widget):
    """Value: `{off, on, numbers: [{label, value, hint}], sentence, kind, warnings, words}` or None."""

    stem = "proof_card"
