"""The example art: pictures, joints and drawings agree with each other."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from PIL import Image
from scipy import ndimage

ART = Path(__file__).resolve().parents[2] / "examples" / "art"
CHARACTERS = ("knight", "witch", "robot", "chibi", "mask", "archer")
ARMS = ("shoulder", "elbow", "wrist")
LEGS = ("hip", "knee", "ankle")
JOINTS = [
    *("pelvis", "chest", "neck", "head"),
    *(f"{side}_{part}" for part_set in (ARMS, LEGS) for side in "lr" for part in part_set),
    *("l_toe", "r_toe", "crown", "weapon_tip", "offhand_tip"),
]


def pixels(name: str) -> np.ndarray:
    """One committed picture as (H, W, C) uint8."""
    return np.asarray(Image.open(ART / f"{name}.png"))


@pytest.fixture(scope="module")
def render() -> ModuleType:
    """examples/art/render.py, loaded from its path because examples are not a package."""
    spec = importlib.util.spec_from_file_location("render_art", ART / "render.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("name", CHARACTERS)
def test_character_is_a_whole_figure_on_a_transparent_canvas(name: str) -> None:
    rgba = pixels(name)
    assert rgba.shape == (1024, 1024, 4)
    assert not rgba[rgba[..., 3] == 0].any(), "RGB is 0 where alpha is 0"
    rows, columns = np.nonzero(rgba[..., 3] > 8)
    assert 50 <= rows.min() <= 110 and 955 <= rows.max() <= 980, "head room and the common ground line"
    assert columns.min() > 30 and columns.max() < 994
    assert (ART / f"{name}.png").stat().st_size < 400_000


@pytest.mark.parametrize("name", CHARACTERS)
def test_character_is_one_piece_and_its_legs_are_apart(name: str) -> None:
    solid = pixels(name)[..., 3] > 127
    _, pieces = ndimage.label(solid, structure=np.ones((3, 3)))
    assert pieces == 1, "nothing floats loose"
    joints = json.loads((ART / f"{name}.json").read_text(encoding="utf-8"))["joints"]
    near, far = joints["r_ankle"], joints["l_ankle"]
    row = (near[1] + far[1]) // 2
    assert (~solid[row, near[0] : far[0]]).sum() >= 20, "background shows between the ankles"


@pytest.mark.parametrize("name", (*CHARACTERS, "hero"))
def test_joints_lie_on_the_figure(name: str) -> None:
    data = json.loads((ART / f"{name}.json").read_text(encoding="utf-8"))
    rgba = pixels(name)
    assert data["size"] == [rgba.shape[1], rgba.shape[0]]
    assert data["facing"] == "right" and data["about"].startswith("a ")
    joints = data["joints"]
    assert list(joints) == JOINTS
    reach = max(1, rgba.shape[0] // 100)
    for joint, at in joints.items():
        if at is not None:
            x, y = at
            near = rgba[max(0, y - reach) : y + reach + 1, max(0, x - reach) : x + reach + 1, 3]
            assert (near > 127).any(), f"{joint} of {name} lies beside the figure"
    assert (data["weapon"] is None) == (joints["weapon_tip"] is None)
    assert joints["crown"][1] < joints["head"][1] < joints["neck"][1] < joints["pelvis"][1]
    assert joints["r_ankle"][0] < joints["l_ankle"][0], "facing right: the near leg stands left"
    for side in "lr":
        assert joints[f"{side}_toe"][0] > joints[f"{side}_ankle"][0], "feet point where the figure faces"


def test_mask_has_no_arms_and_the_others_have_all_limbs() -> None:
    for name in (*CHARACTERS, "hero"):
        joints = json.loads((ART / f"{name}.json").read_text(encoding="utf-8"))["joints"]
        missing = {joint for joint in JOINTS[:19] if joints[joint] is None}
        arms = {f"{side}_{part}" for side in "lr" for part in ARMS}
        assert missing == (arms if name == "mask" else set())


def test_hero_is_true_pixel_art(render: ModuleType) -> None:
    rgba = pixels("hero")
    assert rgba.shape == (48, 48, 4)
    assert set(np.unique(rgba[..., 3])) == {0, 255}
    assert len(np.unique(rgba[rgba[..., 3] == 255], axis=0)) <= 16
    drawn = render.pixel_grid((ART / "hero.txt").read_text(encoding="utf-8"))
    assert np.array_equal(np.asarray(drawn), rgba)


@pytest.mark.parametrize(
    ("name", "character"),
    [("knight_on_white", "knight"), ("witch_on_gradient", "witch"), ("robot_on_busy", "robot")],
)
def test_opaque_picture_shows_the_character_over_its_background(name: str, character: str) -> None:
    rgb, rgba = pixels(name), pixels(character)
    assert rgb.shape == (1024, 1024, 3)
    opaque = rgba[..., 3] == 255
    assert np.array_equal(rgb[opaque], rgba[opaque][:, :3])
    empty = rgba[..., 3] == 0
    steps = np.abs(np.diff(rgb.astype(int), axis=1)).max(axis=2)[empty[:, 1:] & empty[:, :-1]]
    assert (rgb[empty] == 255).all() == (name == "knight_on_white")
    assert ((steps > 20).mean() > 0.005) == (name == "robot_on_busy"), "only the busy scene has edges"


@pytest.mark.parametrize("name", CHARACTERS)
def test_drawing_renders_to_the_committed_picture(name: str, render: ModuleType) -> None:
    pytest.importorskip("resvg_py")
    fresh = np.asarray(render.rasterise((ART / f"{name}.svg").read_text(encoding="utf-8"))).astype(int)
    assert np.abs(fresh - pixels(name)).mean() < 0.5
