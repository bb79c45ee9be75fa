"""Art and samples -> a trained look, in use as soon as it is finished."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from pipelines.backend import TrainingSample
from pipelines.cancel import CancelToken
from pipelines.events import Done, Event, Step
from pipelines.figure import Figure
from pipelines.pose.skeleton import PoseTrack

from ..character_art import fitted
from ..jobs import Job
from ..library import Sample, disk, samples
from ..studio import Desk
from .models import backend

INPUTS = "inputs.npz"
"""What the run learns from, kept with it: a resumed run sees the same, whatever was edited meanwhile."""


def run(job: Job, desk: Desk, cancel: CancelToken) -> Iterator[Event]:
    """Trains into `adapters/<id>/`; the trainer resumes by itself from the checkpoints it finds there."""
    from lora_trainer.config import TrainConfig
    from lora_trainer.trainer import train

    adapter_id: str = job.payload["adapter"]
    folder = desk.library.within(job.character, "adapters") / disk.checked(adapter_id)
    config = TrainConfig.from_json(job.payload["config"])
    yield Step(0, config.steps, "Collecting the samples")
    if not (folder / INPUTS).is_file():
        _freeze(desk, job.character, folder)
    about, figure, learned = _thaw(folder)
    cache = desk.library.folder(job.character) / "cache"  # an edited sample alone is encoded again (field report 15)
    with backend(desk, config.backend) as model:
        for event in train(config, figure, learned, model, folder, cancel, cache=cache, trigger=about):
            if isinstance(event, Done):
                desk.library.change(job.character, lambda now: replace(now, adapter=adapter_id))
                event = Done({**event.result, "character": job.character, "adapter_id": adapter_id})
            yield event


def _freeze(desk: Desk, character_id: str, folder: Path) -> None:
    from lora_trainer.captions import build

    who = fitted(desk, character_id)
    figure = desk.library.figure(character_id)
    kept = [sample for sample in samples.listed(desk.library.within(character_id, "samples")) if sample.keep]
    arrays: dict[str, np.ndarray] = {"art": figure.art, "joints": figure.joints}
    listed: list[dict[str, Any]] = []
    for number, sample in enumerate(kept):
        text = build(sample.action, sample.caption or who.about, figure.facing, figure.weapon).text
        listed.append({"action": sample.action, "caption": text, "fps": sample.fps})
        arrays |= _arrays(number, sample)
    about = {"about": who.about, "facing": who.facing, "pixel_art": who.pixel_art, "weapon": who.weapon}
    about["body_share"] = figure.body_share
    arrays["record"] = np.frombuffer(json.dumps({**about, "samples": listed}).encode(), np.uint8)
    with disk.saving("the training's samples"):
        folder.mkdir(parents=True, exist_ok=True)
        part = folder / f".{INPUTS}.part"
        with part.open("wb") as file:
            np.savez_compressed(file, **arrays)  # type: ignore[arg-type]
        disk.move(part, folder / INPUTS)


def _arrays(number: int, sample: Sample) -> dict[str, np.ndarray]:
    track = sample.track()
    arrays = {f"frames{number}": sample.frames()}
    return arrays if track is None else {**arrays, f"track{number}": track.joints, f"sure{number}": track.confidence}


def _thaw(folder: Path) -> tuple[str, Figure, list[TrainingSample]]:
    with np.load(folder / INPUTS, allow_pickle=False) as kept:
        record = json.loads(kept["record"].tobytes())
        figure = Figure(
            kept["art"],
            kept["joints"],
            record["facing"],
            record["pixel_art"],
            body_share=record["body_share"],
            weapon=record["weapon"],
        )
        learned = []
        for number, about in enumerate(record["samples"]):
            track = None
            if f"track{number}" in kept:
                track = PoseTrack(kept[f"track{number}"], kept[f"sure{number}"], about["fps"])
            learned.append(TrainingSample(kept[f"frames{number}"], track, about["action"], about["caption"]))
    return record["about"], figure, learned
