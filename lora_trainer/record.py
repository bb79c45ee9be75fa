"""What a run was made of, so that anybody can make it again (R50), and whether a folder already holds its result."""

from __future__ import annotations

import importlib.metadata
import json
import platform
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pipelines.adapter import Adapter
from pipelines.backend import Backend, TrainingSample
from pipelines.errors import LibraryError, TrainingError
from pipelines.figure import Figure

from .cache import VERSION, fingerprint
from .config import TrainConfig

MANIFEST, RESULT, ADAPTER = "manifest.json", "result.json", "adapter.json"
_PACKAGES = ("torch", "peft", "diffusers", "safetensors", "numpy", "pillow")


def manifest(
    config: TrainConfig, figure: Figure, samples: Sequence[TrainingSample], backend: Backend, trigger: str = ""
) -> dict[str, Any]:
    """Settings, seed and hashes of everything that goes into the weights; `run` is the hash of them all."""
    parts = {
        "config": config.to_json(),
        "backend": backend.spec.name,
        "base": backend.base,
        "trigger": trigger,
        "figure": fingerprint(figure),
        "samples": [
            {
                "sha256": fingerprint(sample),
                "frames": len(sample.frames),
                "size": int(sample.frames.shape[1]),
                "action": sample.action,
                "caption": sample.caption,
                "weight": sample.weight,
                "joints": sample.track is not None,
            }
            for sample in samples
        ],
    }
    versions = {name: _version(name) for name in _PACKAGES}
    made_with = {"python": platform.python_version(), "system": platform.system(), "machine": platform.machine()}
    return {"run": fingerprint(VERSION, parts), **parts, "made_with": {**made_with, **versions}}


def _version(package: str) -> str:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return ""


def open_folder(folder: Path, about: dict[str, Any]) -> dict[str, Any] | None:
    """The result of this run when the folder holds it finished; else None, with the manifest written.

    Raises `TrainingError` when the folder belongs to another run: nothing is overwritten.
    """
    path = folder / MANIFEST
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
        if found["run"] != about["run"]:
            raise TrainingError(
                f"{folder.name} holds a training with other settings or samples; choose an empty folder for this one."
            )
    except (FileNotFoundError, ValueError, KeyError):  # new, or cut short while it was written
        if (folder / ADAPTER).is_file():
            raise TrainingError(f"{folder.name} already holds an adapter; choose an empty folder.") from None
        write_json(path, about)
    try:
        Adapter.load(folder)
        result = json.loads((folder / RESULT).read_text(encoding="utf-8"))
    except (LibraryError, FileNotFoundError, ValueError):
        return None
    return {**result, "adapter": str(folder), "report": str(folder / "report.html")}


def write_json(path: Path, body: Any) -> None:
    """Written aside and renamed. Raises `TrainingError` when the disk does not take it."""
    part = path.with_name(f".part-{path.name}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        part.write_text(json.dumps(body, indent=1), encoding="utf-8")
        part.replace(path)
    except OSError as error:
        raise TrainingError(
            f"{path} could not be written ({error}); free some space or choose another folder."
        ) from error
