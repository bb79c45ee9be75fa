"""Whether live play still shows the character that it began with (R120)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

LEVELS = 4
"""Steps a colour channel is counted in; 4 x 4 x 4 colours."""

OPENING = 100
"""Frames that tell what is usual for this character."""

PATIENCE = 12
"""Frames in a row that must stray before the session starts afresh: a swung sword is no drift."""

LEAST = 0.04
"""Drift below this is never strayed, however quiet the opening was."""


@dataclass(frozen=True)
class Drift:
    """Distance of one frame from the reference, each 0 (alike) to 1."""

    palette: float
    """Share of opaque pixels whose colour would have to change for the two colour tables to match."""
    alpha: float
    """Difference in the share of half-transparent pixels: outlines that dissolve."""

    @property
    def worst(self) -> float:
        return max(self.palette, self.alpha)


def colours(frame: np.ndarray) -> np.ndarray:
    """float (64,): how much of the opaque picture each coarse colour takes; sums to 1, or 0 where nothing is opaque."""
    shown = frame[frame[..., 3] > 127][:, :3].astype(np.int64) * LEVELS // 256
    table = np.bincount((shown @ (LEVELS**2, LEVELS, 1)), minlength=LEVELS**3).astype(float)
    return table / max(table.sum(), 1)


def softness(frame: np.ndarray) -> float:
    """Share of the visible pixels that are neither clear nor solid."""
    alpha = frame[..., 3]
    visible = (alpha > 8).sum()
    return float(((alpha > 8) & (alpha < 247)).sum() / max(visible, 1))


class DriftWatch:
    """Compares every frame with the reference and says when play must be re-anchored."""

    def __init__(self, reference: np.ndarray) -> None:
        """`reference`: uint8 (S, S, 4), the character as drawn, in its cell."""
        self._colours, self._softness = colours(reference), softness(reference)
        self._opening: list[Drift] = []
        self._strayed = 0
        self.anchored = 0
        """How often play was re-anchored."""

    def see(self, frame: np.ndarray) -> tuple[Drift, bool]:
        """Drift of a frame, and whether it is time to go back to the anchor."""
        drift = Drift(float(np.abs(colours(frame) - self._colours).sum() / 2), abs(softness(frame) - self._softness))
        if len(self._opening) < OPENING:
            self._opening.append(drift)
            return drift, False
        far = any(
            getattr(drift, name) > max(2 * np.mean([getattr(one, name) for one in self._opening]), LEAST)
            for name in ("palette", "alpha")
        )
        self._strayed = self._strayed + 1 if far else 0
        if self._strayed < PATIENCE:
            return drift, False
        self._strayed = 0
        self.anchored += 1
        return drift, True
