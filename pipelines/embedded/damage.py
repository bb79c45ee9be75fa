"""What a single still can teach: harm the rig's frame as acting would, and ask for the true still back."""

from __future__ import annotations

import cv2
import numpy as np

from .conditions import Observation


def blobs(size: int, rng: np.random.Generator, share: float) -> np.ndarray:
    """Smooth random regions covering about `share` of the picture; bool (size, size)."""
    field = cv2.resize(rng.standard_normal((6, 6)).astype(np.float32), (size, size), interpolation=cv2.INTER_CUBIC)
    return field > np.quantile(field, 1 - share)


def wobble(size: int, rng: np.random.Generator, reach: float) -> np.ndarray:
    """Smooth random displacement (size, size, 2) in pixels, `reach` at most about."""
    coarse = rng.standard_normal((4, 4, 2)).astype(np.float32) * reach / 2
    return cv2.resize(coarse, (size, size), interpolation=cv2.INTER_CUBIC)


def damaged(seen: Observation, parts: np.ndarray, rng: np.random.Generator) -> Observation:
    """One frame with parts smeared, erased or displaced, its confidence lowered exactly there.

    seen: one frame at rest; parts: int16 (S, S), -1 outside. The target of training is the undamaged frame.
    """
    size = parts.shape[0]
    rig, sure = seen.rig[0].astype(np.float32), seen.confidence[0].copy()
    rig[..., :3] *= rig[..., 3:] / 255
    there = np.unique(parts[parts >= 0])
    hit = np.isin(parts, rng.choice(there, size=max(1, len(there) // 3), replace=False)) if len(there) else parts > 0
    hurt = (hit & blobs(size, rng, 0.6)) | blobs(size, rng, 0.08)
    if rng.random() < 0.5:  # a fold or a fill: smeared colours
        smear = cv2.GaussianBlur(rig, (0, 0), float(rng.uniform(1.5, 4)))
        rig = np.where(hurt[..., None], smear, rig)
    else:  # a hole
        rig = np.where(hurt[..., None], 0, rig)
    sure[hurt] = 0
    if rng.random() < 0.5:  # a limb slightly off its place
        grid = np.stack(np.meshgrid(np.arange(size), np.arange(size)), axis=-1).astype(np.float32)
        where = grid + wobble(size, rng, 1.5)
        rig = cv2.remap(rig, where[..., 0], where[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT)
        sure = np.minimum(sure, 160)
    alpha = rig[..., 3:]
    rig[..., :3] = np.where(alpha > 0, rig[..., :3] * 255 / np.maximum(alpha, 1), 0)
    frame = np.clip(rig.round(), 0, 255).astype(np.uint8)
    jitter = seen.joints.copy()
    jitter[..., :2] += rng.standard_normal(jitter[..., :2].shape).astype(np.float32) * 0.006
    return Observation(
        seen.reference, seen.reference_joints, frame[None], sure[None], jitter, seen.action, seen.facing, seen.phase
    )
