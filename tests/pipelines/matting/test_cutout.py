"""The one door: choice of method, errors, notes, other backgrounds, example art."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from pipelines.cancel import CancelToken
from pipelines.errors import Cancelled, NoFigureError, PictureError, RequestError
from pipelines.matting import METHODS, cut_out
from pipelines.matting import cutout as door
from pipelines.matting.grabcut import pinholes, scenery

from .drawn import SIDE, busy, gradient, hero, over, overlap

ROOT = Path(__file__).parents[3]
ART = ROOT / "examples" / "art"
DRAWINGS = Path(os.environ.get("SPRIGHTLY_DATA", ROOT.parent / "shared" / "data")) / "art" / "drawings"
WHITE = (255, 255, 255)


def loaded(path: Path, side: int | None = None) -> np.ndarray:
    image = Image.open(path).convert("RGBA")
    if side:
        image = image.convert("RGBa").resize((side, side), Image.Resampling.BOX).convert("RGBA")
    return np.asarray(image)


def test_every_method_has_a_title_and_a_sentence() -> None:
    assert list(METHODS)[:5] == ["alpha", "key", "drawing", "grabcut", "glow"]
    assert all(method.title and method.about.endswith(".") and method.name == name for name, method in METHODS.items())


def test_a_busy_background_goes_to_grabcut_and_says_so() -> None:
    art = hero()
    cutout = cut_out(over(art, busy()))
    assert cutout.method == "grabcut"
    assert "busy background" in cutout.note and "strokes" in cutout.note
    assert overlap(cutout.art[..., 3], art[..., 3]) > 0.9
    assert cutout.confidence < 1
    assert cutout.art[130, 128, 3] == 255


def test_grabcut_follows_strokes() -> None:
    picture = over(hero(), busy())
    strokes = np.zeros((SIDE, SIDE), np.uint8)
    strokes[20:60, 20:60] = 2
    strokes[182:240, 100:160] = 1
    alpha = cut_out(picture, "grabcut", strokes=strokes).art[..., 3]
    assert (alpha[22:58, 22:58] > 200).all()
    assert (alpha[190:235, 105:150] == 0).all()


def test_grabcut_edges_carry_no_scenery() -> None:
    art = hero()
    cutout = cut_out(over(art, busy())).art
    inside = (art[..., 3] == 255) & (cutout[..., 3] == 255)
    assert (cutout[inside] == art[inside]).all()
    soft = (cutout[..., 3] > 30) & (cutout[..., 3] < 225)
    green = cutout[soft][:, 1].astype(int) - cutout[soft][:, [0, 2]].max(axis=1)
    assert (green > 25).mean() < 0.2


def test_scenery_apart_from_the_figure_goes_and_eyes_stay() -> None:
    """A window and a vase of the figure's own colours were kept; its lamps, of the scenery's, were opened."""
    figure = np.zeros((120, 120), bool)
    figure[20:110, 40:80] = True
    figure[30:34, 50:54] = False
    figure[60:80, 52:66] = False
    figure[10:40, 100:118] = True
    figure[50:56, 80:83] = True
    apart = scenery(figure, None)
    assert apart[20, 110] and not apart[60, 45] and not apart[52, 81]
    closed = pinholes(figure, None)
    assert closed[31, 51] and not closed[70, 60] and not closed[0, 0]
    brush = np.zeros((120, 120), np.uint8)
    brush[20, 110], brush[31, 51] = 2, 1
    assert not scenery(figure, brush).any() and not pinholes(figure, brush).any()


def test_colour_is_zero_under_transparency_and_the_size_stays() -> None:
    cutout = cut_out(over(hero(), gradient()))
    assert cutout.art.shape == (SIDE, SIDE, 4) and cutout.art.dtype == np.uint8
    assert (cutout.art[cutout.art[..., 3] == 0] == 0).all()


def test_large_pictures_are_solved_small_and_carried_back(monkeypatch: pytest.MonkeyPatch) -> None:
    art = hero(512)
    picture = over(art, WHITE)
    monkeypatch.setattr(door, "WORKING_SIDE", 256)
    strokes = np.zeros((512, 512), np.uint8)
    strokes[270:276, 340:350] = 2
    cutout = cut_out(picture, strokes=strokes)
    assert cutout.art.shape == art.shape
    assert cutout.art[273, 345, 3] == 255
    cutout.art[260:300, 320:370] = art[260:300, 320:370]
    assert overlap(cutout.art[..., 3], art[..., 3]) > 0.97
    solid = cutout.art[..., 3] == 255
    inner = solid & (art[..., 3] == 255)
    assert np.abs(cutout.art[inner].astype(int) - art[inner]).mean() < 1


def test_specks_go_and_floating_hands_stay() -> None:
    art = hero()
    art[40:60, 220:240] = (230, 180, 140, 255)
    art[200:203, 20:24] = (90, 90, 90, 255)
    cutout = cut_out(over(art, WHITE))
    assert cutout.art[50, 230, 3] == 255
    assert cutout.art[201, 22, 3] == 0


def test_errors_name_the_cure() -> None:
    picture = over(hero(), WHITE)
    with pytest.raises(RequestError, match="grabcut"):
        cut_out(picture, "magic")
    with pytest.raises(PictureError, match="fully transparent"):
        cut_out(np.zeros((32, 32, 4), np.uint8))
    with pytest.raises(PictureError, match="RGBA"):
        cut_out(picture[..., :3])
    with pytest.raises(PictureError, match="8 x 8"):
        cut_out(picture, strokes=np.ones((8, 8), np.uint8))
    with pytest.raises(PictureError, match="found 7"):
        cut_out(picture, strokes=np.full((SIDE, SIDE), 7, np.uint8))
    with pytest.raises(NoFigureError, match="another method"):
        cut_out(over(np.zeros((64, 64, 4), np.uint8), WHITE))


@pytest.mark.parametrize("method", ["key", "grabcut", "drawing", "alpha"])
def test_cancelling(method: str) -> None:
    with pytest.raises(Cancelled):
        cut_out(over(hero(), busy()), method, cancel=CancelToken(lambda: True))


LEAST = {"white": 0.98, "gradient": 0.97, "busy": 0.86}


@pytest.mark.parametrize("path", sorted(ART.glob("*_on_*.png")), ids=lambda path: path.stem)
def test_example_art(path: Path) -> None:
    name, background = path.stem.split("_on_")
    truth = loaded(ART / f"{name}.png", 512)
    cutout = cut_out(loaded(path, 512))
    assert overlap(cutout.art[..., 3], truth[..., 3]) > LEAST.get(background, 0.9), cutout.note


@pytest.mark.parametrize("name", ["knight", "witch", "robot", "chibi"])
def test_characters_on_plain_and_graded_paper(name: str) -> None:
    if not (ART / f"{name}.png").exists():
        pytest.skip(f"{name}.png is not drawn yet")
    truth = loaded(ART / f"{name}.png", 512)
    for background, least in ((WHITE, 0.98), (gradient(512), 0.97)):
        cutout = cut_out(over(truth, background))
        assert cutout.method == "key"
        assert overlap(cutout.art[..., 3], truth[..., 3]) > least


@pytest.mark.parametrize(("name", "least"), [("char1", 0.92), ("char2", 0.83), ("char3", 0.92)])
def test_drawings_on_photographed_paper(name: str, least: float) -> None:
    folder = DRAWINGS / name
    if not folder.exists():
        pytest.skip("the data folder is not here")
    cutout = cut_out(loaded(folder / "texture.png"))
    assert cutout.method == "drawing" and "paper" in cutout.note
    mask = np.asarray(Image.open(folder / "mask.png").convert("L"))
    assert overlap(cutout.art[..., 3], mask) > least


def test_a_pen_drawing_under_a_shadow_is_filled() -> None:
    art = hero()
    ink = (art[..., 3] > 0) & (art[..., :3].max(axis=2) < 60)
    rng = np.random.default_rng(0)
    paper = 225 - 70 * (np.mgrid[0:SIDE, 0:SIDE][1] > 190)[..., None] + rng.normal(0, 3, (SIDE, SIDE, 3))
    paper[ink] = (40, 40, 90)
    picture = np.dstack([np.clip(paper, 0, 255), np.full((SIDE, SIDE), 255)]).astype(np.uint8)
    cutout = cut_out(picture, "drawing")
    body = art[..., 3] == 255
    assert (cutout.art[..., 3][body] > 127).mean() > 0.97
    assert cutout.art[20, 20, 3] == 0 and cutout.art[200, 230, 3] == 0
