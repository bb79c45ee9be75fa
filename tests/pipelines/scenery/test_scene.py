"""The folder of a scene, its reference view, and its loops."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from PIL import Image

from pipelines.errors import PictureError
from pipelines.scenery import Layer, Scene, loop_sideways, seam
from pipelines.scenery.loop import least_cut


def small() -> Scene:
    sky = np.full((6, 8, 4), (10, 20, 30, 255), np.uint8)
    post = np.zeros((3, 5, 4), np.uint8)
    post[:, 1] = (200, 0, 0, 255)
    post[:, 2] = (200, 0, 0, 128)
    return Scene(8, 6, 4, 5, (Layer("sky", sky, 0.0, True), Layer("ground", post, 1.0, True, 0, 3)))


def test_the_view_scrolls_each_layer_by_its_factor() -> None:
    view = small().view(0)
    assert view.shape == (6, 8, 3)
    assert (view[3, [1, 6]] == (200, 0, 0)).all() and (view[2] == (10, 20, 30)).all()
    assert np.abs(view[3, 2].astype(int) - (105, 10, 15)).max() <= 1
    moved = small().view(2)
    assert (moved[3, 4] == (200, 0, 0)).all() and (moved[3, 1] == (10, 20, 30)).all()
    assert (small().view(5) == view).all(), "a period on, the same"
    once = Scene(8, 6, 4, 5, (small().layers[0], Layer("near", small().layers[1].picture, 0.5, False, 2, 3)))
    assert (once.view(4)[3, 1] == (200, 0, 0)).all() and (once.view(4)[3, 6] == (10, 20, 30)).all()
    assert (once.view(1000) == (10, 20, 30)).all()


@settings(max_examples=20, deadline=None)
@given(
    arrays(np.uint8, st.tuples(st.integers(1, 6), st.integers(1, 9), st.just(4))),
    st.floats(0, 1),
    st.booleans(),
    st.integers(-50, 50),
)
def test_saved_and_loaded_it_is_the_same(
    tmp_path_factory: pytest.TempPathFactory, picture: np.ndarray, factor: float, loops: bool, x: int
) -> None:
    folder = tmp_path_factory.mktemp("scene")
    scene = Scene(12, 9, 3, 7, (small().layers[0], Layer("near", picture, factor, loops, x, 2)))
    scene.save(folder)
    again = Scene.load(folder)
    assert again.about() == scene.about()
    assert all((a.picture == b.picture).all() for a, b in zip(again.layers, scene.layers, strict=True))
    assert (again.view(7.5) == scene.view(7.5)).all()


def test_the_keys_are_stable(tmp_path: Path) -> None:
    small().save(tmp_path)
    about = json.loads((tmp_path / "scene.json").read_text())
    assert set(about) == {"format", "version", "width", "height", "horizon", "ground", "layers"}
    assert set(about["layers"][0]) == {"name", "file", "factor", "loops", "x", "y", "width", "height"}
    assert (about["format"], about["version"]) == ("sprightly-scene", 1)


def broken(folder: Path, change: dict[str, Any], layer: dict[str, Any]) -> None:
    small().save(folder)
    path = folder / "scene.json"
    about = json.loads(path.read_text())
    about.update(change)
    if about.get("layers"):
        about["layers"][1].update(layer)
    path.write_text(json.dumps(about))


@pytest.mark.parametrize(
    ("change", "layer"),
    [
        ({"version": 9}, {}),
        ({"width": "8"}, {}),
        ({"height": 10**9}, {}),
        ({"ground": 7}, {}),
        ({"layers": []}, {}),
        ({"layers": None}, {}),
        ({}, {"file": "../ground.png"}),
        ({}, {"file": "/ground.png"}),
        ({}, {"file": "other.png"}),
        ({}, {"factor": 1.5}),
        ({}, {"factor": float("nan")}),
        ({}, {"loops": 1}),
        ({}, {"width": 4}),
        ({}, {"y": 10**6}),
        ({}, {"x": True}),
    ],
)
def test_a_folder_from_elsewhere_is_not_trusted(tmp_path: Path, change: dict[str, Any], layer: dict[str, Any]) -> None:
    broken(tmp_path, change, layer)
    with pytest.raises(PictureError, match="Split the picture again"):
        Scene.load(tmp_path)


def test_what_is_no_scene_is_refused(tmp_path: Path) -> None:
    with pytest.raises(PictureError, match="no whole scene"):
        Scene.load(tmp_path)
    (tmp_path / "scene.json").write_text("[]")
    with pytest.raises(PictureError, match="cannot be read"):
        Scene.load(tmp_path)
    small().save(tmp_path)
    Image.new("RGB", (5, 3)).save(tmp_path / "ground.png", "GIF")
    with pytest.raises(PictureError, match="cannot be read"):
        Scene.load(tmp_path)


def stripes(width: int, period: int) -> np.ndarray:
    """uint8 (24, W, 4): a smooth wave of colour with a period."""
    x = np.arange(width)
    wave = 127 + 120 * np.sin(2 * np.pi * x / period)
    row = np.stack([wave, 255 - wave, np.full(width, 90.0), np.full(width, 255.0)], axis=1)
    return np.broadcast_to(np.round(row), (24, width, 4)).astype(np.uint8)


@settings(max_examples=25, deadline=None)
@given(st.integers(70, 200), st.integers(20, 40))
def test_a_periodic_picture_loops_cleanly(width: int, period: int) -> None:
    picture = stripes(width, period)
    looped = loop_sideways(picture)
    assert looped.shape[0] == 24 and 0.68 * width < looped.shape[1] <= width
    assert seam(looped) <= max(1.9, seam(picture) / 3)


def test_a_looping_picture_is_kept_and_one_that_does_not_is_mended() -> None:
    kept = stripes(120, 30)
    assert (loop_sideways(kept) == kept).all()
    ramp = np.zeros((20, 200, 4), np.uint8)
    ramp[..., 3] = 255
    ramp[..., 0] = np.arange(200)
    assert seam(ramp) > 50 and seam(loop_sideways(ramp)) < 2
    assert set(np.unique(loop_sideways(ramp)[..., 3])) == {255}
    assert (loop_sideways(ramp[:, :10]) == ramp[:, :10]).all()


@settings(max_examples=25, deadline=None)
@given(arrays(np.uint8, st.tuples(st.integers(1, 7), st.integers(1, 6))))
def test_the_cut_is_the_cheapest_path(error: np.ndarray) -> None:
    path = least_cut(error.astype(float))
    assert (np.abs(np.diff(path)) <= 1).all()
    best = error[0].astype(int)
    for row in error[1:].astype(int):
        best = row + np.array([best[max(0, i - 1) : i + 2].min() for i in range(len(best))])
    assert error[np.arange(len(error)), path].astype(int).sum() == best.min()
