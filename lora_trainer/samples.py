"""Stored pictures and animations of a character, made into training samples in its own cell."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from PIL import Image, ImageSequence, UnidentifiedImageError

from pipelines.backend import TrainingSample
from pipelines.clip import clean
from pipelines.errors import PictureError
from pipelines.figure import ANCHOR, BODY_SHARE, Figure, Placement, place, sole_line
from pipelines.pose.skeleton import INDEX, PARENT, PoseTrack

FPS = 12.0
"""Frame rate that animated samples are brought to unless told otherwise: the rate of the motion library's actions."""

_FEET = [INDEX[name] for name in ("l_ankle", "r_ankle", "l_toe", "r_toe")]
_BONES = [
    (INDEX[name], PARENT[INDEX[name]])
    for name in ("chest", "neck", "head", "l_elbow", "r_elbow", "l_knee", "r_knee", "l_ankle", "r_ankle")
]
"""Bones whose lengths tell the scale: those that every costume leaves alone."""


def resample(durations_ms: Sequence[float], fps: float) -> np.ndarray:
    """Which source frame each frame of a uniform track at `fps` shows: int (T,).

    Frame k shows what the source shows in the middle of k's time, so every change comes within half a frame of
    its own time and the length is kept within half a frame (field report 11). Raises `PictureError` for a duration
    that is not positive.
    """
    durations = np.asarray(durations_ms, dtype=np.float64)
    if not len(durations) or not np.isfinite(durations).all() or (durations <= 0).any():
        raise PictureError("A frame of the animation lasts no time; export it again with a duration for every frame.")
    ends = np.cumsum(durations)
    count = max(1, int(np.floor(ends[-1] * fps / 1000 + 0.5)))
    middles = (np.arange(count) + 0.5) * 1000 / fps + 1e-6  # one that falls on a change takes the later frame
    return np.minimum(np.searchsorted(ends, middles, side="right"), len(durations) - 1)


def placement_of(frames: np.ndarray, joints: np.ndarray | None, figure: Figure) -> Placement:
    """One placement for the whole sample, so that a jump stays a jump.

    `frames` uint8 (T, H, W, 4); `joints` (T, 21, 3) in its pixels with confidence. With joints the bones get the
    lengths that they have in the character's own cell; without, the tallest frame stands as tall as the art does.
    """
    if joints is not None:
        scale = _bone_scale(joints, figure)
        pelvis = joints[:, INDEX["pelvis"]]
        seen = pelvis[:, 2] > 0
        if scale is not None and seen.any():
            feet = np.where(joints[:, _FEET, 2] > 0, joints[:, _FEET, 1], -np.inf).max(axis=1)  # (T,) lowest joint
            standing = int(feet.argmax())
            return Placement(scale, (float(pelvis[seen.argmax(), 0]), sole_line(frames[standing, ..., 3])))
    solid = frames[..., 3] > 127
    rows = [np.nonzero(mask.any(axis=1))[0] for mask in solid]
    ground = max(sole_line(mask * np.uint8(255)) for mask in solid)
    height = max((float(row[-1] - row[0] + 1) for row in rows if len(row)), default=float(frames.shape[1]))
    columns = np.nonzero(solid[0].any(axis=0))[0]
    middle = float(np.nonzero(solid[0])[1].mean()) + 0.5 if len(columns) else frames.shape[2] / 2
    return Placement(_drawn_share(figure) / height, (middle, ground))


def _bone_scale(joints: np.ndarray, figure: Figure) -> float | None:
    """Cells per sample pixel. A bone's longest sight over time is taken: in any one frame it may be foreshortened."""
    own = figure.joints
    ratios = []
    for joint, parent in _BONES:
        if min(own[joint, 2], own[parent, 2]) <= 0:
            continue
        seen = np.minimum(joints[:, joint, 2], joints[:, parent, 2]) > 0
        if seen.any():
            length = float(np.percentile(np.linalg.norm((joints[:, joint] - joints[:, parent])[seen, :2], axis=1), 90))
            if length > 1e-3:
                ratios.append(float(np.linalg.norm((own[joint] - own[parent])[:2])) / length)
    return float(np.median(ratios)) * place(figure).scale if len(ratios) >= 3 else None


