"""How much a clip moves, measured on small premultiplied pictures so that hidden colours never count."""

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.distance import cdist

from studio.sprites.frames import Frames, premultiplied

SIGNATURE = 48
"""Side in px of the pictures that are compared; more resolution did not change any decision, only the time."""


def signatures(frames: Frames) -> NDArray[np.float32]:
    """``(T, K)`` area-averaged premultiplied colours in 0..1; K is at most ``SIGNATURE**2 * 4``."""
    count, height, width, _ = frames.shape
    rows = np.unique(np.linspace(0, height, min(height, SIGNATURE), endpoint=False).astype(int))
    columns = np.unique(np.linspace(0, width, min(width, SIGNATURE), endpoint=False).astype(int))
    area = np.outer(np.diff(np.append(rows, height)), np.diff(np.append(columns, width)))[..., None]
    small = np.empty((count, len(rows), len(columns), 4), np.float32)
    for t, frame in enumerate(frames):  # one frame at a time: a float copy of a long clip would not fit
        sums = np.add.reduceat(np.add.reduceat(premultiplied(frame), rows, axis=0), columns, axis=1)
        small[t] = sums / (area * 255.0)
    return small.reshape(count, -1)


def distances(frames: Frames) -> NDArray[np.float64]:
    """``(T, T)`` mean absolute difference of every pair of frames, 0 (equal) to 1."""
    flat = signatures(frames)
    return np.asarray(cdist(flat, flat, "cityblock") / flat.shape[1])


def steps(distance: NDArray[np.float64]) -> NDArray[np.float64]:
    """``(T - 1,)`` differences of neighbouring frames, from the matrix of `distances`."""
    return np.diagonal(distance, offset=1).copy()
