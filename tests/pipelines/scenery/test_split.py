"""A scene picture taken apart."""

from __future__ import annotations

import numpy as np
import pytest

from pipelines.errors import PictureError, RequestError
from pipelines.scenery import Scene, seam, split_scene
from pipelines.scenery.areas import FAR, GROUND, NEAR, SKY, areas, ground_row

from .painted import GROUND as SOLE
from .painted import HEIGHT, TREES, WIDTH, valley


@pytest.fixture(scope="module")
def scene() -> Scene:
    return split_scene(valley(), loops=False)


def test_sky_hills_trees_and_ground_are_told_apart() -> None:
    label, row = areas(valley(), None, None)
    assert abs(row - SOLE) <= 1
    assert label[10, 160] == SKY and label[60, 120] == SKY
    assert label[115, 60] == FAR and label[SOLE - 6, 120] == FAR
    assert [label[100, x] for x in TREES] == [NEAR] * 5 and [label[125, x] for x in TREES] == [NEAR] * 5
    assert (label[SOLE + 1 :] == GROUND).all()
    truth = np.zeros((HEIGHT, WIDTH), bool)
    for x in TREES:
        truth[112:SOLE, x - 3 : x + 3] = True
    assert (label[112:SOLE] == NEAR)[truth[112:SOLE]].mean() > 0.95


def test_layers_lie_back_to_front_and_scroll_faster_in_front(scene: Scene) -> None:
    assert [layer.name for layer in scene.layers] == ["sky", "far", "near", "ground"]
    factors = [layer.factor for layer in scene.layers]
    assert factors == sorted(factors) and factors[-1] == 1 and factors[0] >= 0
    assert (scene.layers[0].picture[..., 3] == 255).all() and scene.layers[0].picture.shape[:2] == (HEIGHT, WIDTH)
    assert scene.horizon < scene.ground < HEIGHT
    for layer in scene.layers:
        assert (layer.picture[layer.picture[..., 3] == 0] == 0).all()


def test_the_first_view_is_the_picture(scene: Scene) -> None:
    away = np.abs(scene.view(0).astype(int) - valley()).max(axis=2)
    assert (away > 24).mean() < 0.035


def test_scrolling_opens_no_crack_and_leaves_no_ghost(scene: Scene) -> None:
    far = next(layer for layer in scene.layers if layer.name == "far")
    behind = far.picture[115 - far.y, TREES[1]]
    assert behind[3] == 255 and np.abs(behind[:3].astype(int) - (110, 130, 160)).max() < 30, "hills go on behind a tree"
    sky = scene.layers[0].picture[70, TREES[1], :3].astype(int)
    assert sky[2] > sky[0] + 15 and sky[1] > 120, "and so does the sky"
    strip = far.picture[SOLE - far.y + 4]
    assert (strip[..., 3] == 255).all(), "the ground hides a strip of the hills"


def test_loops_have_no_seam() -> None:
    for layer in split_scene(valley()).layers:
        assert layer.loops and WIDTH * 0.65 < layer.picture.shape[1] <= WIDTH
        assert seam(layer.picture) < 2.5, layer.name


def test_a_horizon_and_masks_drawn_by_hand_overrule() -> None:
    label, row = areas(valley(), 120, None)
    assert row == 120 and (label[120:] == GROUND).all() and not (label[:120] == GROUND).any()
    masks = {"near": np.zeros((HEIGHT, WIDTH), bool), "far": np.zeros((HEIGHT, WIDTH), bool)}
    masks["far"][40:SOLE] = True
    masks["near"][60:90, 200:230] = True
    made = split_scene(valley(), masks=masks, loops=False)
    near = next(layer for layer in made.layers if layer.name == "near")
    assert near.y == 60 and near.picture[..., 3][10, 215] == 255 and near.picture[..., 3][10, 100] == 0


def test_depth_tells_far_from_near() -> None:
    depth = np.zeros((HEIGHT, WIDTH), np.float32)
    depth[60:SOLE, 100:180] = 0.8
    label, _ = areas(valley(), SOLE, depth)
    assert label[100, 140] == NEAR and label[120, 60] == FAR
    assert label[100, TREES[0]] == FAR, "colour has no say beside depth"


def test_indoors_there_is_one_back_wall() -> None:
    rng = np.random.default_rng(2)
    wall = np.repeat(np.repeat(rng.integers(120, 160, (14, 20, 3)), 10, 0), 16, 1).astype(np.uint8)
    wall[105:] = (70, 74, 90)
    made = split_scene(wall, loops=False)
    assert [layer.name for layer in made.layers] == ["far", "ground"] and abs(made.horizon - 105) <= 2
    assert abs(ground_row(wall) - 105) <= 1


def test_the_same_picture_gives_the_same_bytes() -> None:
    one, two = (split_scene(valley()) for _ in range(2))
    assert all((a.picture == b.picture).all() for a, b in zip(one.layers, two.layers, strict=True))


def test_errors_name_the_cure() -> None:
    with pytest.raises(PictureError, match="at least 16"):
        split_scene(np.zeros((8, 8, 3), np.uint8))
    with pytest.raises(RequestError, match="1 to 179"):
        split_scene(valley(), horizon=180)
    with pytest.raises(RequestError, match="same size"):
        split_scene(valley(), depth=np.zeros((4, 4)))
    with pytest.raises(RequestError, match="sky, far, near, ground"):
        split_scene(valley(), masks={"clouds": np.zeros((HEIGHT, WIDTH))})  # type: ignore[dict-item]
    with pytest.raises(RequestError, match="paint it on this picture"):
        split_scene(valley(), masks={"sky": np.zeros((4, 4))})
