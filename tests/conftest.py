"""What tests of the studio share: a studio in a temporary folder, and a small character drawn by code."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from studio.character_art import cell_for
from studio.library import Character
from studio.library.disk import new_id
from studio.library.joints import Joints, placed
from studio.settings import Settings
from studio.studio import Desk, Studio

REPO = Path(__file__).resolve().parents[1]

HERO: Joints = placed(
    {
        "pelvis": (24, 36),
        "chest": (24, 23),
        "neck": (24, 19),
        "head": (24, 12),
        "crown": (24, 4),
        "l_shoulder": (29, 23),
        "l_elbow": (32, 29),
        "l_wrist": (33, 36),
        "r_shoulder": (19, 23),
        "r_elbow": (16, 29),
        "r_wrist": (15, 36),
        "l_hip": (27, 37),
        "l_knee": (28, 47),
        "l_ankle": (28, 57),
        "l_toe": (32, 59),
        "r_hip": (21, 37),
        "r_knee": (20, 47),
        "r_ankle": (20, 57),
        "r_toe": (24, 59),
        "weapon_tip": None,
        "offhand_tip": None,
    }
)
"""Joints of `hero_art`, in its pixels."""


def hero_art() -> np.ndarray:
    """uint8 (64, 48, 4): a blocky hero of six flat colours that stands facing right."""
    art = np.zeros((64, 48, 4), np.uint8)
    for rows, columns, colour in (
        ((4, 19), (18, 31), (236, 190, 150)),
        ((4, 8), (17, 32), (90, 50, 30)),
        ((19, 38), (19, 30), (40, 90, 170)),
        ((22, 37), (14, 19), (200, 60, 50)),
        ((22, 37), (30, 35), (200, 60, 50)),
        ((38, 58), (18, 23), (60, 60, 70)),
        ((38, 58), (26, 31), (60, 60, 70)),
        ((57, 61), (18, 26), (30, 25, 25)),
        ((57, 61), (26, 34), (30, 25, 25)),
    ):
        art[slice(*rows), slice(*columns)] = (*colour, 255)
    return art


@pytest.fixture
def hero_png(tmp_path: Path) -> Path:
    """The hero as an uploaded file."""
    path = tmp_path / "hero.png"
    Image.fromarray(hero_art()).save(path)
    return path


@pytest.fixture
def studio(tmp_path: Path) -> Studio:
    return Studio(Settings(home=tmp_path / "home", device="cpu", examples=False))


@pytest.fixture
def desk(studio: Studio) -> Desk:
    return studio.desk()


@pytest.fixture
def hero(desk: Desk, hero_png: Path) -> Character:
    """The hero in the desk's library, joints placed by hand."""
    return add_hero(desk, hero_png)


def add_hero(desk: Desk, picture: Path) -> Character:
    art = hero_art()
    character = Character(
        id=new_id(), name="Hero", joints=HERO, pixel_art=True, cell=cell_for(art, HERO, True), method="alpha"
    )
    return desk.library.create(character, art, picture)


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """For child processes: one thread, this checkout, nothing of the user's own studio."""
    paths = [str(REPO), *filter(None, [os.environ.get("PYTHONPATH")])]
    quiet = {"OMP_NUM_THREADS": "1", "HF_HUB_OFFLINE": "1", "SPRIGHTLY_HOME": str(tmp_path / "home")}
    return {**os.environ, **quiet, "PYTHONPATH": os.pathsep.join(paths)}
