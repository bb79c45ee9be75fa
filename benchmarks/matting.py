"""Cutting a clip out: 16 frames of 512x512 on a flat key, beside a bare threshold in the same run.

    python benchmarks/matting.py

Target: under 1 s. The ratio says what unmixed edges, judged gaps and a matte without flicker cost over a threshold;
the last column, how far the figure on grey is from the true one, what they are worth. Twice the frames show that the
cost is linear.
"""

import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from PIL import Image

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from pipelines.matting import cut_clip

ROOT = Path(__file__).resolve().parents[1]
SIDE, KEY = 512, (8, 162, 24)


def walk(count: int) -> np.ndarray:
    """uint8 (T, 512, 512, 4): the knight glides across the frame."""
    image = Image.open(ROOT / "examples" / "art" / "knight.png").convert("RGBa")
    art = np.asarray(image.resize((SIDE, SIDE), Image.Resampling.BOX).convert("RGBA"))
    return np.stack([np.roll(art, 3 * (i % 16) - 24, axis=1) for i in range(count)])


def over(art: np.ndarray, colour: tuple[int, int, int]) -> np.ndarray:
    """uint8 (T, H, W, 4), opaque."""
    share = art[..., 3:] / np.float32(255)
    rgb = np.round(art[..., :3] * share + np.float32(colour) * (1 - share))
    return np.concatenate([rgb, np.full_like(art[..., 3:], 255)], axis=-1).astype(np.uint8)


def threshold(frames: np.ndarray) -> np.ndarray:
    """What a chroma key of one line does."""
    away = np.linalg.norm(frames[..., :3] - np.float32(KEY), axis=-1)
    return np.concatenate([frames[..., :3], np.where(away > 60, 255, 0)[..., None]], axis=-1).astype(np.uint8)


def main() -> None:
    """Print one line per way of cutting the same frames; best of three runs."""
    print(f"{'':26}{'frames':>8}{'seconds':>9}{'x bare':>8}{'off by':>8}")
    bare = 0.0
    cases: tuple[tuple[str, int, Callable[[np.ndarray], np.ndarray]], ...] = (
        ("bare threshold", 16, threshold),
        ("clip cut-out", 16, lambda frames: cut_clip(frames, key_colour=(0, 255, 0)).frames),
        ("clip cut-out, twice", 32, lambda frames: cut_clip(frames, key_colour=(0, 255, 0)).frames),
    )
    for label, count, run in cases:
        art = walk(count)
        frames, times = over(art, KEY), []
        for _ in range(3):
            start = time.perf_counter()
            cut = run(frames)
            times.append(time.perf_counter() - start)
        bare = bare or min(times)
        grey = (128, 128, 128)
        off = np.abs(over(cut, grey).astype(int) - over(art, grey)).mean()
        print(f"{label:26}{count:8}{min(times):9.2f}{min(times) / bare:8.1f}{off:8.3f}")


if __name__ == "__main__":
    main()
