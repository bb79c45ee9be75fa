"""One action drawn with a look under way: what the artist watches while it learns."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from PIL import Image

from pipelines.adapter import Adapter
from pipelines.backend import Backend, Spec
from pipelines.cancel import CancelToken
from pipelines.clip import Clip
from pipelines.errors import TrainingError
from pipelines.figure import Figure, place
from pipelines.request import GenerateRequest

FRAMES, SIZE, FPS = 8, 128, 12.0
"""What a preview has unless the model's own rules say otherwise."""


def guided(action: str, figure: Figure, spec: Spec, seed: int = 0, prompt: str = "") -> GenerateRequest:
    """The request of previews and proof: the action from the motion library where the model takes pose guidance.

    Raises `TrainingError` for an action that the library does not have.
    """
    frames = valid_frames(FRAMES, spec)
    size = min(spec.sizes, key=lambda side: abs(side - SIZE)) if spec.sizes else SIZE
    request = GenerateRequest(figure, action, figure.facing, frames, FPS, size=size, prompt=prompt, seed=seed)
    if not spec.pose:
        return request
    from pipelines.pose.motion import ACTIONS
    from pipelines.pose.retarget import fit

    if action not in ACTIONS:
        raise TrainingError(
            f"There is no action called {action!r} for the previews; choose one of {', '.join(ACTIONS)}."
        )
    motion = ACTIONS[action]
    pose = fit(motion, figure, place(figure), frames, FPS)
    return replace(request, pose=pose, loop=motion.loop)


def valid_frames(frames: int, spec: Spec) -> int:
    """The largest frame count up to `frames` that the model can draw, or the smallest it can where all are above."""
    every, rest = spec.frame_rule
    low = (min(frames, spec.max_frames) - rest) // every * every + rest
    return low if low > 0 else low + every


def draw(request: GenerateRequest, backend: Backend, adapter: Adapter | None, cancel: CancelToken) -> Clip:
    """The request's clip with this look, or without one."""
    return backend.generate(replace(request, adapter=adapter), lambda done, total: None, cancel)


def save_webp(clip: Clip, path: Path) -> Path:
    """A lossless animated WebP with alpha, written aside and renamed, so that a page never loads half of it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f".{path.name}.part")
    pictures = [Image.fromarray(frame) for frame in clip.frames]
    pictures[0].save(
        part,
        "WEBP",
        save_all=True,
        append_images=pictures[1:],
        duration=list(clip.milliseconds()),
        loop=0,
        lossless=True,
        exact=True,
        method=2,
    )
    part.replace(path)
    return path
