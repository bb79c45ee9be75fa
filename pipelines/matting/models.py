"""Learned cut-outs through rembg, only with weights that are already on this machine."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ..errors import MissingWeightsError, RequestError

RELEASE = "https://github.com/danielgatis/rembg/releases/download/v0.0.0/"


@dataclass(frozen=True)
class MattingModel:
    """One rembg session."""

    name: str
    title: str
    about: str
    remote: str
    """File name in rembg's release."""
    megabytes: int
    licence: str

    @property
    def file(self) -> str:
        """File name on disk."""
        return f"{self.name}.onnx"


MODELS: dict[str, MattingModel] = {
    m.name: m
    for m in (
        MattingModel("isnet-anime", "IS-Net anime", "Drawn characters.", "isnet-anime.onnx", 176, "Apache-2.0"),
        MattingModel(
            "birefnet-general-lite",
            "BiRefNet lite",
            "Sharp outlines on busy paintings.",
            "BiRefNet-general-bb_swin_v1_tiny-epoch_232.onnx",
            224,
            "MIT",
        ),
        MattingModel(
            "birefnet-general", "BiRefNet", "The sharpest, and slow.", "BiRefNet-general-epoch_244.onnx", 973, "MIT"
        ),
        MattingModel(
            "isnet-general-use", "IS-Net", "Photographs and renders.", "isnet-general-use.onnx", 179, "Apache-2.0"
        ),
        MattingModel("u2net", "U2-Net", "An all-rounder.", "u2net.onnx", 176, "Apache-2.0"),
        MattingModel("u2netp", "U2-Net small", "An all-rounder of 5 MB.", "u2netp.onnx", 5, "Apache-2.0"),
    )
}


def homes(name: str) -> list[Path]:
    """Folders where a model's file is looked for, best first: rembg's own order, old and new."""
    home, data = os.environ.get("U2NET_HOME"), os.environ.get("XDG_DATA_HOME")
    new = Path(home or os.environ.get("REMBG_HOME") or (Path(data) / "rembg" if data else "~/.rembg"))
    old = Path(home or Path(data or "~") / ".u2net")
    return [new.expanduser() / "models" / name, old.expanduser()]


def on_disk(name: str) -> Path | None:
    """The model's file, or None."""
    found = [folder / MODELS[name].file for folder in homes(name)]
    return next((path for path in found if path.is_file()), None)


def available_models() -> list[MattingModel]:
    """Models whose weights are here, for the page to offer."""
    return [model for name, model in MODELS.items() if on_disk(name)]


def model_alpha(rgb: np.ndarray, name: str, allow_download: bool = False) -> np.ndarray:
    """float32 (H, W) 0..1 for uint8 (H, W, 3).

    The body is made solid, since these nets leave it see-through (field report 19); only the outline stays soft.
    Raises `MissingWeightsError` unless the weights are on disk or `allow_download` is set.
    """
    from PIL import Image

    if name not in MODELS:
        raise RequestError(f"There is no cut-out model {name!r}. Use one of: {', '.join(MODELS)}.")
    if on_disk(name) is None and not allow_download:
        raise MissingWeightsError(missing(name))
    import rembg

    session = rembg.new_session(name, providers=["CPUExecutionProvider"])
    mask = session.predict(Image.fromarray(rgb))[0]
    soft = np.asarray(mask.convert("L"), np.float32) / 255
    return np.clip((soft - 0.1) / 0.7, 0, 1)


def missing(name: str) -> str:
    """What to fetch, how big it is, and where to put it."""
    model = MODELS[name]
    return (
        f"The weights of {model.title} are not on this machine. Download {RELEASE}{model.remote} "
        f"({model.megabytes} MB, {model.licence}) and save it as {homes(name)[-1] / model.file}, "
        "or use the cut-out methods that need no weights: key, grabcut."
    )
