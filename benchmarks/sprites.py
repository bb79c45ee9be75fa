"""Packing and exports: speed, area and growth, each beside a yardstick of the same run.

    python benchmarks/sprites.py

Targets: 256 frames of 128x128 packed and written in under 2 s, on no larger a page than PyTexturePacker's; every
export of a 10-action character in under 5 s; cost linear in frames. Seconds are those of one core (process time), so
that other work on the machine does not count.
"""

import contextlib
import io
import sys
import tempfile
import time
from collections.abc import Callable
from importlib.util import find_spec
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


def texturepacker(actions: list[Action], folder: Path) -> tuple[int, list[Path]]:
    """PyTexturePacker (MaxRects) with the same trim, padding and border; reading its input is not counted for it."""
    from PyTexturePacker import Packer

    packer = Packer.create(
        max_width=4096, max_height=4096, enable_rotated=False, border_padding=1, shape_padding=2, trim_mode=1
    )
    with contextlib.redirect_stdout(io.StringIO()):
        packer.pack(str(folder.parent / "in"), "atlas%d", output_path=str(folder))
    paths = sorted(folder.iterdir())
    area = 0
    for path in paths:
        if path.suffix == ".png":
            with Image.open(path) as page:
                area += page.width * page.height
    return area, paths


def packing(actions: list[Action], rounds: int = 3) -> None:
    """One line per way of writing the same 256 frames; best of some runs."""
    cases: dict[str, Callable[[list[Action], Path], tuple[int, list[Path]]]] = {
        "naive grid, PNG only": naive,
        "rows + Aseprite": packed(SheetOptions(layout="rows"), ("aseprite",)),
        "packed + Aseprite": packed(SheetOptions(), ("aseprite",)),
        "packed, power of two + Godot": packed(SheetOptions(power_of_two=True), ("godot",)),
    }
    if find_spec("PyTexturePacker"):
        cases["PyTexturePacker"] = texturepacker
    print(f"{len(actions) * FRAMES} frames of {SIDE}x{SIDE}")
    print(f"{'':30}{'seconds':>9}{'x naive':>9}{'area':>9}{'kB':>9}")
    base_time = base_area = 0.0
    for label, run in cases.items():
        times = []
        for _ in range(1 if run is texturepacker else rounds):
            with tempfile.TemporaryDirectory() as scratch:
                source, out = Path(scratch) / "in", Path(scratch) / "out"
                source.mkdir()
                out.mkdir()
                if run is texturepacker:
                    for action in actions:
                        for n, frame in enumerate(action.frames):
                            Image.fromarray(frame, "RGBA").save(source / f"{action.name}_{n:02d}.png")
                start = time.process_time()
                area, paths = run(actions, out)
                times.append(time.process_time() - start)
                size = sum(path.stat().st_size for path in set(paths))
        base_time, base_area = base_time or min(times), base_area or area
        ratio, share = min(times) / base_time, area / base_area
        print(f"{label:30}{min(times):9.2f}{ratio:9.1f}{share:9.0%}{size / 1000:9.0f}")


def exports(actions: list[Action]) -> None:
    """Seconds of every export of one character, the sheet packed once as the product does."""
    sheet = build_sheet(actions)
    print(f"\nExports of {len(actions)} actions, {len(sheet.entries)} frames of {SIDE}x{SIDE}")
    total = 0.0
    for key, exporter in EXPORTERS.items():
        with tempfile.TemporaryDirectory() as scratch:
            start = time.process_time()
            paths = exporter.write(sheet, Path(scratch), "hero")
            spent = time.process_time() - start
            total += spent
            print(f"{key:30}{spent:9.2f} s{sum(path.stat().st_size for path in paths) / 1000:9.0f} kB")
    print(f"{'together':30}{total:9.2f} s")


def growth(actions: list[Action]) -> None:
    """Milliseconds per frame for more and more frames: a flat line is linear cost."""
    print("\nms per frame, packed + Aseprite")
    for count in (4, 8, 16):
        times = []
        for _ in range(3):
            with tempfile.TemporaryDirectory() as scratch:
                start = time.process_time()
                packed(SheetOptions(), ("aseprite",))(actions[:count], Path(scratch))
                times.append(time.process_time() - start)
        print(f"{count * FRAMES:30}{1000 * min(times) / (count * FRAMES):9.2f}")


def main() -> None:
    """Print the three tables."""
    actions = figures()
    packing(actions)
    exports(actions[:10])
    growth(actions)


if __name__ == "__main__":
    main()
