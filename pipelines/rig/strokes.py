"""Strokes on masks, and how thick the art is along them."""

from __future__ import annotations

import cv2
import numpy as np


def stroke(shape: tuple[int, ...], points: np.ndarray, radius: float) -> np.ndarray:
    canvas = np.zeros(shape, np.uint8)
    path = np.round(points * 16).astype(np.int32).reshape(-1, 1, 2)
    cv2.polylines(canvas, [path], False, 1, max(1, round(2 * radius)), cv2.LINE_8, 4)
    return canvas.astype(bool)


def along(start: np.ndarray, end: np.ndarray, first: float, last: float, count: int = 24) -> np.ndarray:
    return start + (end - start) * np.linspace(first, last, count)[:, None]


def thickness(depth: np.ndarray, points: np.ndarray, share: float) -> float:
    """Quantile of the distance to the silhouette along points; 0 where they all lie outside."""
    column = np.clip(np.round(points[:, 0]).astype(int), 0, depth.shape[1] - 1)
    row = np.clip(np.round(points[:, 1]).astype(int), 0, depth.shape[0] - 1)
    inside = depth[row, column]
    inside = inside[inside > 0]
    return float(np.quantile(inside, share)) if len(inside) else 0.0
