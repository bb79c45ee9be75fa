from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
import torch
from PIL import Image

from pipelines.embedded.backend import EmbeddedBackend
from pipelines.embedded.denoiser import EmbeddedDenoiser
from pipelines.figure import Figure, place
from pipelines.pose.motion import ACTIONS
from pipelines.pose.retarget import fit
from pipelines.pose.skeleton import INDEX, N_JOINTS

ART = Path(__file__).parents[3] / "examples" / "art"


@pytest.fixture(scope="session")
def knight() -> Figure:
    """The example knight at 256 px."""
    about = json.loads((ART / "knight.json").read_text(encoding="utf-8"))
    art = np.asarray(Image.open(ART / "knight.png").convert("RGBA").resize((256, 256), Image.Resampling.BOX))
    joints = np.zeros((N_JOINTS, 3), np.float32)
    for name, xy in about["joints"].items():
        if xy is not None:
            joints[INDEX[name]] = (xy[0] / 4, xy[1] / 4, 1)
    return Figure(art * (art[..., 3:] > 0), joints, about["facing"])


@pytest.fixture(scope="session")
def hero(knight: Figure) -> Figure:
    """A pixel-art figure: the knight at 48 px with hard alpha and sixteen colours."""
    small = cv2.resize(knight.art, (48, 48), interpolation=cv2.INTER_AREA)
    colours = np.asarray(Image.fromarray(small[..., :3]).quantize(16, dither=Image.Dither.NONE).convert("RGB"))
    alpha = np.where(small[..., 3:] > 127, 255, 0).astype(np.uint8)
    joints = knight.joints.copy()
    joints[:, :2] *= 48 / 256
    return Figure(np.concatenate([colours * (alpha > 0), alpha], -1).astype(np.uint8), joints, "right", pixel_art=True)


@pytest.fixture(scope="session")
def walk(knight: Figure):
    """Eight poses of the knight's walk."""
    return fit(ACTIONS["walk"], knight, place(knight), 8, 12)


@pytest.fixture(scope="session")
def backend() -> EmbeddedBackend:
    """The backend with the weights that ship."""
    return EmbeddedBackend()


@pytest.fixture
def untrained() -> EmbeddedDenoiser:
    """A small network with random weights."""
    torch.manual_seed(0)
    return EmbeddedDenoiser(widths=(32, 48), heads=2, condition=32, actions=("idle", "walk")).eval()
