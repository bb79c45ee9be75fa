"""Held things that go on behind the hand."""

from __future__ import annotations

import numpy as np


def staff(depth: np.ndarray, hand: np.ndarray, tip: np.ndarray, thick: float, elbow: np.ndarray) -> np.ndarray:
    """Axis points (2, 2) of a held thing that goes on beyond the hand (staff, spear, bow), from one end to the other.

    The hand need not lie on it exactly: lines near the one from tip to hand are tried, and the longest thin one is
    taken. Empty where the thing ends at the hand.
    """
    reach = float(np.hypot(*(hand - tip)))
    along_it = (hand - tip) / max(reach, 1e-6)
    side = np.array([-along_it[1], along_it[0]])
    arm = (elbow - hand) / max(float(np.hypot(*(elbow - hand))), 1e-6)
    aside = np.array([-arm[1], arm[0]])
    shares = np.arange(0.3, 2.0, 1.0 / max(reach, 8.0))
    shifts, slopes = np.meshgrid(np.linspace(-0.14, 0.14, 13), np.linspace(-0.2, 0.2, 11))
    direction = along_it + slopes.reshape(-1, 1, 1) * side
    lines = tip + shares[:, None] * reach * direction + shifts.reshape(-1, 1, 1) * reach * side  # (L, N, 2)
    column, row = np.floor(lines).astype(int).transpose(2, 0, 1)
    inside = (column >= 0) & (column < depth.shape[1]) & (row >= 0) & (row < depth.shape[0])
    deep = np.where(inside, depth[np.where(inside, row, 0), np.where(inside, column, 0)], 0)
    thin = (deep > 0) & (deep < 1.7 * thick + 1)
    before, after = shares < 0.8, shares > 1.25
    offset = lines[:, after] - hand
    # What runs up the forearm is the forearm.
    clear = np.abs(offset @ aside) > 0.8 * (offset @ arm)
    beyond = np.concatenate([thin[:, after] & clear, np.zeros((len(lines), 1), bool)], 1)
    length = beyond.argmin(1)
    # It ends in the air or at the edge of the picture; what runs into the body is not a staff.
    end = np.concatenate([deep[:, after], np.zeros((len(lines), 1))], 1)[np.arange(len(lines)), length]
    weight = np.where(beyond[:, :-1], deep[:, after], 0).sum(1) * 0.1 + length
    fits = (thin[:, before].mean(1) > 0.9) & (length > 0.25 * reach) & (end <= 0)
    if not fits.any():
        return np.zeros((0, 2))
    best = int(np.argmax(np.where(fits, weight, -1)))
    return lines[best][[0, int((~after).sum()) + int(length[best]) - 1]]
