"""A folder as one zip whose bytes depend on its files alone."""

import zipfile
from pathlib import Path

EPOCH = (1980, 1, 1, 0, 0, 0)
"""The earliest time a zip can hold; file times would make equal exports different."""

PACKED = frozenset({".png", ".apng", ".webp", ".gif", ".webm", ".zip"})
"""Already compressed: stored as they are."""


def zip_pack(folder: Path) -> Path:
    """Write ``<folder>.zip`` beside `folder` with all files below it, sorted; links are left out. Returns its path."""
    target = folder.parent / f"{folder.name}.zip"
    files = sorted((p for p in folder.rglob("*") if p.is_file() and not p.is_symlink()), key=lambda p: p.as_posix())
    with zipfile.ZipFile(target, "w") as archive:
        for path in files:
            info = zipfile.ZipInfo(path.relative_to(folder).as_posix(), EPOCH)
            info.create_system = 3
            info.external_attr = 0o100644 << 16
            info.compress_type = zipfile.ZIP_STORED if path.suffix.lower() in PACKED else zipfile.ZIP_DEFLATED
            archive.writestr(info, path.read_bytes())
    return target
