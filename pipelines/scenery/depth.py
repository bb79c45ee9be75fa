"""How far away everything in a picture is, by a learned model, only with weights that are already here."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ..errors import MissingWeightsError, RequestError


@dataclass(frozen=True)
class DepthModel:
    """One model that `transformers` can load."""

    name: str
    title: str
    source: str
    """Repository on the Hugging Face hub."""
    megabytes: int
    licence: str


DEPTH_MODELS: dict[str, DepthModel] = {
    m.name: m
    for m in (
        DepthModel(
            "depth-anything-v2-small",
            "Depth Anything V2 small",
            "depth-anything/Depth-Anything-V2-Small-hf",
            99,
            "Apache-2.0",
        ),
        DepthModel("dpt-large", "DPT large", "Intel/dpt-large", 1370, "Apache-2.0"),
    )
}


def available_depth_models() -> list[DepthModel]:
    """Models whose weights are in the hub's cache on this machine."""
    from huggingface_hub import try_to_load_from_cache

    return [m for m in DEPTH_MODELS.values() if isinstance(try_to_load_from_cache(m.source, "config.json"), str)]


def depth_of(
    rgb: np.ndarray, model: str | Path = "depth-anything-v2-small", allow_download: bool = False
) -> np.ndarray:
    """float32 (H, W) 0..1, 1 nearest, of uint8 (H, W, 3).

    model: a key of `DEPTH_MODELS`, or a folder with a depth model of `transformers`. Raises `RequestError` and, unless
    the weights are here or `allow_download` is set, `MissingWeightsError`.
    """
    if isinstance(model, str) and model not in DEPTH_MODELS:
        raise RequestError(f"There is no depth model {model!r}. Use one of: {', '.join(DEPTH_MODELS)}.")
    # The folder is found first: given a name, `transformers` asks the hub even where it is told not to.
    folder = on_disk(model, allow_download)
    import torch
    from PIL import Image
    from transformers import AutoImageProcessor, AutoModelForDepthEstimation

    net = AutoModelForDepthEstimation.from_pretrained(folder, local_files_only=True).eval()
    prepare = AutoImageProcessor.from_pretrained(folder, local_files_only=True)
    inputs = prepare(images=Image.fromarray(rgb), return_tensors="pt")
    with torch.no_grad():
        predicted = net(**inputs).predicted_depth[:, None]  # (1, 1, h, w)
    full = torch.nn.functional.interpolate(predicted, rgb.shape[:2], mode="bicubic", align_corners=False)[0, 0]
    inverse = full.float().numpy()
    low, high = np.percentile(inverse, (1, 99))
    return np.clip((inverse - low) / max(float(high - low), 1e-12), 0, 1).astype(np.float32)


def on_disk(model: str | Path, allow_download: bool = False) -> Path:
    """The folder with the model's files. Raises `MissingWeightsError`."""
    if isinstance(model, str):
        from huggingface_hub import snapshot_download

        try:
            folder = Path(snapshot_download(DEPTH_MODELS[model].source, local_files_only=not allow_download))
        except OSError as error:
            raise MissingWeightsError(missing(model)) from error
    else:
        folder = model
    if not all((folder / name).is_file() for name in ("config.json", "preprocessor_config.json")):
        raise MissingWeightsError(missing(model))
    return folder


def missing(model: str | Path) -> str:
    """What to fetch, how big it is, and the command that does it."""
    if not isinstance(model, str):
        return f"The folder {model.name} holds no depth model of transformers (config.json, preprocessor_config.json)."
    row = DEPTH_MODELS[model]
    return (
        f"The weights of {row.title} are not on this machine. Fetch them with `hf download {row.source}` "
        f"({row.megabytes} MB, {row.licence}), or split the picture by its horizon or by masks of your own."
    )
