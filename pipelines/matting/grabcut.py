"""Cut-out from a busy background: GrabCut from what the border does not look like, and from where figures stand."""

from __future__ import annotations

import numpy as np

from ..cancel import NEVER, CancelToken
from ..errors import NoFigureError
from .backdrop import ring_width
from .refine import fine_alpha
from .strokes import BACKGROUND, FIGURE, resized

WORKING_SIDE = 448
"""Pixels of the longer side at which GrabCut runs; its edge is refined at a higher resolution afterwards."""

ROUNDS = 6

PINHOLE = 0.008
"""Share of the figure below which an enclosed gap is an eye or a lamp that has the scenery's colours."""

APART = 0.02
"""Share of the longer side from which a piece beside the figure is scenery: a window, a vase. Sparks are nearer."""

BORDER_COLOURS = 10
"""Clusters that describe the border."""


def grabcut(rgb: np.ndarray, strokes: np.ndarray | None = None, cancel: CancelToken = NEVER) -> np.ndarray:
    """float32 (H, W) alpha 0..1 of uint8 (H, W, 3) (Rother, Kolmogorov, Blake 2004; OpenCV).

    Strokes uint8 (H, W): 0 none, 1 background, 2 figure. Raises `NoFigureError` when nothing stands out.
    """
    import cv2

    height, width = rgb.shape[:2]
    small = min(1.0, WORKING_SIDE / max(height, width))
    size = (max(8, round(width * small)), max(8, round(height * small)))
    little = cv2.resize(rgb, size, interpolation=cv2.INTER_AREA)
    marks = first_guess(little)
    brush = resized(strokes, size[1], size[0])
    if brush is not None:
        marks[brush == BACKGROUND] = cv2.GC_BGD
        marks[brush == FIGURE] = cv2.GC_FGD
    wanted = (cv2.GC_FGD, cv2.GC_PR_FGD)
    models = np.zeros((1, 65)), np.zeros((1, 65))
    cv2.setRNGSeed(7)
    for turn in range(ROUNDS):
        cancel.check()
        if not np.isin(marks, wanted).any() or np.isin(marks, wanted).all():
            break
        mode = cv2.GC_INIT_WITH_MASK if turn == 0 else cv2.GC_EVAL
        cv2.grabCut(little, marks, None, models[0], models[1], 1, mode)  # type: ignore[call-overload]
        if turn >= ROUNDS - 2:
            # Now that the colours are known, what lies apart teaches the background's; two more rounds learn it.
            marks[scenery(np.isin(marks, wanted), brush)] = cv2.GC_BGD
    rough = (np.isin(marks, wanted) & ~scenery(np.isin(marks, wanted), brush)).astype(np.uint8)
    solid = cv2.morphologyEx(rough, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    solid = np.where(pinholes(solid > 0, brush), 1, solid)
    if solid.mean() < 0.003:
        raise NoFigureError(
            "No figure stands out from this background. Paint a stroke over the figure, or use art on a plain colour."
        )
    full = cv2.resize(solid.astype(np.float32), (width, height), interpolation=cv2.INTER_LINEAR) > 0.5
    alpha = fine_alpha(rgb, full)
    if strokes is not None:
        alpha = np.where(strokes == FIGURE, 1, np.where(strokes == BACKGROUND, 0, alpha)).astype(np.float32)
    return alpha


def pinholes(figure: np.ndarray, brush: np.ndarray | None) -> np.ndarray:
    """bool (H, W): gaps that bool (H, W) `figure` encloses, too small for a gap between limbs, without a stroke."""
    import cv2

    count, labels, stats, _ = cv2.connectedComponentsWithStats((~figure).astype(np.uint8), connectivity=4)
    small = stats[:, cv2.CC_STAT_AREA] < PINHOLE * figure.sum()
    for side in (labels[0], labels[-1], labels[:, 0], labels[:, -1]):
        small[side] = False
    if brush is not None:
        small[labels[brush == BACKGROUND]] = False
    small[0] = False
    return np.asarray(small[labels]) if count > 1 else figure & False


def scenery(figure: np.ndarray, brush: np.ndarray | None) -> np.ndarray:
    """bool (H, W): pieces of bool (H, W) `figure` that lie apart from the main one and hold no figure stroke.

    The main piece is the one with the most pixels, counted by how near the middle they are.
    """
    import cv2

    height, width = figure.shape
    opened = cv2.morphologyEx(figure.astype(np.uint8), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    count, labels = cv2.connectedComponents(opened, connectivity=8)
    if count <= 2:
        return figure & False
    y, x = np.meshgrid(np.linspace(-1, 1, height), np.linspace(-1, 1, width), indexing="ij")
    weights = np.bincount(labels.ravel(), weights=np.exp(-2 * x**2 - y**2).ravel(), minlength=count)
    weights[0] = 0
    main = labels == int(weights.argmax())
    far = cv2.distanceTransform((~main).astype(np.uint8), cv2.DIST_L2, 3) > APART * max(height, width)
    near = np.bincount(labels.ravel(), weights=(~far).ravel(), minlength=count) > 0
    if brush is not None:
        near[labels[brush == FIGURE]] = True
    near[0] = True
    return np.asarray(figure & ~near[labels])


def first_guess(little: np.ndarray) -> np.ndarray:
    """GrabCut's four-valued mask uint8 (H, W) for uint8 (H, W, 3): how unlike the border, weighted by the centre."""
    import cv2

    height, width = little.shape[:2]
    lab = cv2.cvtColor(little, cv2.COLOR_RGB2LAB).astype(np.float32)
    ring = max(2, 2 * ring_width(height, width))
    edge = np.ones((height, width), dtype=bool)
    edge[ring : height - ring, ring : width - ring] = False
    cv2.setRNGSeed(7)
    stop = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 20, 0.5)
    _, _, centres = cv2.kmeans(lab[edge], BORDER_COLOURS, np.empty(0), stop, 2, cv2.KMEANS_PP_CENTERS)  # type: ignore[call-overload]
    unlike = np.min([np.linalg.norm(lab - centre, axis=2) for centre in centres], axis=0)
    unlike = cv2.GaussianBlur(unlike.astype(np.float32), (0, 0), max(height, width) / 90)
    y, x = np.meshgrid(np.linspace(-1, 1, height), np.linspace(-1, 1, width), indexing="ij")
    centred = np.exp(-1.6 * (x / 0.8) ** 2 - 1.1 * (y / 1.0) ** 2)
    salient = unlike / max(float(np.percentile(unlike, 98)), 1e-3)
    score = np.clip(salient, 0, 1) * (0.35 + 0.65 * centred) + 0.25 * centred
    grey = (np.clip(score, 0, 1) * 255).astype(np.uint8)
    level = float(np.clip(cv2.threshold(grey, 0, 255, cv2.THRESH_OTSU)[0], 70, 150))
    marks = np.where(grey > level, cv2.GC_PR_FGD, cv2.GC_PR_BGD).astype(np.uint8)
    rim = max(1, ring // 3)
    marks[:rim], marks[:, :rim], marks[:, -rim:] = cv2.GC_BGD, cv2.GC_BGD, cv2.GC_BGD
    # Feet often stand on the lower edge.
    marks[-rim:] = np.where(marks[-rim:] == cv2.GC_PR_BGD, cv2.GC_BGD, marks[-rim:])
    return marks
