"""Distillation data: one character in two short clips, what it really looks like, and what the teacher thinks of it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import torch

from lora_trainer.mannequin import render, sample_character, sample_shading, sample_view, stance
from lora_trainer.mannequin.stance import act
from pipelines.embedded.backend import observe
from pipelines.embedded.conditions import PIXELS, Observation, collate
from pipelines.embedded.pipeline import EmbeddedPipeline
from pipelines.figure import ANCHOR, Figure, Placement
from pipelines.interactive.actions import byte_of, vector
from pipelines.interactive.student_net import GRID, SIZE
from pipelines.pose.motion import ACTIONS
from pipelines.pose.skeleton import FACINGS, PoseTrack
from pipelines.rig import build_puppet

STAGES = (8, 4, 2, 1)
"""Teacher steps that the student is shown, one stage after another."""

CLIPS, FRAMES = 2, 4
"""Clips of a character and frames of a clip; an item holds CLIPS * FRAMES frames."""

LIVE = ("idle", "walk", "run", "jump", "fall", "land", "slash", "hurt")
"""What keys ask for; three clips in four show one of these, the fourth any action of the library."""

KEYS = {"walk": ("right",), "run": ("right", "run"), "dash": ("right", "run"), "jump": ("jump",)}
"""Keys that lead to an action; others stand still."""

ASKED = 4
"""One item in this many holds the teacher's thoughts."""

ART = 256
"""Side of the still art, so that the rig samples more than it draws, as with real art."""

ERROR = 0.006
"""Spread of the joints' error in cells, for half of the characters."""

Item = dict[str, np.ndarray]


def motion_between(before: np.ndarray, after: np.ndarray) -> np.ndarray:
    """float32 (2, GRID, GRID), in cells: where each place of `after` was in `before` (DIS, Kroeger et al. 2016)."""
    grey = [cv2.cvtColor(frame[..., :3], cv2.COLOR_RGB2GRAY) // 2 + frame[..., 3] // 2 for frame in (after, before)]
    flow = cv2.DISOpticalFlow_create(cv2.DISOPTICAL_FLOW_PRESET_FAST).calc(grey[0], grey[1], None)  # type: ignore[attr-defined,call-overload]
    small = cv2.resize(flow / after.shape[0], (GRID, GRID), interpolation=cv2.INTER_AREA)
    return np.ascontiguousarray(small.transpose(2, 0, 1), np.float32)


class Teacher:
    """The embedded model, asked for its mask and its inner features."""

    def __init__(self, weights: Path) -> None:
        self.pipeline = EmbeddedPipeline.from_pretrained(weights, dtype=torch.float32)
        self.pipeline.set_progress_bar_config(disable=True)
        self.network = self.pipeline.denoiser
        self._mid = torch.zeros(0)
        self.network.mid_blocks[1].register_forward_hook(self._keep)

    def _keep(self, module: torch.nn.Module, given: object, made: torch.Tensor) -> None:
        self._mid = made

    @torch.no_grad()
    def think(self, seen: Observation, steps: int) -> tuple[np.ndarray, np.ndarray]:
        """Of a clip after some steps: mask uint8 (T, S, S), features float16 (T, C, S / 8, S / 8)."""
        finish = self.pipeline(collate([seen], self.network), steps, torch.Generator().manual_seed(0)).finish
        return (finish.mask[0, :, 0] * 255).round().to(torch.uint8).numpy(), self._mid.half().numpy()


def make_item(rng: np.random.Generator, teacher: Teacher | None = None, steps: int = 1) -> Item:
    """A random character acting twice; with a teacher, what that thinks of the first clip after `steps` steps.

    `small` and what belongs to it is the same as the teacher sees it, for a later comparison.
    """
    mannequin, style, view = sample_character(rng), sample_shading(rng), sample_view(rng)
    art = render(mannequin, stance(rng, mannequin.body), view, style, ART)
    joints = np.concatenate([art.track.joints[0, :, :2] * ART, art.track.confidence[0, :, None]], axis=1)
    if rng.random() < 0.5:
        joints[:, :2] += rng.standard_normal((len(joints), 2)) * ERROR * ART
    figure = Figure(art.frames[0], joints.astype(np.float32), view.facing)
    puppet = build_puppet(figure, SIZE, Placement(1 / ART, (ANCHOR[0] * ART, ANCHOR[1] * ART)))
    clips: list[Item] = []
    first: Observation | None = None
    for _ in range(CLIPS):
        action = str(rng.choice(LIVE if rng.random() < 0.75 else sorted(ACTIONS)))
        truth = render(mannequin, act(rng, action, FRAMES, mannequin.body), view, style, SIZE)
        track = PoseTrack(truth.track.joints, truth.track.confidence, ACTIONS[action].fps, ACTIONS[action].loop)
        seen = observe(puppet, figure, track, action, SIZE)
        control = vector(byte_of(KEYS.get(action, ())), float(rng.uniform(0.2, 1.0)))
        frames = truth.frames
        between = [motion_between(frames[t - 1], frames[t]) for t in range(1, FRAMES)]
        clip: Item = {
            "rig": seen.rig,
            "confidence": seen.confidence,
            "joints": seen.joints,
            "phase": seen.phase,
            "control": np.repeat(control[None], FRAMES, 0),
            "truth": frames,
            "parts": truth.parts[:, 2 :: SIZE // GRID, 2 :: SIZE // GRID].astype(np.int8),
            "flow": np.stack([np.zeros_like(between[0]), *between]).astype(np.float16),
        }
        small = observe(puppet, figure, track, action, PIXELS)
        first = first or small
        clip["small"], clip["small_confidence"] = small.rig, small.confidence
        clip["action"] = np.full(FRAMES, sorted(ACTIONS).index(action))
        clips.append(clip)
    item = {name: np.concatenate([clip[name] for clip in clips]) for name in clips[0]}
    item["reference"], item["rest"] = seen.reference, seen.reference_joints
    item["small_reference"], item["facing"] = small.reference, np.array(FACINGS.index(figure.facing))
    if teacher is not None and first is not None:
        item["steps"] = np.array(steps)
        item["mask"], item["feature"] = teacher.think(first, steps)
    return item


def write_items(folder: Path, first: int, count: int, teacher: Teacher) -> Iterator[Path]:
    """Renders items `first` ... `first + count - 1`, one file each; each depends on its number alone.

    The teacher costs as much as ten renderings, so every fourth item asks it, about one of the stages in turn.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(first, first + count):
        path = folder / f"{number:05d}.npz"
        if not path.exists():
            steps = STAGES[number // ASKED % len(STAGES)]
            rng = np.random.default_rng((20261201, number))
            item = make_item(rng, teacher if number % ASKED == 0 else None, steps)
            partial = folder / f"{number:05d}.partial"
            with partial.open("wb") as file:
                np.savez_compressed(file, **item)  # type: ignore[arg-type]
            partial.replace(path)
        yield path


def read_item(path: Path) -> Item:
    """Inverse of what `write_items` wrote; no pickles."""
    with np.load(path, allow_pickle=False) as stored:
        return {name: stored[name] for name in stored.files}
