"""Pictures that are cut out already: keep the alpha, mend only a halo that is really there."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Matte:
    """A colour that the edge pixels were blended with although they also carry alpha."""

    name: str
    level: int


MATTES = (Matte("dark", 0), Matte("light", 255))


def is_cut_out(picture: np.ndarray) -> bool:
    """True when uint8 (H, W, 4) has a transparent surrounding, not merely a transparent corner or a soft watermark."""
    clear = picture[..., 3] < 16
    edge = np.concatenate([clear[0], clear[-1], clear[:, 0], clear[:, -1]])
    return bool(clear.mean() >= 0.02 and edge.mean() >= 0.25)


def halo(picture: np.ndarray) -> Matte | None:
    """The matte baked into the soft edge pixels, or None (field report 18).

    Each is compared with the nearest opaque pixel, its likely true colour F: straight alpha stores F,
    a baked matte M stores `alpha * F + (1 - alpha) * M`.
    """
    from scipy import ndimage

    alpha = picture[..., 3]
    y, x = np.nonzero((alpha > 24) & (alpha < 216))
    if len(y) < 12 or not (alpha >= 250).any():
        return None
    pick = np.linspace(0, len(y) - 1, min(8000, len(y))).astype(np.int64)
    y, x = y[pick], x[pick]
    nearest = ndimage.distance_transform_edt(alpha < 250, return_distances=False, return_indices=True)
    figure = picture[nearest[0, y, x], nearest[1, y, x], :3].astype(np.float64)
    seen = picture[y, x, :3].astype(np.float64)
    share = alpha[y, x, None] / 255.0
    straight = np.abs(seen - figure).mean()
    for matte in MATTES:
        baked = share * figure + (1 - share) * matte.level
        # A matte bounds what the pixel can be: premultiplied colour never exceeds alpha.
        room = seen - (1 - share) * matte.level
        possible = ((room >= -3) & (room <= 255 * share + 3)).all(axis=1).mean()
        if straight > 10 and possible > 0.98 and np.abs(seen - baked).mean() < 0.5 * straight:
            return matte
    return None


def without_halo(picture: np.ndarray, matte: Matte) -> np.ndarray:
    """Solves `seen = alpha * F + (1 - alpha) * M` for F at every pixel of uint8 (H, W, 4)."""
    share = np.maximum(picture[..., 3:], 1) / np.float32(255)
    figure = (picture[..., :3] - (1 - share) * matte.level) / share
    return np.concatenate([np.clip(np.round(figure), 0, 255).astype(np.uint8), picture[..., 3:]], axis=2)
