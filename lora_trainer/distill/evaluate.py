"""The table of the model card: student, four-step teacher and rig on characters never seen, timed in the same run."""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from pipelines.embedded.backend import WEIGHTS as TEACHER
from pipelines.embedded.conditions import Observation, premultiplied
from pipelines.embedded.conditions import collate as teacher_collate
from pipelines.embedded.detail import apply
from pipelines.embedded.pipeline import EmbeddedPipeline
from pipelines.errors import TrainingError
from pipelines.interactive.history import USUAL
from pipelines.interactive.student import WEIGHTS
from pipelines.interactive.student_net import StudentNet, attend, nothing
from pipelines.pose.motion import ACTIONS
from pipelines.pose.skeleton import FACINGS

from .data import CLIPS, FRAMES, Item, read_item
from .train import HELD, Batch


def psnr(made: Tensor, truth: Tensor) -> float:
    """dB over premultiplied RGBA in 0..1."""
    return float(-10 * torch.log10((made - truth).square().mean().clamp(min=1e-8)))


@torch.inference_mode()
def student_frames(net: StudentNet, item: Item) -> tuple[Tensor, list[float]]:
    """(T, 4, S, S) premultiplied as played, clip after clip, and the CPU seconds of every frame without the rig's."""
    batch, made, seconds = Batch([item]), [], []
    look = net.look(batch.reference, batch.rest)
    states: list[Tensor] = []
    for t in range(CLIPS * FRAMES):
        if t % FRAMES == 0:
            states = []
        rig, sure = batch.at("rig", t).contiguous(memory_format=torch.channels_last), batch.at("confidence", t)
        began = time.process_time()
        memory = torch.stack(states[:1] + states[1:][-(USUAL - 1) :], dim=1) if states else None
        read = nothing if memory is None else lambda query, memory=memory: attend(query, memory)
        fine, _, hidden = net.see(
            look, rig, sure, batch.at("joints", t), batch.at("phase", t), batch.at("control", t), read
        )
        frame = net.finish(fine, rig, sure).apply(rig[:, None])[:, 0]
        seconds.append(time.process_time() - began)
        states.append(hidden)
        made.append(frame[0])
    return torch.stack(made), seconds


def teacher_frames(pipeline: EmbeddedPipeline, item: Item, t: int, steps: int) -> tuple[Tensor, float]:
    """(4, S, S) premultiplied of one frame, drawn alone as live play draws it, and its CPU seconds."""
    seen = Observation(
        item["small_reference"],
        item["rest"],
        item["small"][t : t + 1],
        item["small_confidence"][t : t + 1],
        item["joints"][t : t + 1],
        sorted(ACTIONS)[int(item["action"][t])],
        FACINGS[int(item["facing"])],
        item["phase"][t : t + 1].astype(np.float32),
    )
    given = teacher_collate([seen], pipeline.denoiser)
    began = time.process_time()
    finish = pipeline(given, steps, torch.Generator().manual_seed(0)).finish
    frame = apply(finish, seen.rig, item["rig"][t : t + 1], item["confidence"][t : t + 1])
    return premultiplied(frame)[0], time.process_time() - began


def table(data: Path, weights: Path = WEIGHTS, steps: int = 4) -> dict[str, float]:
    """Mean dB against the truth, CPU milliseconds a frame, and what the model card compares."""
    paths = [path for path in sorted(data.glob("[0-9]*.npz")) if int(path.stem) < HELD]
    if not paths:
        raise TrainingError(f"There are no held-out characters in {data}; render them with `distill data`.")
    torch.set_num_threads(1)
    net = StudentNet.from_pretrained(weights, torch_dtype=torch.float32).eval()
    net.to(memory_format=torch.channels_last)  # type: ignore[call-overload]
    pipeline = EmbeddedPipeline.from_pretrained(TEACHER, dtype=torch.float32)
    pipeline.set_progress_bar_config(disable=True)
    rows, student_ms, teacher_ms, worse = [], [], [], 0
    for path in paths:
        item = read_item(path)
        truth, rig = premultiplied(item["truth"]), premultiplied(item["rig"])
        made, seconds = student_frames(net, item)
        student_ms += [1000 * one for one in seconds]
        picked = range(1, CLIPS * FRAMES, FRAMES)  # the teacher is slow: one frame of each clip
        for t in picked:
            taught, took = teacher_frames(pipeline, item, t, steps)
            teacher_ms.append(1000 * took)
            rows.append([psnr(x, truth[t]) for x in (rig[t], made[t], taught)])
            worse += rows[-1][1] < rows[-1][0] - 0.05
    rig_db, student_db, teacher_db = np.mean(rows, axis=0)
    fast, slow = float(np.median(student_ms)), float(np.median(teacher_ms))
    numbers = {"rig_db": rig_db, "student_db": student_db, "teacher_db": teacher_db, "worse": worse / len(rows)}
    numbers |= {"student_ms": fast, "teacher_ms": slow, "faster": slow / fast, "frames": len(rows)}
    return {name: round(float(value), 3) for name, value in numbers.items()}