def _drawn_share(figure: Figure) -> float:
    """Height of the whole drawing in the character's cell: hat and raised sword included, as in a bare silhouette."""
    rows = np.nonzero((figure.art[..., 3] > 127).any(axis=1))[0]
    return float(rows[-1] - rows[0] + 1) * place(figure).scale if len(rows) else BODY_SHARE


def fit_to_cell(frame: np.ndarray, placement: Placement, size: int, pixel_art: bool = False) -> np.ndarray:
    """uint8 (H, W, 4) drawn into the square cell: uint8 (size, size, 4), transparent around, RGB 0 under alpha 0.

    Scaling works on premultiplied colour, so the background's hidden colour never bleeds in (field report 14).
    """
    span = 1 / placement.scale  # of the cell, in art pixels
    left, top = placement.ground[0] - ANCHOR[0] * span, placement.ground[1] - ANCHOR[1] * span
    height, width = frame.shape[:2]
    pad = [max(0, int(np.ceil(edge)) + 1) for edge in (-top, top + span - height, -left, left + span - width)]
    padded = np.pad(frame, ((pad[0], pad[1]), (pad[2], pad[3]), (0, 0)))
    box = (left + pad[2], top + pad[0], left + span + pad[2], top + span + pad[0])
    way = Image.Resampling.NEAREST if pixel_art else Image.Resampling.BOX if span > size else Image.Resampling.BICUBIC
    cell = Image.fromarray(padded).convert("RGBa").resize((size, size), way, box=box).convert("RGBA")
    out = np.array(cell)
    if pixel_art:
        out[..., 3] = np.where(out[..., 3] > 127, 255, 0)
    return clean(out)


def build_sample(
    frames: np.ndarray,
    durations_ms: Sequence[float],
    figure: Figure,
    *,
    action: str = "idle",
    caption: str = "",
    joints: np.ndarray | None = None,
    size: int = 128,
    fps: float = FPS,
    loop: bool = False,
) -> TrainingSample:
    """A still (one frame) or an animation as the trainer takes it: uniform in time, in the character's cell.

    `frames` uint8 (T, H, W, 4) with the background removed; `joints` (T, 21, 3) in their pixels, or None.
    """
    placement = placement_of(frames, joints, figure)
    chosen = resample(durations_ms, fps) if len(frames) > 1 else np.zeros(1, dtype=np.int64)
    if len(frames) > 1 and len(chosen) == 1:
        raise PictureError(f"The animation lasts {sum(durations_ms):.0f} ms, less than two frames at {fps:g} a second.")
    cells = {int(number): fit_to_cell(frames[number], placement, size, figure.pixel_art) for number in set(chosen)}
    track = None
    if joints is not None:
        flat = np.zeros((len(chosen), joints.shape[1], 3), dtype=np.float32)
        flat[..., :2] = placement.to_cell(joints[chosen, :, :2])
        track = PoseTrack(flat, joints[chosen, :, 2].astype(np.float32), fps, loop)
    return TrainingSample(np.stack([cells[int(number)] for number in chosen]), track, action, caption)


def read_frames(path: Path) -> tuple[np.ndarray, list[float]]:
    """RGBA frames uint8 (T, H, W, 4) and durations in ms of a picture, an animation, or a folder of numbered PNGs.

    Raises `PictureError` when it cannot be read.
    """
    try:
        if path.is_dir():
            files = sorted(path.glob("*.png"))
            if not files:
                raise PictureError(f"{path.name} holds no PNG frames.")
            pictures = [np.asarray(Image.open(file).convert("RGBA")) for file in files]
            durations = [1000 / FPS] * len(files)
        else:
            pictures, durations = [], []
            with Image.open(path) as image:
                for page in ImageSequence.Iterator(image):
                    pictures.append(np.asarray(page.convert("RGBA")))
                    durations.append(float(page.info.get("duration") or 1000 / FPS))  # known once it is decoded
    except (OSError, UnidentifiedImageError, ValueError, Image.DecompressionBombError) as error:
        raise PictureError(f"{path.name} is not a picture that can be read ({error}); save it again as PNG.") from error
    if len({picture.shape for picture in pictures}) > 1:
        raise PictureError(f"The frames in {path.name} differ in size; export them again at one size.")
    return clean(np.stack(pictures)), durations
