"""The embedded model as a diffusers pipeline: a denoiser and a flow-matching scheduler."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from diffusers.loaders.lora_base import LoraBaseMixin
from diffusers.pipelines.pipeline_utils import DiffusionPipeline
from diffusers.schedulers.scheduling_flow_match_euler_discrete import FlowMatchEulerDiscreteScheduler
from diffusers.utils import BaseOutput
from torch import Tensor

from ..adapter import WEIGHTS
from .denoiser import Conditions, EmbeddedDenoiser, Finish


@dataclass
class EmbeddedOutput(BaseOutput):  # type: ignore[misc]
    """Frames (B, T, 4, S, S) premultiplied in 0..1, and the finish that the last step applied to the rig."""

    frames: Tensor
    finish: Finish


class EmbeddedPipeline(DiffusionPipeline, LoraBaseMixin):  # type: ignore[misc]
    """`from_pretrained` and `save_pretrained` round trip; adapters through `load_lora_weights`."""

    denoiser: EmbeddedDenoiser
    scheduler: FlowMatchEulerDiscreteScheduler
    _lora_loadable_modules = ["denoiser"]  # noqa: RUF012  (diffusers reads a list)

    def __init__(self, denoiser: EmbeddedDenoiser, scheduler: FlowMatchEulerDiscreteScheduler) -> None:
        super().__init__()
        self.register_modules(denoiser=denoiser, scheduler=scheduler)

    def load_lora_weights(  # type: ignore[override]
        self, pretrained_model_name_or_path_or_dict: Any, adapter_name: str | None = None, **kwargs: Any
    ) -> None:
        """Loads an adapter folder, file or state dict (diffusers' own contract) into the denoiser; never a pickle."""
        kwargs = {"weight_name": WEIGHTS, **kwargs, "use_safetensors": True}
        self.denoiser.load_lora_adapter(
            pretrained_model_name_or_path_or_dict, prefix=None, adapter_name=adapter_name, _pipeline=self, **kwargs
        )

    @torch.no_grad()
    def __call__(
        self,
        given: Conditions,
        num_inference_steps: int = 1,
        generator: torch.Generator | None = None,
        on_step: Callable[[int, int], None] = lambda done, total: None,
    ) -> EmbeddedOutput:
        """Draws every clip of the batch. All frames of a clip start from the same noise, which keeps texture still."""
        b, t, _, size, _ = given.rig.shape
        device = self._execution_device
        noise = torch.randn(b, 1, 4, size, size, generator=generator).expand(b, t, 4, size, size)
        x = noise.to(device).contiguous()
        given = given.to(device)
        sigmas = np.linspace(1, 1 / num_inference_steps, num_inference_steps).tolist()
        self.scheduler.set_timesteps(sigmas=sigmas, device=device)
        finish: Finish | None = None
        for done, moment in enumerate(self.scheduler.timesteps, start=1):
            level = self.scheduler.sigmas[done - 1]
            finish = self.denoiser(x, level.expand(b).to(device), given)
            velocity = (x - finish.apply(given.rig)) / level  # noise - x0
            x = self.scheduler.step(velocity, moment, x, return_dict=False)[0]  # type: ignore[arg-type]
            on_step(done, num_inference_steps)
        assert finish is not None
        return EmbeddedOutput(frames=x, finish=finish)
