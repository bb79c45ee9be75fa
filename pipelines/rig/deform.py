"""Backward maps: for every pixel of the picture, which pixel of the layer shows there.

A limb bends at its joints like a fan: around the elbow pixels keep their distance to it, far from the crease they
turn rigidly with their bone, and only a wedge on the outside spreads while the wedge on the inside closes. The map
has a closed form in both directions, so there is no mesh that could tear or fold, and the limb keeps its thickness
at every angle.
"""

from __future__ import annotations

import numpy as np

TURN = 2 * np.pi
NARROWEST, WIDEST = 0.4, 1.7
"""Radians: the wedge keeps at least this much on its narrow side, and takes this much on its wide side where there
is room."""

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


def _sector(angle: np.ndarray, shown: float, drawn: float, needed: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Drawn angle and trust for shown `angle` in 0..shown: rigid margins, and a wedge that spreads or closes between
    them.

    `needed`: margin that the limb's own width takes up at each pixel; where the sector is too narrow for it, the two
    bones meet in a crease.
    """
    narrow, wide = min(shown, drawn), max(shown, drawn)
    margin = max(0.0, min((narrow - NARROWEST) / 2, (wide - WIDEST) / 2))
    margins = np.clip(needed, margin, max(margin, (narrow - 0.2) / 2))
    across, source = np.maximum(shown - 2 * margins, 1e-3), np.maximum(drawn - 2 * margins, 1e-3)
    part = np.clip((angle - margins) / across, 0, 1)
    # Cubic with the slope of a rigid turn at both ends, kept monotone (Fritsch and Carlson 1980).
    slope = np.minimum(across, 3 * source)
    wedge = part * (slope + part * (3 * source - 3 * slope + part * (2 * slope - 2 * source)))
    mapped = np.where(angle < margins, angle, np.where(angle > shown - margins, angle - shown + drawn, margins + wedge))
    strain = np.minimum(across / source, source / across)
    return mapped, np.where((part > 0) & (part < 1), np.maximum(strain, 0.15), 1.0)


def fan(
    posed: np.ndarray, bone: np.ndarray, x: np.ndarray, y: np.ndarray, width: float, reach: float
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Straightens one joint: `posed` (3, 2) are the joint and its neighbours as shown, `bone` (2,) is the outer bone
    as it would lie were the joint bent as drawn. The inner bone stays where it is.

    Pixels further than `reach` from the joint belong to the inner side.
    """
    begin = _angle(posed[0] - posed[1])
    drawn = (_angle(bone) - begin) % TURN
    shown = (_angle(posed[2] - posed[1]) - begin) % TURN
    dx, dy = x - np.float32(posed[1, 0]), y - np.float32(posed[1, 1])
    radius = np.hypot(dx, dy)
    angle = (np.arctan2(dy, dx) - np.float32(begin)) % np.float32(TURN)
    needed = 1.15 * np.arctan2(np.float32(width), radius)
    first = angle <= shown
    one, trust_one = _sector(angle, shown, drawn, needed)
    two, trust_two = _sector(angle - np.float32(shown), TURN - shown, TURN - drawn, needed)
    source = np.where(first, one, two + np.float32(drawn)) + np.float32(begin)
    trust = np.where(first, trust_one, trust_two)
    sx, sy = radius * np.cos(source), radius * np.sin(source)
    scale = _scale(posed[2] - posed[1], bone)
    if abs(scale - 1) > 1e-4:
        unit = (bone / max(float(np.hypot(*bone)), 1e-6)).astype(np.float32)
        push = np.maximum(sx * unit[0] + sy * unit[1], 0) * np.float32(1 / scale - 1)
        sx, sy = sx + push * unit[0], sy + push * unit[1]
        trust = np.where(push != 0, trust * min(scale, 1 / scale), trust)
    near = radius < reach
    return (
        np.where(near, sx + np.float32(posed[1, 0]), x),
        np.where(near, sy + np.float32(posed[1, 1]), y),
        np.where(near, trust, 1.0).astype(np.float32),
    )


def bend(
    rest: np.ndarray, posed: np.ndarray, width: float, margin: float, x: np.ndarray, y: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Source x, y and trust (0..1) of shown points x, y for a chain of two or more joints, all in the same pixels.

    Joints are straightened from the outermost inwards; `width` is the half thickness of the limb, `margin` how
    far it goes on beyond its last joint.
    """
    trust = np.ones(x.shape, np.float32)
    lengths = np.hypot(*np.diff(rest, axis=0).T)
    for k in range(len(rest) - 2, 0, -1):
        turn = _angle(posed[k] - posed[k - 1]) - _angle(rest[k] - rest[k - 1])
        cos, sin = np.cos(turn), np.sin(turn)
        drawn = rest[k + 1] - rest[k]
        bone = np.array([drawn[0] * cos - drawn[1] * sin, drawn[0] * sin + drawn[1] * cos])
        x, y, more = fan(posed[k - 1 : k + 2], bone, x, y, width, float(lengths[k:].sum()) + margin)
        trust = trust * more
    x, y, last = rigid(rest[:2], posed[:2], x, y)
    return x, y, trust * last
