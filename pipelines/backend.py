"""The contract of a model that draws, and of one that learns a character."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from .cancel import CancelToken
from .clip import Clip
from .errors import RequestError
from .figure import Figure
from .pose.skeleton import PoseTrack
from .request import GenerateRequest

if TYPE_CHECKING:
    import numpy as np
    import torch

OnStep = Callable[[int, int], None]
"""Called as `(done, total)` after every denoising step."""


@dataclass(frozen=True)
class Spec:
    """What a backend can do and what it needs; the page and the checks read this, never the name."""

    name: str
    title: str
    sizes: tuple[int, ...]
    """Cell sizes that look right, in pixels."""
    frame_rule: tuple[int, int] = (1, 0)
    """`(n, r)`: frame counts f with f % n == r are valid; (1, 0) is any, (4, 1) is 4N+1."""
    max_frames: int = 64
    pose: bool = True
    text: bool = False
    alpha: bool = True
    """True: draws RGBA itself; False: the clip is matted afterwards."""
    memory_gb: float = 1.0
    """Peak memory of generating one action, GPU for the large backends."""
    train_memory_gb: float = 2.0
    licence: str = "Apache-2.0"
    download: str = ""
    """Where the weights come from, with size; empty when they ship in the repo."""
    note: str = ""
    """One sentence for the artist: what it is good at, what it is not."""

    def check(self, request: GenerateRequest) -> None:
        """Raises `RequestError` with the nearest valid values (field report: silent clamping)."""
        every, rest = self.frame_rule
        if request.frames > self.max_frames:
            raise RequestError(f"{self.title} draws up to {self.max_frames} frames; got {request.frames}.")
        if request.frames % every != rest:
            low = (request.frames - rest) // every * every + rest
            near = " or ".join(str(n) for n in (low, low + every) if n > 0)
            raise RequestError(f"{self.title} needs {every}N+{rest} frames; got {request.frames}. Use {near}.")
        if request.pose is not None and not self.pose:
            raise RequestError(f"{self.title} takes no pose guidance; set guidance to none.")
        if request.adapter is not None and request.adapter.backend != self.name:
            raise RequestError(
                f"This look was trained for {request.adapter.backend}, not for {self.title}; "
                "train it again or switch the model."
            )


@dataclass(frozen=True)
class TrainingSample:
    """One still (T = 1) or one animated sample of the character, in its cell."""

    frames: np.ndarray
    """uint8 (T, S, S, 4) straight alpha."""
    track: PoseTrack | None
    """Joints of every frame; None where none could be found."""
    action: str = "idle"
    caption: str = ""
    weight: float = 1.0
    """Share of the loss; pseudo-samples (drawn by the rig itself) weigh less."""


Batch = dict[str, Any]
"""Tensors of one training batch by name; opaque to the loop."""


class Trainable(Protocol):
    """What the one training loop needs from any backbone. Made by `Backend.trainable`, with a fresh LoRA in place."""

    def parameters(self) -> Iterable[torch.nn.Parameter]:
        """The LoRA parameters alone."""

    def encode(self, sample: TrainingSample, figure: Figure) -> Sequence[Batch]:
        """Everything that does not change during training, as cached items of batch size 1."""

    def augment(self, figure: Figure, rng: np.random.Generator) -> Batch:
        """A fresh self-supervised item from the still art alone (R46), batch size 1."""

    def prior(self, rng: np.random.Generator) -> Batch:
        """An item of another character whose target is the base model's own answer (R30), batch size 1."""

    def loss(self, items: Sequence[Batch], rng: torch.Generator) -> torch.Tensor:
        """Mean loss of the items, differentiable."""

    def load_adapter(self, folder: Path) -> None:
        """Puts a saved adapter's weights in place of the current ones."""

    def save_adapter(self, folder: Path) -> None:
        """Writes the current weights as diffusers LoRA safetensors."""


class Backend(Protocol):
    """A model that draws. Stateless between calls: adapters are put in place and taken out within one call."""

    @property
    def spec(self) -> Spec: ...

    @property
    def base(self) -> str:
        """Short hash of the base weights, stored with every adapter."""

    def generate(self, request: GenerateRequest, on_step: OnStep, cancel: CancelToken) -> Clip:
        """Draws the action. Raises `RequestError`, `MissingWeightsError` or `Cancelled`."""

    def trainable(self, rank: int, seed: int) -> Trainable:
        """A copy of the model with a fresh LoRA of this rank. Raises `RequestError` where training is not possible."""
