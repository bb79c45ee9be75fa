"""What a look is worth: LoRAs of characters that the base model never saw, judged on actions that they never saw."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from time import perf_counter

import cv2
import numpy as np

from lora_trainer.config import PRESETS, TrainConfig
from lora_trainer.mannequin import render, sample_character, sample_shading, sample_view, stance
from lora_trainer.mannequin.stance import act
from lora_trainer.measures import premultiplied, psnr
from lora_trainer.trainer import train
from pipelines.adapter import Adapter
from pipelines.backend import Backend, TrainingSample
from pipelines.cancel import NEVER
from pipelines.figure import Figure, Placement, place
from pipelines.pose.motion import ACTIONS
from pipelines.pose.skeleton import PoseTrack
from pipelines.request import GenerateRequest

SHOWN = "slash"
"""The one animated action that the second look of every character learns from."""

ASKED = ("walk", "run", "jump", "cast", "hurt")
"""The actions on which the looks are judged."""

ART = 256
"""Side of the mannequin's art in pixels."""

CELL = 128
"""Side of the clips in pixels."""

FRAMES = 8

SEED = 20270101
"""Of the characters; the shards of the base training are drawn from another."""


@dataclass(frozen=True)
class Worth:
    """One character's likeness to the truth in dB over the actions of `ASKED`."""

    base: float
    still: float
    """With a look learned from the still art alone."""
    animated: float
    """With a look learned from the still art and one animated action."""
    seconds: float
    """The longer of the two trainings, proof and report included."""


def character(number: int, actions: Sequence[str] = (SHOWN, *ASKED)) -> tuple[Figure, dict[str, TrainingSample]]:
    """Held-out mannequin `number`: its still art as a figure, and its true clips in the figure's own cell.

    A clip is uint8 (8, 128, 128, 4), seen from where the art is seen, with its true joints.
    """
    rng = np.random.default_rng((SEED, number))
    mannequin, style, view = sample_character(rng), sample_shading(rng), sample_view(rng)
    art = render(mannequin, stance(rng, mannequin.body), view, style, ART)
    joints = np.concatenate([art.track.joints[0, :, :2] * ART, art.track.confidence[0, :, None]], axis=1)
    figure = Figure(art.frames[0], joints.astype(np.float32), view.facing)
    placement, clips = place(figure), {}
    for action in actions:
        shown = render(mannequin, act(rng, action, FRAMES, mannequin.body), view, style, ART)
        clips[action] = TrainingSample(
            _in_cell(shown.frames, placement), _track_in_cell(shown.track, placement, action), action
        )
    return figure, clips


def _in_cell(frames: np.ndarray, placement: Placement) -> np.ndarray:
    x, y = placement.to_cell(np.zeros(2)) * CELL
    factor = placement.scale * CELL
    move = np.array([[factor, 0, x + (factor - 1) / 2], [0, factor, y + (factor - 1) / 2]])  # pixel centres
    out = []
    for frame in premultiplied(frames):
        moved = cv2.warpAffine(frame / 255, move, (CELL, CELL), flags=cv2.INTER_LINEAR)
        moved[..., :3] = moved[..., :3] / np.maximum(moved[..., 3:], 1e-4)
        moved[moved[..., 3] < 0.5 / 255] = 0
        out.append((moved.clip(0, 1) * 255).round().astype(np.uint8))
    return np.stack(out)


def _track_in_cell(track: PoseTrack, placement: Placement, action: str) -> PoseTrack:
    depth = track.joints[..., 2:] * ART * placement.scale
    joints = np.concatenate([placement.to_cell(track.joints[..., :2] * ART), depth], axis=-1)
    return PoseTrack(joints.astype(np.float32), track.confidence, ACTIONS[action].fps, ACTIONS[action].loop)


def likeness(backend: Backend, figure: Figure, clips: Sequence[TrainingSample], look: Adapter | None = None) -> float:
    """Mean dB of the clips drawn again along their own joints."""
    values = []
    for clip in clips:
        assert clip.track is not None
        request = GenerateRequest(
            figure, clip.action, figure.facing, len(clip.frames), size=CELL, pose=clip.track, adapter=look
        )
        values.append(psnr(backend.generate(request, lambda done, total: None, NEVER).frames, clip.frames))
    return float(np.mean(values))


def _learned(
    config: TrainConfig, figure: Figure, samples: Sequence[TrainingSample], backend: Backend, folder: Path
) -> tuple[Adapter, float]:
    began = perf_counter()
    for _ in train(config, figure, samples, backend, folder):
        pass
    return Adapter.load(folder), perf_counter() - began


def worth(backend: Backend, count: int = 20, config: TrainConfig = PRESETS["standard"].config) -> Iterator[Worth]:
    """The two looks of each of `count` characters, trained as the app trains them (without previews)."""
    config = replace(config, preview_every=0)
    for number in range(count):
        figure, clips = character(number)
        asked = [clips[action] for action in ASKED]
        with tempfile.TemporaryDirectory() as folder:
            still, first = _learned(config, figure, [], backend, Path(folder) / "still")
            both, second = _learned(config, figure, [clips[SHOWN]], backend, Path(folder) / "both")
            yield Worth(
                likeness(backend, figure, asked),
                likeness(backend, figure, asked, still),
                likeness(backend, figure, asked, both),
                max(first, second),
            )


def table(rows: Sequence[Worth]) -> str:
    """Markdown: the means, and how many characters each look made worse by more than 0.05 dB."""
    base, still, animated = (np.array([getattr(row, name) for row in rows]) for name in ("base", "still", "animated"))
    lines = [f"| {len(rows)} characters | dB | against no look | made worse |", "|---|---|---|---|"]
    lines.append(f"| no look | {base.mean():.2f} | | |")
    for name, value in (("one still", still), (f"one still and one {SHOWN}", animated)):
        gain = value - base
        lines.append(f"| {name} | {value.mean():.2f} | {gain.mean():+.2f} | {int((gain < -0.05).sum())} |")
    return "\n".join([*lines, "", f"Training took at most {max(row.seconds for row in rows):.0f} s a look."])
