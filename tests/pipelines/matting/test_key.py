"""Plain and softly graded backgrounds."""

from __future__ import annotations

import io

import numpy as np
import pytest
from PIL import Image

from pipelines.matting import cut_out
from pipelines.matting.backdrop import measure
from pipelines.matting.key import connected, distance, ringing

from .drawn import CLOTH, INK, SIDE, gradient, hero, over, overlap

WHITE, GREEN, MAGENTA = (255, 255, 255), (8, 162, 24), (255, 0, 255)


@pytest.mark.parametrize("background", [WHITE, (128, 128, 128), GREEN, MAGENTA, (90, 200, 250)])
def test_flat_backgrounds(background: tuple[int, int, int]) -> None:
    art = hero()
    cutout = cut_out(over(art, background))
    assert cutout.method == "key"
    assert "#{:02x}{:02x}{:02x}".format(*background) in cutout.note
    assert overlap(cutout.art[..., 3], art[..., 3]) > 0.99


def test_a_gradient_is_one_background() -> None:
    art = hero()
    cutout = cut_out(over(art, gradient()))
    assert cutout.method == "key" and "softly graded" in cutout.note
    assert overlap(cutout.art[..., 3], art[..., 3]) > 0.985


def test_a_vignette_behind_the_figure_is_learned_from_more_than_the_border() -> None:
    y, x = np.mgrid[0:SIDE, 0:SIDE] / SIDE - 0.5
    light = 235 - 260 * (x**2 + y**2)
    art = hero()
    cutout = cut_out(over(art, np.stack([light, light * 0.95, light * 0.9], axis=2)), "key")
    assert overlap(cutout.art[..., 3], art[..., 3]) > 0.98


def test_the_figure_may_stand_on_the_border() -> None:
    art = np.roll(hero(), 16, axis=0)
    art[:16] = 0
    cutout = cut_out(over(art, WHITE))
    assert overlap(cutout.art[..., 3], art[..., 3]) > 0.99


@pytest.mark.parametrize("background", [WHITE, MAGENTA, GREEN])
@pytest.mark.parametrize("onto", [0, 255])
def test_no_halo_on_black_or_white(background: tuple[int, int, int], onto: int) -> None:
    """Field report 18: the edge has the figure's colour, whatever it is shown on."""
    art = hero()
    cutout = cut_out(over(art, background), hard_edge=False).art
    shown, true = over(cutout, (onto,) * 3)[..., :3].astype(int), over(art, (onto,) * 3)[..., :3].astype(int)
    assert np.abs(shown - true).max(axis=2).mean() < 0.4
    soft = (art[..., 3] > 60) & (art[..., 3] < 200)
    assert np.abs(shown - true)[soft].mean() < 10


def test_edges_are_mixtures_not_steps() -> None:
    art = hero()
    cutout = cut_out(over(art, WHITE)).art
    soft = (art[..., 3] > 40) & (art[..., 3] < 215)
    assert soft.sum() > 200
    assert np.abs(cutout[..., 3][soft].astype(int) - art[..., 3][soft]).mean() < 12
    assert np.abs(cutout[..., :3][soft & (cutout[..., 3] > 0)].astype(int) - INK).mean() < 16


def donut() -> np.ndarray:
    """uint8 (S, S, 4): a ring, anti-aliased."""
    y, x = np.mgrid[0:SIDE, 0:SIDE] - (SIDE - 1) / 2
    radius = np.hypot(x, y)
    alpha = np.clip(90.5 - radius, 0, 1) * np.clip(radius - 39.5, 0, 1)
    return np.dstack([np.full((SIDE, SIDE, 3), (210, 130, 60)), np.round(alpha * 255)]).astype(np.uint8) * (
        alpha[..., None] > 0
    ).astype(np.uint8)


