"""What the last frames left behind: a ring of hidden states, read by attention (R84, R95, R101, R102, R125, R129)."""

from __future__ import annotations

import numpy as np

LEAST, USUAL, MOST = 4, 8, 16


class History:
    """The first state after a reset is the anchor and stays; the newest `length - 1` others follow it.

    Anchoring the memory to the first frame is what keeps long play from drifting (R120): whatever the newest frames
    say, the reference is always among what is read.
    """

    def __init__(self, length: int = USUAL) -> None:
        if not LEAST <= length <= MOST:
            raise ValueError(f"the history holds {LEAST} to {MOST} frames; got {length}")
        self.length = length
        self._states: list[np.ndarray] = []
        self.weights: np.ndarray = np.zeros(0, np.float32)
        """float32 (n,) of the last `read`, anchor first; sums to 1."""

    def __len__(self) -> int:
        return len(self._states)

    @property
    def states(self) -> np.ndarray:
        """float32 (n, C, h, w), anchor first, newest last; (0,) before the first push."""
        return np.stack(self._states) if self._states else np.zeros(0, np.float32)

    def push(self, hidden: np.ndarray) -> None:
        """Remembers a state (C, h, w); the oldest one behind the anchor goes when the ring is full."""
        if self._states and hidden.shape != self._states[0].shape:
            raise ValueError(f"hidden states are {self._states[0].shape} here; got {hidden.shape}")
        if len(self._states) == self.length:
            del self._states[1]
        self._states.append(np.ascontiguousarray(hidden, np.float32))

    def read(self, query: np.ndarray) -> np.ndarray:
        """float32 (C, h, w): the states mixed by scaled dot-product attention of `query` (Vaswani et al. 2017).

        States and query are centred and scaled to unit length first, so that a bright state does not outvote a
        similar one. Zeros before the first push.
        """
        if not self._states:
            return np.zeros_like(query, np.float32)
        states = self.states
        flat = _unit(states.reshape(len(states), -1))
        score = flat @ _unit(query.reshape(1, -1))[0] * np.sqrt(query.shape[0])
        weight = np.exp(score - score.max())
        self.weights = (weight / weight.sum()).astype(np.float32)
        return np.tensordot(self.weights, states, 1)

    def reanchor(self) -> None:
        """Forgets everything but the anchor."""
        del self._states[1:]


def _unit(rows: np.ndarray) -> np.ndarray:
    centred = rows - rows.mean(1, keepdims=True)
    return centred / np.maximum(np.linalg.norm(centred, axis=1, keepdims=True), 1e-6)
