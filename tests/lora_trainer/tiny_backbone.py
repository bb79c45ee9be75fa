"""A real, very small backbone: a frozen convolutional painter with a peft LoRA, on 32 px cells.

It redraws the art after moving it to and fro. Its random base paints wrong colours: the LoRA has a true problem.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
import torch
from peft import LoraConfig, get_peft_model, get_peft_model_state_dict, set_peft_model_state_dict
from safetensors.torch import load_file, save_file

from pipelines.adapter import WEIGHTS
from pipelines.backend import Batch, OnStep, Spec, TrainingSample
from pipelines.cancel import CancelToken
from pipelines.clip import Clip, clean
from pipelines.figure import Figure
from pipelines.pose.skeleton import JOINTS
from pipelines.request import GenerateRequest

SIZE = 32
SPEC = Spec("tiny", "Tiny painter", (SIZE,), max_frames=17, pose=False)


class Painter(torch.nn.Module):
    """(B, 4, H, W) premultiplied 0..1 to the same: the input plus what two layers add."""

    def __init__(self) -> None:
        super().__init__()
        self.first = torch.nn.Conv2d(4, 16, 3, padding=1)
        self.drop = torch.nn.Dropout(0.05)
        self.last = torch.nn.Conv2d(16, 4, 3, padding=1)

    def forward(self, picture: torch.Tensor) -> torch.Tensor:
        return (picture + self.last(self.drop(torch.nn.functional.silu(self.first(picture))))) * picture[:, 3:].gt(0)


def _painter(rank: int, seed: int) -> torch.nn.Module:
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(7)  # the base weights are always the same
        base = Painter()
        torch.manual_seed(seed)
        return get_peft_model(base, LoraConfig(r=rank, lora_alpha=rank, target_modules=["first", "last"]))


def to_tensor(frames: np.ndarray) -> torch.Tensor:
    """uint8 (T, S, S, 4) to premultiplied (T, 4, S, S) in 0..1."""
    tensor = torch.from_numpy(frames.astype(np.float32) / 255)
    tensor[..., :3] *= tensor[..., 3:]
    return tensor.permute(0, 3, 1, 2)


class TinyTrainable:
    """Counts its encodings, so that a test can tell what the cache saved."""

    def __init__(self, rank: int, seed: int) -> None:
        self.model = _painter(rank, seed).train()
        self.encoded: list[str] = []
        self.priors = 0

    def parameters(self) -> Iterable[torch.nn.Parameter]:
        return [parameter for parameter in self.model.parameters() if parameter.requires_grad]

    def encode(self, sample: TrainingSample, figure: Figure) -> Sequence[Batch]:
        self.encoded.append(sample.action)
        return [{"picture": to_tensor(sample.frames), "weight": sample.weight}]

    def augment(self, figure: Figure, rng: np.random.Generator) -> Batch:
        moved = np.roll(in_cell(figure), int(rng.integers(-3, 4)), axis=1)
        return {"picture": to_tensor(moved[None]), "weight": 1.0}

    def prior(self, rng: np.random.Generator) -> Batch:
        self.priors += 1
        picture = torch.from_numpy(rng.random((1, 4, SIZE, SIZE), dtype=np.float32))
        with torch.no_grad(), self.model.disable_adapter():
            self.model.eval()
            answer = self.model(picture)
            self.model.train()
        return {"picture": picture, "answer": answer, "weight": 1.0}

    def loss(self, items: Sequence[Batch], rng: torch.Generator) -> torch.Tensor:
        losses = []
        for item in items:
            picture = item["picture"]
            noisy = picture + 0.02 * torch.randn(picture.shape, generator=rng) * picture[:, 3:]
            losses.append(item["weight"] * (self.model(noisy) - item.get("answer", picture)).square().mean())
        return torch.stack(losses).mean()

    def load_adapter(self, folder: Path) -> None:
        set_peft_model_state_dict(self.model, load_file(folder / WEIGHTS))

    def save_adapter(self, folder: Path) -> None:
        weights = get_peft_model_state_dict(self.model)
        save_file({name: value.detach().clone().contiguous() for name, value in weights.items()}, folder / WEIGHTS)


def in_cell(figure: Figure) -> np.ndarray:
    """The figure's art is drawn at cell size already: uint8 (32, 32, 4)."""
    return figure.art


class TinyBackend:
    """Moves the art left and right and paints it. `freeze` scales the motion with an adapter on, `deaf` ignores it."""

    base = "tiny-0"

    def __init__(self, freeze: float = 1.0, deaf: bool = False, spec: Spec = SPEC) -> None:
        self.spec = spec
        self.freeze = freeze
        self.deaf = deaf
        self.trainables: list[TinyTrainable] = []

    def generate(self, request: GenerateRequest, on_step: OnStep, cancel: CancelToken) -> Clip:
        cancel.check()
        rank = request.adapter.rank if request.adapter else 4
        model = _painter(rank, 0).eval()
        reach = 4.0
        if request.adapter and not self.deaf:
            set_peft_model_state_dict(model, load_file(request.adapter.weights))
            reach *= self.freeze
        shifts = [round(reach * np.sin(2 * np.pi * n / request.frames)) for n in range(request.frames)]
        frames = np.stack([np.roll(in_cell(request.figure), shift, axis=1) for shift in shifts])
        with torch.no_grad():
            out = model(to_tensor(frames)).clamp(0, 1).permute(0, 2, 3, 1).numpy()
        out[..., :3] /= np.maximum(out[..., 3:], 1e-3)
        painted = (out.clip(0, 1) * 255).round().astype(np.uint8)
        painted[..., 3] = frames[..., 3]
        on_step(1, 1)
        return Clip(clean(painted), request.fps, request.action, request.facing)

    def trainable(self, rank: int, seed: int) -> TinyTrainable:
        self.trainables.append(TinyTrainable(rank, seed))
        return self.trainables[-1]


def tiny_figure(red: int = 200) -> Figure:
    """A body, a head and a belt on 32 x 32, with all its joints in place."""
    art = np.zeros((SIZE, SIZE, 4), dtype=np.uint8)
    art[8:27, 12:20] = (red, 60, 40, 255)
    art[4:10, 12:20] = (235, 190, 150, 255)
    art[17:19, 12:20] = (60, 60, 160, 255)
    where = {"pelvis": (16, 18), "chest": (16, 12), "neck": (16, 10), "head": (16, 7), "crown": (16, 4)}
    where |= {"l_hip": (18, 18), "l_knee": (18, 22), "l_ankle": (18, 26), "l_toe": (19, 26)}
    where |= {"r_hip": (14, 18), "r_knee": (14, 22), "r_ankle": (14, 26), "r_toe": (15, 26)}
    joints = np.zeros((len(JOINTS), 3), dtype=np.float32)
    for number, name in enumerate(JOINTS):
        if name in where:
            joints[number] = (*where[name], 1)
    return Figure(art, joints)


def tiny_sample(frames: int, action: str, figure: Figure | None = None) -> TrainingSample:
    """The art swaying as `TinyBackend` draws it over eight frames."""
    art = in_cell(figure or tiny_figure())
    sliding = np.stack([np.roll(art, round(4 * np.sin(np.pi * n / 4)), axis=1) for n in range(frames)])
    return TrainingSample(sliding, None, action, f"{action} caption")
