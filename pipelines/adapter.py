"""An adapter: one character's LoRA for one backend, as a folder of safetensors and JSON."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from .errors import LibraryError

WEIGHTS = "pytorch_lora_weights.safetensors"
"""The file name that diffusers' `load_lora_weights` looks for."""


@dataclass(frozen=True)
class Adapter:
    """Trained weights of a character's look. The folder holds `WEIGHTS` and `adapter.json`."""

    folder: Path
    backend: str
    """Registry name of the backend whose base weights it was trained on."""
    base: str
    """Short hash of those base weights: an adapter on other weights is refused, not silently wrong."""
    rank: int
    trigger: str = ""
    """Caption of the character's look, used as the prompt's character part."""
    proof: dict[str, Any] = field(default_factory=dict)
    """Measured at the end of training: off/on distance, fidelity, motion energy, seconds."""

    @property
    def weights(self) -> Path:
        return self.folder / WEIGHTS

    def save(self) -> None:
        """Writes `adapter.json` beside the weights."""
        body = {key: value for key, value in asdict(self).items() if key != "folder"}
        (self.folder / "adapter.json").write_text(json.dumps(body, indent=1), encoding="utf-8")

    @classmethod
    def load(cls, folder: Path) -> Adapter:
        """Raises `LibraryError` when the folder holds no finished adapter."""
        if not (folder / "adapter.json").is_file() or not (folder / WEIGHTS).is_file():
            raise LibraryError(f"{folder.name} holds no finished adapter; train the character again.")
        return cls(folder, **json.loads((folder / "adapter.json").read_text(encoding="utf-8")))
