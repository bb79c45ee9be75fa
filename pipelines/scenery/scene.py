"""A scene: pictures that scroll at different speeds, on disk as PNG files beside one `scene.json`."""

from __future__ import annotations

import json
import math
import re
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Literal

import numpy as np

from ..errors import PictureError

Name = Literal["sky", "far", "near", "ground"]
NAMES: tuple[Name, ...] = ("sky", "far", "near", "ground")
"""Layers from back to front."""

FACTORS: dict[Name, float] = {"sky": 0.05, "far": 0.3, "near": 0.6, "ground": 1.0}
"""How far each moves, as a share of the way that the character walks."""

FORMAT, VERSION = "sprightly-scene", 1

LARGEST_SIDE = 16384


@dataclass(frozen=True)
class Layer:
    """One picture of a scene."""

    name: str
    """One of `NAMES`; also names its file."""
    picture: np.ndarray
    """uint8 (h, w, 4) straight alpha."""
    factor: float
    """0..1: 0 is nailed to the screen, 1 moves with the character's plane."""
    loops: bool
    """True: repeats sideways with the picture's width as its period."""
    x: int = 0
    y: int = 0
    """Left and top in the scene, px, while the camera is at 0."""


@dataclass(frozen=True)
class Scene:
    """Layers from back to front, seen through a window of `width` x `height` px."""

    width: int
    height: int
    horizon: int
    """y in px, from the top."""
    ground: int
    """y in px on which a character's soles stand."""
    layers: tuple[Layer, ...]

    def view(self, camera: float = 0) -> np.ndarray:
        """uint8 (height, width, 3): what is seen with the camera `camera` px to the right.

        The reference for every player: a layer's left is `x - factor * camera`, rounded to a whole pixel.
        """
        out = np.zeros((self.height, self.width, 3), np.float32)
        for layer in self.layers:
            picture = layer.picture
            columns = np.arange(self.width) - math.floor(layer.x - layer.factor * camera + 0.5)
            if layer.loops:
                columns %= picture.shape[1]
            across = (columns >= 0) & (columns < picture.shape[1])
            top, bottom = max(0, layer.y), min(self.height, layer.y + picture.shape[0])
            if not across.any() or top >= bottom:
                continue
            part = picture[top - layer.y : bottom - layer.y][:, columns[across]].astype(np.float32)
            share = part[..., 3:] / 255
            out[top:bottom, across] = part[..., :3] * share + out[top:bottom, across] * (1 - share)
        return np.round(out).astype(np.uint8)

    def save(self, folder: Path) -> None:
        """Writes a PNG a layer and, last, `scene.json`: a folder without it is no finished scene."""
        from PIL import Image

        folder.mkdir(parents=True, exist_ok=True)
        for layer in self.layers:
            Image.fromarray(layer.picture).save(folder / f"{layer.name}.png")
        (folder / "scene.json").write_text(json.dumps(self.about(), indent=1) + "\n", encoding="utf-8")

    def about(self) -> dict[str, Any]:
        """What `scene.json` says; its keys are stable, and new ones may join them."""
        return {
            "format": FORMAT,
            "version": VERSION,
            **{key: getattr(self, key) for key in ("width", "height", "horizon", "ground")},
            "layers": [
                {
                    "name": layer.name,
                    "file": f"{layer.name}.png",
                    **{key: value for key, value in asdict(replace(layer, picture=np.empty(0))).items() if key in KEYS},
                    "width": layer.picture.shape[1],
                    "height": layer.picture.shape[0],
                }
                for layer in self.layers
            ],
        }

    @classmethod
    def load(cls, folder: Path) -> Scene:
        """Inverse of `save`. The folder may come from anyone: `PictureError` says what is wrong with it."""
        try:
            about = json.loads((folder / "scene.json").read_text(encoding="utf-8"))
            if about.get("format") != FORMAT or about.get("version") != VERSION:
                raise PictureError(f"scene.json is not a {FORMAT} of version {VERSION}. Split the picture again.")
            width, height = (_whole(about[key], 1, LARGEST_SIDE) for key in ("width", "height"))
            horizon, ground = (_whole(about[key], 0, height) for key in ("horizon", "ground"))
            rows = about["layers"]
            if not 1 <= len(rows) <= 16:
                raise ValueError("there must be 1 to 16 layers")
            return cls(width, height, horizon, ground, tuple(_layer(folder, row) for row in rows))
        except FileNotFoundError as error:
            raise PictureError(f"{folder.name} holds no whole scene. Split the picture again.") from error
        except (KeyError, TypeError, AttributeError, ValueError, OSError) as error:
            raise PictureError(
                f"The scene in {folder.name} cannot be read ({error}). Split the picture again."
            ) from error


KEYS = ("factor", "loops", "x", "y")


def _layer(folder: Path, row: dict[str, Any]) -> Layer:
    from PIL import Image

    if not re.fullmatch(r"[\w-]{1,64}\.png", row["file"]):
        raise ValueError(f"{row['file']!r} is not a plain file name")
    if not isinstance(row["loops"], bool) or not isinstance(row["name"], str):
        raise ValueError("a layer has a name, and loops or does not")
    factor = float(row["factor"])
    if not 0 <= factor <= 1:
        raise ValueError(f"a factor is 0 to 1, not {factor}")
    with Image.open(folder / row["file"], formats=["PNG"]) as image:
        if max(image.size) > LARGEST_SIDE or image.size != (row["width"], row["height"]):
            raise ValueError(f"{row['file']} is {image.size[0]} x {image.size[1]} px, scene.json says otherwise")
        picture = np.asarray(image.convert("RGBA"))
    x, y = (_whole(row[key], -LARGEST_SIDE, LARGEST_SIDE) for key in ("x", "y"))
    return Layer(row["name"], picture, factor, row["loops"], x, y)


def _whole(value: Any, least: int, most: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise ValueError(f"{value!r} is not a whole number from {least} to {most}")
    return value
