"""Checkpoints that are either whole or not there: written aside, flushed, renamed (field report 17)."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from dataclasses import dataclass
from pathlib import Path

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file

from pipelines.errors import TrainingError

KEEP = 2
"""Checkpoints that stay: the newest, and one to fall back on."""

_TENSORS, _STATE, _PART = "tensors.safetensors", "state.json", ".part-"


@dataclass(frozen=True)
class State:
    """A run between two steps."""

    losses: list[float]
    """One for every step done."""
    tensors: dict[str, torch.Tensor]
    """Weights, running means and optimiser moments: `weight.0`, `ema.0`, `exp_avg.0`..."""

    @property
    def step(self) -> int:
        return len(self.losses)


def save(folder: Path, state: State, run: str) -> Path:
    """Writes `step-000050` into `folder` and drops all but the newest `KEEP`. `run` is the fingerprint of the run.

    Raises `TrainingError` when the disk does not take it; what was there before stays.
    """
    final = folder / f"step-{state.step:06d}"
    part = folder / f"{_PART}{final.name}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        shutil.rmtree(part, ignore_errors=True)
        part.mkdir()
        tensors = {name: value.detach().to("cpu", copy=True).contiguous() for name, value in state.tensors.items()}
        save_file(tensors, part / _TENSORS)
        about = {"step": state.step, "run": run, "losses": state.losses, "sha256": _sha256(part / _TENSORS)}
        (part / _STATE).write_text(json.dumps(about), encoding="utf-8")
        for path in (part / _TENSORS, part / _STATE):
            _flush(path)
        if final.exists():  # a damaged one of the same step: a folder is never renamed over another
            shutil.rmtree(final)
        os.replace(part, final)  # noqa: PTH105  named in the tests that kill the process here
        _flush(folder)
    except (OSError, SafetensorError) as error:
        shutil.rmtree(part, ignore_errors=True)
        raise TrainingError(
            f"The checkpoint of step {state.step} could not be written to {folder} ({error}). "
            "Free some space and start the training again; it goes on from the checkpoint before."
        ) from error
    for old in _found(folder)[KEEP:]:
        shutil.rmtree(old, ignore_errors=True)
    return final


def newest(folder: Path, run: str) -> tuple[State | None, list[str]]:
    """The newest whole checkpoint of this run, and the names of damaged ones that were passed over and removed."""
    damaged: list[str] = []
    for path in _found(folder):
        try:
            about = json.loads((path / _STATE).read_text(encoding="utf-8"))
            if about["run"] != run:
                continue
            if about["sha256"] != _sha256(path / _TENSORS) or about["step"] != len(about["losses"]):
                raise ValueError("contents do not match")
            return State([float(loss) for loss in about["losses"]], load_file(path / _TENSORS)), damaged
        except (OSError, ValueError, KeyError, TypeError, SafetensorError):
            damaged.append(path.name)
            shutil.rmtree(path, ignore_errors=True)
    return None, damaged


def clear(folder: Path) -> None:
    """Removes all checkpoints, once the adapter they led to is finished."""
    shutil.rmtree(folder, ignore_errors=True)


def _found(folder: Path) -> list[Path]:
    return sorted(folder.glob("step-*"), reverse=True)


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _flush(path: Path) -> None:
    """To the disk itself, not only to the system's memory; folders cannot be flushed on Windows."""
    if os.name == "nt" and path.is_dir():
        return
    handle = os.open(path, os.O_RDONLY if path.is_dir() else os.O_RDWR)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
