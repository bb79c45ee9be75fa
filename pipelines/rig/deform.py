"""Backward maps: for every pixel of the picture, which pixel of the layer shows there.

A limb bends at its joints like a fan: around the elbow pixels keep their distance to it, far from the crease they turn rigidly
with their bone, and only a wedge on the outside spreads while the wedge on the inside closes. The map has a closed form in
both directions, so there is no mesh that could tear or fold, and the limb keeps its thickness at every angle.
"""

from __future__ import annotations

import numpy as np

TURN = 2 * np.pi
NARROWEST, WIDEST = 0.4, 1.7
"""Radians: the wedge keeps at least this much on its narrow side, and takes this much on its wide side where there is room."""

SHORTEST, LONGEST = 0.3, 1.8
"""Bounds of the scale along a bone; beyond them a drawing smears."""


def _angle(vector: np.ndarray) -> float:
    return float(np.arctan2(vector[1], vector[0]))


def _scale(posed: np.ndarray, rest: np.ndarray) -> float:
    return float(np.clip(np.hypot(*posed) / max(float(np.hypot(*rest)), 1e-6), SHORTEST, LONGEST))


def rigid(
    rest: np.ndarray, posed: np.ndarray, x: np.ndarray, y: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Bone `rest` (2, 2) placed on `posed` (2, 2): turned, moved, and scaled along its length only."""
    along_rest, along_posed = rest[1] - rest[0], posed[1] - posed[0]
    stretch = _scale(along_posed, along_rest)
    one, two = _angle(along_rest), _angle(along_posed)
    cos, sin = np.cos(two), np.sin(two)
    dx, dy = x - posed[0, 0], y - posed[0, 1]
    along, across = (dx * cos + dy * sin) / stretch, dy * cos - dx * sin
    cos, sin = np.cos(one), np.sin(one)
    trust = np.full(x.shape, min(stretch, 1 / stretch), np.float32)
    return rest[0, 0] + along * cos - across * sin, rest[0, 1] + along * sin + across * cos, trust


def _sector(angle: np.ndarray, shown: float, drawn: float) -> tuple[np.ndarray, np.ndarray]:
    """Drawn angle and trust for shown `angle` in 0..shown: rigid margins, and a wedge that spreads or closes between them."""
    narrow, wide = min(shown, drawn), max(shown, drawn)
    margin = max(0.0, min((narrow - NARROWEST) / 2, (wide - WIDEST) / 2))
    across, source = max(shown - 2 * margin, 1e-3), max(drawn - 2 * margin, 1e-3)
    part = np.clip((angle - margin) / across, 0, 1)
    # Cubic with the slope of a rigid turn at both ends, kept monotone (Fritsch and Carlson 1980).
    slope = min(across, 3 * source)
    wedge = part * (slope + part * (3 * source - 3 * slope + part * (2 * slope - 2 * source)))
    mapped = np.where(angle < margin, angle, np.where(angle > shown - margin, angle - shown + drawn, margin + wedge))
    strain = min(across / source, source / across)
    trust = np.where((part > 0) & (part < 1), max(strain, 0.15), 1.0)
    return mapped, trust


def fan(
    rest: np.ndarray, posed: np.ndarray, x: np.ndarray, y: np.ndarray, scales: tuple[float, float]
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Joint `rest[1]` between bones to `rest[0]` and `rest[2]`, shown as `posed` (3, 2), each bone with its scale."""
    upper, lower = rest[0] - rest[1], rest[2] - rest[1]
    start, begin = _angle(upper), _angle(posed[0] - posed[1])
    drawn = (_angle(lower) - start) % TURN
    shown = (_angle(posed[2] - posed[1]) - begin) % TURN
    dx, dy = x - posed[1, 0], y - posed[1, 1]
    radius = np.hypot(dx, dy)
    angle = (np.arctan2(dy, dx) - begin) % TURN
    one, trust_one = _sector(angle, shown, drawn)
    two, trust_two = _sector(angle - shown, TURN - shown, TURN - drawn)
    first = angle <= shown
    source = start + np.where(first, one, two + drawn)
    trust = np.where(first, trust_one, trust_two)
    sx, sy = radius * np.cos(source), radius * np.sin(source)
    for bone, scale in ((upper, scales[0]), (lower, scales[1])):
        if abs(scale - 1) > 1e-4:
            unit = bone / max(float(np.hypot(*bone)), 1e-6)
            push = np.maximum(sx * unit[0] + sy * unit[1], 0) * (1 / scale - 1)
            sx, sy = sx + push * unit[0], sy + push * unit[1]
            trust = trust * min(scale, 1 / scale)
    return rest[1, 0] + sx, rest[1, 1] + sy, trust.astype(np.float32)


def bend(
    rest: np.ndarray, posed: np.ndarray, x: np.ndarray, y: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Source x, y and trust (0..1) of shown points x, y for a chain of two or more joints, all in the same pixels."""
    if len(rest) == 2:
        return rigid(rest, posed, x, y)
    scales = [_scale(posed[k + 1] - posed[k], rest[k + 1] - rest[k]) for k in range(len(rest) - 1)]
    x, y, trust = fan(rest[:3], posed[:3], x, y, (scales[0], scales[1]))
    for k in range(2, len(rest) - 1):
        # Bones before this one already lie as drawn; the next is turned along with them.
        turn = _angle(rest[k] - rest[k - 1]) - _angle(posed[k] - posed[k - 1])
        cos, sin = np.cos(turn), np.sin(turn)
        bone = posed[k + 1] - posed[k]
        turned = rest[k] + np.array([bone[0] * cos - bone[1] * sin, bone[0] * sin + bone[1] * cos])
        x, y, more = fan(rest[k - 1 : k + 2], np.stack([rest[k - 1], rest[k], turned]), x, y, (1.0, scales[k]))
        trust = trust * more
    return x, y, trust
