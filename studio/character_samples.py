"""From an uploaded still or animation to a sample: cut out, joints found, placed in the cell, judged."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from pipelines.errors import MissingWeightsError, NoFigureError

from .character_art import cut, detector, fitted
from .library import Sample, samples
from .library.character import tidy_name
from .library.disk import new_id
from .sprites.export.webp import encode_webp
from .studio import Desk

FPS = 12.0
"""Frame rate that samples are brought to."""


def sample_from(desk: Desk, character_id: str, file: Path) -> Sample:
    """Stores one upload as a sample. A sample that nothing can be learned from stays, set aside, with the reason."""
    from lora_trainer.filters import judge
    from lora_trainer.samples import build_sample

    from .intake import read_frames

    read = read_frames(file)
    who = fitted(desk, character_id)
    figure = desk.library.figure(character_id)
    frames = np.stack([cut(frame).art for frame in read.frames])
    joints = _joints(desk, frames)
    clip = len(frames) > 1
    action = action_named(file.stem) if clip else "idle"
    built = build_sample(
        frames, read.durations_ms, figure, action=action, joints=joints, size=who.cell, fps=FPS, loop=False
    )
    verdicts = judge(frames, pixel_art=who.pixel_art)
    notes = [read.note, *(verdict.text for verdict in verdicts)]
    if joints is None:
        notes.append("No joints were found in it, so only its looks are learned, not how it moves.")
    poor = any(verdict.reject for verdict in verdicts)
    sample = Sample(
        id=new_id(),
        kind="clip" if clip else "still",
        folder=desk.library.within(character_id, "samples"),
        count=len(built.frames),
        fps=FPS,
        action=action,
        keep=not poor,
        verdict="poor" if poor else "check" if verdicts or joints is None else "good",
        note=" ".join(note for note in notes if note),
        name=tidy_name(file.name),
    )
    durations = [round(1000 / FPS)] * len(built.frames)
    preview = encode_webp(built.frames, durations, True) if clip else None
    return samples.add(sample.folder, sample, built.frames, built.track, preview, file)


def action_named(stem: str) -> str:
    """The action that a file's name starts with ("walk-1"), else "idle"."""
    from pipelines.pose.library import ACTIONS

    words = stem.casefold().replace("_", "-").replace(" ", "-").split("-")
    return next((word for word in words if word in ACTIONS), "idle")


def _joints(desk: Desk, frames: np.ndarray) -> np.ndarray | None:
    """float32 (T, 21, 3) in pixels of the frames; None when they show no figure."""
    try:
        with detector(desk) as found:
            return found.track(frames) if len(frames) > 1 else found.detect(frames[0]).joints[None]
    except (NoFigureError, MissingWeightsError):
        return None