@pytest.mark.parametrize("background", [WHITE, (0, 0, 0), GREEN, "gradient"])
def test_donut(background: object) -> None:
    """Field report 19: the hole is open, the body is solid."""
    art = donut()
    cutout = cut_out(over(art, gradient() if background == "gradient" else background))  # type: ignore[arg-type]
    alpha = cutout.art[..., 3]
    assert (alpha[art[..., 3] == 0] == 0).mean() > 0.995
    assert alpha[SIDE // 2, SIDE // 2] == 0
    assert (alpha[art[..., 3] == 255] == 255).mean() > 0.995
    assert "1 gap" in cutout.note


def test_the_gap_between_arm_and_body_opens_and_the_eyes_stay() -> None:
    """Field report 19."""
    art = hero()
    assert art[138, 172, 3] == 0
    alpha = cut_out(over(art, WHITE)).art[..., 3]
    assert alpha[138, 172] == 0
    assert alpha[57, 117] == alpha[57, 143] == 255


def test_holes_can_be_kept_or_removed() -> None:
    picture = over(hero(), WHITE)
    assert cut_out(picture, holes="keep").art[138, 172, 3] == 255
    alpha = cut_out(picture, holes="remove").art[..., 3]
    assert alpha[138, 172] == alpha[57, 117] == 0


def test_white_armour_on_white_paper_survives() -> None:
    """Field report 19: enclosed, softly shaded white is paint."""
    art = hero()
    y, x = np.mgrid[0:SIDE, 0:SIDE]
    plate = (y > 112) & (y < 164) & (x > 106) & (x < 150)
    shade = np.clip(255 - 0.9 * np.maximum(0, y - 126), 0, 255)
    art[plate, :3] = np.repeat(shade[..., None], 3, axis=2)[plate]
    cutout = cut_out(over(art, WHITE)).art
    assert (cutout[plate][:, 3] == 255).all()
    assert (cutout[plate][:, :3] == art[plate][:, :3]).all()


def test_an_uncoloured_drawing_keeps_its_body() -> None:
    art = hero()
    art[(art[..., 3] == 255) & (art[..., :3].max(axis=2) > 60)] = 255
    cutout = cut_out(over(art, WHITE))
    assert cutout.art[130, 128, 3] == 255 and cutout.art[57, 117, 3] == 255
    assert "kept" in cutout.note


@pytest.mark.parametrize("colour", [(196, 54, 38), (54, 54, 38), (220, 40, 160), (150, 20, 160), (40, 60, 30)])
@pytest.mark.parametrize("background", [MAGENTA, GREEN])
def test_no_real_colour_is_shifted(colour: tuple[int, int, int], background: tuple[int, int, int]) -> None:
    """Field report 20: a magenta despill turned red (196, 54, 38) into olive (54, 54, 38)."""
    art = hero()
    cloth = (np.abs(art[..., :3].astype(int) - CLOTH).max(axis=2) == 0) & (art[..., 3] == 255)
    art[cloth, :3] = colour
    cutout = cut_out(over(art, background)).art
    assert cloth.sum() > 2000
    assert (cutout[cloth] == (*colour, 255)).all()


def test_the_painted_key_is_measured_not_the_requested_one() -> None:
    """Field report 21: #00FF00 was asked for, (8, 162, 24) was painted."""
    art = hero()
    cutout = cut_out(over(art, (8, 162, 24)), key_colour=(0, 255, 0))
    assert overlap(cutout.art[..., 3], art[..., 3]) > 0.99
    assert "#08a218" in cutout.note
    measured = measure(over(art, (8, 162, 24))[..., :3], near=(0, 255, 0))
    assert measured.colour == (8, 162, 24)


def test_a_requested_key_chooses_between_two_borders() -> None:
    art = hero()
    scene = np.full((SIDE, SIDE, 3), 240.0)
    scene[:, :90] = (10, 170, 30)
    found = measure(over(art, scene)[..., :3], near=(0, 255, 0)).colour
    assert np.abs(np.subtract(found, (10, 170, 30))).max() < 3


def test_a_teal_subject_under_magenta_is_untouched() -> None:
    """Field report 21: a hard-coded green mask ate it."""
    art = hero()
    solid = art[..., 3] == 255
    art[solid, :3] = (20, 150, 120)
    cutout = cut_out(over(art, MAGENTA), key_colour=MAGENTA).art
    assert (cutout[solid] == (20, 150, 120, 255)).all()


@pytest.mark.parametrize("background", [WHITE, MAGENTA, (0, 255, 0)])
def test_jpeg_echoes_leave_no_specks_and_no_fringe(background: tuple[int, int, int]) -> None:
    art = hero()
    buffer = io.BytesIO()
    Image.fromarray(over(art, background)).convert("RGB").save(buffer, "JPEG", quality=80)
    cutout = cut_out(np.asarray(Image.open(buffer).convert("RGBA"))).art
    assert overlap(cutout[..., 3], art[..., 3]) > 0.97
    assert (cutout[..., 3][art[..., 3] == 0] > 24).mean() < 0.025
    solid = cutout[cutout[..., 3] > 128][:, :3].astype(float)
    like_key = np.linalg.norm(solid - background, axis=1) < 100
    assert like_key.mean() < (0.004 if background != WHITE else 0.03), "its eyes are white"


def test_a_clean_file_has_no_echoes() -> None:
    """White paint behind the outline is not mistaken for them."""
    art = hero()
    art[(art[..., 3] == 255) & (art[..., :3].max(axis=2) > 60), :3] = (235, 235, 240)
    picture = over(art, WHITE)
    backdrop = measure(picture[..., :3])
    away = distance(picture[..., :3], backdrop.field(SIDE, SIDE))
    assert ringing(away, connected(away <= backdrop.tolerance), backdrop)[1] == 0
    assert (cut_out(picture).art[..., 3][art[..., 3] == 255] == 255).all()


def test_strokes_overrule() -> None:
    art = hero()
    picture = over(art, WHITE)
    strokes = np.zeros((SIDE, SIDE), np.uint8)
    strokes[136:140, 168:176] = 2
    strokes[60:90, 120:130] = 1
    alpha = cut_out(picture, strokes=strokes).art[..., 3]
    assert alpha[138, 172] == 255
    assert alpha[75, 125] == 0


def test_a_figure_stroke_stops_a_leak() -> None:
    art = hero(hand_on_hip=False)
    art[100:170, 98:158] = 255
    art[130:134, 90:100] = 0
    picture = over(art, WHITE)
    assert cut_out(picture).art[150, 128, 3] == 0
    strokes = np.zeros((SIDE, SIDE), np.uint8)
    strokes[100:170, 97:102] = 2
    strokes[140:150, 120:130] = 2
    assert cut_out(picture, strokes=strokes).art[155, 128, 3] == 255


def test_hard_edges_for_pixel_art() -> None:
    rng = np.random.default_rng(0)
    art = np.zeros((48, 48, 4), np.uint8)
    art[8:40, 14:34] = 255
    art[8:40, 14:34, :3] = np.array([(180, 40, 40), (60, 40, 90), (230, 190, 140)])[rng.integers(0, 3, (32, 20))]
    cutout = cut_out(over(art, (250, 250, 250)))
    assert (cutout.art == art).all()
    assert set(np.unique(cut_out(over(hero(), WHITE), hard_edge=True).art[..., 3])) == {0, 255}
