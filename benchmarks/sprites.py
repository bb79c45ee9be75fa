"""Packing speed and area: 256 frames of 128x128 packed and written, beside one naive grid in the same run.

    python benchmarks/sprites.py

Target: under 2 s. The ratio says how much more than plain copying into a grid the packing costs, and how much
smaller the page gets; it holds on any machine.
"""

import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from PIL import Image

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from studio.sprites.export.registry import EXPORTERS
from studio.sprites.sheet import Action, SheetOptions, build_sheet
from studio.sprites.timing import durations_from_fps

ACTIONS, FRAMES, SIDE = 16, 16, 128


def figures() -> list[Action]:
    """Shaded bodies with swinging limbs: every frame differs, most of the cell is empty, edges are soft."""
    y, x = np.mgrid[:SIDE, :SIDE].astype(np.float32)
    actions = []
    for a in range(ACTIONS):
        frames = np.zeros((FRAMES, SIDE, SIDE, 4), np.uint8)
        for t in range(FRAMES):
            swing = np.sin(2 * np.pi * t / FRAMES + a)
            reach = 18 + 2 * a
            body = 1 - np.hypot((x - 64) / 18, (y - 78) / 34)
            head = 1 - np.hypot((x - 64 - 3 * swing) / 15, (y - 30) / 16)
            hand = 1 - np.hypot((x - 64 - reach * swing) / 9, (y - 70 + 20 * np.cos(swing)) / 9)
            cover = np.clip(np.maximum(np.maximum(body, head), hand) * 12, 0, 1)
            shade = 0.6 + 0.4 * np.sin(x / 9 + a) * np.cos(y / 7)
            frames[t, ..., :3] = (np.stack([shade, shade * 0.8, 1 - shade * 0.5], -1) * 255).astype(np.uint8)
            frames[t, ..., 3] = (cover * 255).astype(np.uint8)
        actions.append(Action(f"action{a:02d}", frames, durations_from_fps(FRAMES, 12), True, (64.0, 112.0)))
    return actions


def naive(actions: list[Action], folder: Path) -> tuple[int, list[Path]]:
    """One row per action, nothing trimmed, nothing described."""
    rows = [np.concatenate(list(action.frames), axis=1) for action in actions]
    page = np.concatenate(rows, axis=0)
    path = folder / "naive.png"
    Image.fromarray(page, "RGBA").save(path, compress_level=6)
    return page.shape[0] * page.shape[1], [path]


def packed(options: SheetOptions, keys: tuple[str, ...]) -> Callable[[list[Action], Path], tuple[int, list[Path]]]:
    def run(actions: list[Action], folder: Path) -> tuple[int, list[Path]]:
        sheet = build_sheet(actions, options)
        paths = [path for key in keys for path in EXPORTERS[key].write(sheet, folder, "hero")]
        return sum(page.shape[0] * page.shape[1] for page in sheet.pages), paths

    return run


def main() -> None:
    """Print one line per way of writing the same 256 frames; best of three runs."""
    actions = figures()
    cases: dict[str, Callable[[list[Action], Path], tuple[int, list[Path]]]] = {
        "naive grid, PNG only": naive,
        "rows + Aseprite": packed(SheetOptions(layout="rows"), ("aseprite",)),
        "packed + Aseprite": packed(SheetOptions(), ("aseprite",)),
        "packed, power of two + Godot": packed(SheetOptions(power_of_two=True), ("godot",)),
        "packed, every export": packed(SheetOptions(), tuple(EXPORTERS)),
    }
    print(f"{len(actions) * FRAMES} frames of {SIDE}x{SIDE}")
    print(f"{'':30}{'seconds':>9}{'x naive':>9}{'area':>9}{'kB':>9}")
    base_time = base_area = 0.0
    for label, run in cases.items():
        times = []
        for _ in range(3):
            with tempfile.TemporaryDirectory() as scratch:
                start = time.perf_counter()
                area, paths = run(actions, Path(scratch))
                times.append(time.perf_counter() - start)
                size = sum(path.stat().st_size for path in set(paths))
        base_time, base_area = base_time or min(times), base_area or area
        ratio, share = min(times) / base_time, area / base_area
        print(f"{label:30}{min(times):9.2f}{ratio:9.1f}{share:9.0%}{size / 1000:9.0f}")


if __name__ == "__main__":
    main()
