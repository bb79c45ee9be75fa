"""Strips and grid sheets: cut by given columns and rows, or by their transparent gutters."""

from __future__ import annotations

import numpy as np

from pipelines.errors import PictureError

from .caps import Caps

MOST_CELLS = 64
"""Columns or rows that detection tries."""

LEAST_CELL = 8
"""Pixels a side of the smallest cell."""

FILLED = 0.7
"""Share of cells that must hold something for a detected grid to count."""


def cut(
    sheet: np.ndarray, columns: int | None, rows: int | None, name: str, caps: Caps
) -> tuple[list[np.ndarray], list[str]]:
    """Cells of uint8 (H, W, 4), left to right and top to bottom, without the empty ones at the end; and notes."""
    if columns is None and rows is None:
        columns, rows = detect(sheet)
        notes = [f"Read as a sheet of {columns} x {rows} cells."] if columns * rows > 1 else []
    else:
        columns, rows = columns or 1, rows or 1
        notes = []
    height, width = sheet.shape[:2]
    if columns < 1 or rows < 1 or width % columns or height % rows:
        raise PictureError(
            f"{name!r} is {width} x {height} px and does not split into {columns} x {rows} equal cells. "
            "Give the columns and rows that its cells make, or export it without outer padding."
        )
    if columns * rows > 4 * caps.frames:
        raise PictureError(f"{columns} x {rows} cells are too many; {caps.frames} frames are the most.")
    cells = sheet.reshape(rows, height // rows, columns, width // columns, 4).swapaxes(1, 2)
    frames = list(cells.reshape(-1, height // rows, width // columns, 4))
    while len(frames) > 1 and not frames[-1][..., 3].any():
        frames.pop()
    return frames, notes


def detect(sheet: np.ndarray) -> tuple[int, int]:
    """(columns, rows): the finest grid whose inner cell borders are all transparent and whose cells are mostly filled.

    A strip without gutters counts as square cells when its length is a multiple of its height. (1, 1): one picture.
    """
    height, width = sheet.shape[:2]
    seen = sheet[..., 3] > 0
    opaque = bool(seen.all())
    if not opaque:
        tried = [
            (columns, rows)
            for columns in _splits(width, np.asarray(seen.any(axis=0)))
            for rows in _splits(height, np.asarray(seen.any(axis=1)))
            if columns * rows > 1 and _filled(seen, columns, rows)
        ]
        if tried:
            return max(tried, key=lambda grid: (_square(width, height, grid), grid[0] * grid[1]))
    if width >= 2 * height and width % height == 0 and height >= LEAST_CELL:
        return width // height, 1
    return 1, 1


def _splits(length: int, used: np.ndarray) -> list[int]:
    """Counts that divide `length` so that no inner border runs through a used line; 1 always does."""
    out = [1]
    for count in range(2, MOST_CELLS + 1):
        if length % count == 0 and length // count >= LEAST_CELL:
            border = np.arange(1, count) * (length // count)
            if not (used[border] | used[border - 1]).any():
                out.append(count)
    return out


def _filled(seen: np.ndarray, columns: int, rows: int) -> bool:
    """True when most cells hold something, and about as much as each other: no figure was split from its hat."""
    height, width = seen.shape
    cells = seen.reshape(rows, height // rows, columns, width // columns).sum(axis=(1, 3)).ravel()
    used = cells[cells > 0]
    last = int(np.nonzero(cells)[0][-1]) + 1 if len(used) else 0
    if not len(used) or len(used) < FILLED * last or last < 0.5 * len(cells):
        return False
    return bool(used.min() > 0.25 * np.median(used) and used.max() < 4 * np.median(used))


def _square(width: int, height: int, grid: tuple[int, int]) -> bool:
    cell_width, cell_height = width // grid[0], height // grid[1]
    return 0.5 <= cell_width / cell_height <= 2
