"""A smear frame: the fast limb drawn through all the places it passed since the last drawing."""

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw
from scipy import ndimage
from scipy.spatial import ConvexHull, QhullError

from studio.sprites.errors import TimingError
from studio.sprites.frames import Frames, Mask, body, checked, premultiplied, straight, zero_hidden

SMALL = 0.02
"""Swept area, as a share of the body, below which nothing moved fast enough to smear."""

BIT = 0.25
"""Parts of the difference smaller than this share of its largest are shading and hems, not the limb."""


def smear(frames: Frames, index: int, soft: bool = True) -> Frames:
    """``(T, H, W, 4)`` in which frame `index` (1 to T - 1) trails its motion since the frame before.

    What left its place and what arrived span the sweep; it is filled, behind the body, with the colours of what
    arrived. `soft` fades it towards where the motion began (painted art); else it is solid with an edge broken up
    into streaks along the sweep (pixel art, which has no half-seen pixels). A body that stands still stays as it is.
    """
    checked(frames)
    if not 1 <= index < len(frames):
        raise TimingError(
            f"Frame {index} cannot be smeared: a smear needs the frame before; use 1 to {len(frames) - 1}."
        )
    before, now = body(frames[index - 1]), body(frames[index])
    left, arrived = before & ~now, now & ~before
    out = frames.copy()
    swept = _swept(left, arrived) & ~now
    if swept.sum() < SMALL * max(int(now.sum()), 1):
        return out
    near_new, where = ndimage.distance_transform_edt(~arrived, return_indices=True)
    near_old = ndimage.distance_transform_edt(~left)
    fresh = near_old / np.maximum(near_old + near_new, 1e-9)  # 1 where the limb is now, 0 where it was
    trail = frames[index][where[0], where[1]]
    trail[..., 3] = np.where(swept, _opacity(fresh, near_new, soft), 0.0).astype(np.uint8)
    out[index] = _under(frames[index], trail, soft)
    return out


def _swept(left: Mask, arrived: Mask) -> Mask:
    """The area between what left and what arrived, as their common convex hull; small bits do not widen it."""
    parts = [part for part in (_main(left), _main(arrived)) if part is not None]
    if len(parts) < 2:
        return np.zeros_like(left)
    y, x = np.nonzero(parts[0] | parts[1])
    points = np.stack([x, y], axis=1)
    try:
        hull = points[ConvexHull(points).vertices]
    except QhullError:  # all on one line: nothing is spanned
        return np.zeros_like(left)
    picture = Image.new("1", (left.shape[1], left.shape[0]))
    ImageDraw.Draw(picture).polygon([(int(px), int(py)) for px, py in hull], fill=1)
    return np.asarray(picture)


def _main(mask: Mask) -> Mask | None:
    labels, count = ndimage.label(mask, structure=np.ones((3, 3), int))
    if count == 0:
        return None
    sizes = np.bincount(labels.ravel())
    sizes[0] = 0
    found: Mask = (sizes >= BIT * sizes.max())[labels] & mask
    return found


def _opacity(fresh: NDArray[np.float64], distance: NDArray[np.float64], soft: bool) -> NDArray[np.float64]:
    if soft:
        return np.asarray(200.0 * fresh)
    streaks = np.where(distance.astype(int) % 4 < 2, 0.35, 0.6)
    return np.where(fresh > streaks, 255.0, 0.0)


def _under(front: Frames, back: Frames, soft: bool) -> Frames:
    """`front` over `back`, both ``(H, W, 4)``; without `soft` only whole pixels are taken."""
    if not soft:
        return zero_hidden(np.where(front[..., 3:] == 0, back, front))
    top = premultiplied(front)
    return straight(top + premultiplied(back) * (1.0 - top[..., 3:] / 255.0))
