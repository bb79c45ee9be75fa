"""The embedded backend: rig, denoiser and detail pass behind the one contract."""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import torch
from diffusers.utils.logging import disable_progress_bar, enable_progress_bar

from ..adapter import Adapter
from ..backend import OnStep, Spec, Trainable
from ..cancel import CancelToken
from ..clip import Clip
from ..errors import MissingWeightsError, RequestError
from ..figure import ANCHOR, Figure, place
from ..pose.retarget import rest_track
from ..pose.skeleton import PoseTrack
from ..registry import EMBEDDED
from ..request import GenerateRequest
from ..rig import Puppet, build_puppet, draw
from .conditions import PIXELS, Observation, collate, joint_array, phases
from .detail import apply, as_pixel_art
from .pipeline import EmbeddedPipeline

WEIGHTS = Path(__file__).parent / "weights"


def weights_hash(folder: Path) -> str:
    """Short hash of all that a model folder's answers depend on: weights, configurations, priors."""
    digest = hashlib.sha256()
    for file in sorted(path for path in folder.rglob("*") if path.suffix in (".safetensors", ".json", ".npz")):
        digest.update(file.read_bytes())
    return digest.hexdigest()[:12]


def observe(puppet: Puppet, figure: Figure, track: PoseTrack, action: str, size: int = PIXELS) -> Observation:
    """What the network sees of a puppet acting along a track."""
    rest = rest_track(figure, puppet.placement, 1)
    drawn = draw(puppet, track, size)
    return Observation(
        reference=draw(puppet, rest, size).frames[0],
        reference_joints=joint_array(rest)[0],
        rig=drawn.frames,
        confidence=drawn.confidence,
        joints=joint_array(track),
        action=action,
        facing=figure.facing,
        phase=phases(len(track), track.loop),
    )


class EmbeddedBackend:
    """Runs on the CPU in under a second a clip; on any device that torch knows."""

    spec: Spec = EMBEDDED

    def __init__(self, device: str = "cpu", weights: Path = WEIGHTS) -> None:
        if not (weights / "model_index.json").is_file():
            raise MissingWeightsError(
                f"The embedded model's weights are missing from {weights}. They ship with Sprightly: "
                "fetch the repository again, or train them with `python -m lora_trainer.base train`."
            )
        self.weights = weights
        self.base = weights_hash(weights)
        disable_progress_bar()  # two small files; a bar on the artist's terminal says nothing
        self.pipeline = EmbeddedPipeline.from_pretrained(weights, dtype=torch.float32).to(device)
        enable_progress_bar()
        self.pipeline.set_progress_bar_config(disable=True)
        self._puppets: OrderedDict[bytes, Puppet] = OrderedDict()

    def generate(self, request: GenerateRequest, on_step: OnStep, cancel: CancelToken) -> Clip:
        """Draws the action; see `Backend.generate`."""
        self.spec.check(request)
        figure, mirrored = request.figure, request.facing != request.figure.facing
        if mirrored and {request.facing, figure.facing} != {"left", "right"}:
            raise RequestError(
                f"This art is drawn facing {figure.facing}; the embedded model cannot turn it to face "
                f"{request.facing}. Ask for {figure.facing}, or make a character from art that faces {request.facing}."
            )
        puppet = self._puppet(figure)
        guided = request.pose is not None
        track = request.pose or rest_track(figure, place(figure), request.frames)
        track = PoseTrack(track.joints, track.confidence, request.fps, request.loop)
        seen = observe(puppet, figure, track, request.action)
        seen = seen if guided else seen.unguided()
        large = draw(puppet, track, request.size)
        cancel.check()

        def step(done: int, total: int) -> None:
            cancel.check()
            on_step(done, total)

        with self._adapted(request):
            given = collate([seen], self.pipeline.denoiser)
            rng = torch.Generator().manual_seed(request.seed)
            finish = self.pipeline(given, request.steps, rng, step).finish
        frames = apply(finish, seen.rig, large.frames, large.confidence)
        if figure.pixel_art:
            keep = (large.confidence > 127) & guided
            frames = np.where(keep[..., None], large.frames, as_pixel_art(frames, figure))
        if mirrored:
            frames = np.ascontiguousarray(frames[:, :, ::-1])
        return Clip(
            frames,
            request.fps,
            request.action,
            request.facing,
            request.loop,
            ANCHOR,
            origin={
                "backend": self.spec.name,
                "base": self.base,
                "seed": request.seed,
                "steps": request.steps,
                "guided": guided,
                "adapter": request.adapter.folder.name if request.adapter else None,
                "adapter_scale": request.adapter_scale if request.adapter else None,
            },
        )

    def trainable(self, rank: int, seed: int) -> Trainable:
        """A fresh copy of the denoiser with an untrained LoRA of this rank."""
        from .trainable import EmbeddedTrainable

        return EmbeddedTrainable(self.weights, rank, seed, str(self.pipeline.device))

    def _puppet(self, figure: Figure) -> Puppet:
        parts = b"" if figure.parts is None else figure.parts.tobytes()
        flags = f"{figure.art.shape}{figure.facing}{figure.pixel_art}".encode()
        key = hashlib.sha256(figure.art.tobytes() + figure.joints.tobytes() + parts + flags).digest()
        if key not in self._puppets:
            self._puppets[key] = build_puppet(figure)
            if len(self._puppets) > 4:
                self._puppets.popitem(last=False)
        self._puppets.move_to_end(key)
        return self._puppets[key]

    @contextmanager
    def _adapted(self, request: GenerateRequest) -> Iterator[None]:
        """The adapter in place for the length of the block."""
        adapter: Adapter | None = request.adapter
        if adapter is None:
            yield
            return
        if adapter.base != self.base:
            raise RequestError(
                f"This look was trained on other base weights ({adapter.base}) than the installed ones ({self.base}). "
                "Train the character again; with the same samples it takes as long as the first time."
            )
        self.pipeline.load_lora_weights(str(adapter.folder), adapter_name="look")
        self.pipeline.denoiser.set_adapters("look", request.adapter_scale)
        try:
            yield
        finally:
            self.pipeline.unload_lora_weights()
