"""Verdicts name what an artist would see."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFilter
from skimage.transform import AffineTransform, warp

from lora_trainer.filters import judge, near_duplicates


def knight(arm: int = 0, shift: int = 0, tunic: tuple[int, int, int] = (70, 90, 180), head: int = 0) -> np.ndarray:
    """A sprite of 128 px with head, body, legs, a sword arm at an angle, and an outline."""
    picture = Image.new("RGBA", (128, 128))
    pen = ImageDraw.Draw(picture)
    x = 64 + shift
    ink = (30, 26, 30, 255)
    pen.rectangle((x - 14, 84, x - 4, 112), (90, 70, 50, 255), ink, 2)
    pen.rectangle((x + 4, 84, x + 14, 112), (90, 70, 50, 255), ink, 2)
    pen.rounded_rectangle((x - 18, 46, x + 18, 88), 8, (*tunic, 255), ink, 2)
    pen.rectangle((x - 18, 72, x + 18, 77), (200, 160, 60, 255))
    pen.ellipse((x - 15 + head, 16, x + 15 + head, 48), (236, 196, 160, 255), ink, 2)
    pen.ellipse((x + 4 + head, 28, x + 9 + head, 34), ink)
    end = (x + 16 + 34 * np.cos(np.radians(arm)), 56 + 34 * np.sin(np.radians(arm)))
    pen.line((x + 16, 56, *end), (200, 205, 215, 255), 6)
    return np.array(picture)


def _problems(frames: np.ndarray, **more) -> list[str]:
    return [verdict.problem for verdict in judge(frames, **more)]


def _walk(frames: int = 8) -> np.ndarray:
    return np.stack([knight(arm=int(20 * np.sin(n)), shift=int(3 * np.sin(n)), head=n % 2) for n in range(frames)])


def test_good_samples_pass() -> None:
    assert _problems(knight()[None]) == []
    assert _problems(_walk()) == []


def test_nothing_but_background() -> None:
    (verdict,) = judge(np.zeros((1, 64, 64, 4), np.uint8))
    assert verdict.problem == "empty" and verdict.reject


def test_a_background_that_is_still_there() -> None:
    """Field report 14."""
    picture = knight()
    picture[..., :3] = np.where(picture[..., 3:] > 0, picture[..., :3], 255)
    picture[..., 3] = 255
    (verdict,) = judge(picture[None])
    assert verdict.problem == "opaque" and verdict.reject and "cut the character out first" in verdict.text


def test_too_small() -> None:
    small = np.array(Image.fromarray(knight()).resize((24, 24), Image.Resampling.BOX))
    verdict = judge(small[None], pixel_art=True)[0]
    assert verdict.problem == "small" and verdict.reject and " 18 pixels tall" in verdict.text


def test_too_dark() -> None:
    dark = knight()
    dark[..., :3] //= 8
    assert "dark" in _problems(dark[None])
    shadow = knight(tunic=(20, 20, 26))  # a dark costume with a face in it is no mistake
    assert _problems(shadow[None]) == []


@pytest.mark.parametrize("radius", [4, 6])
def test_blurry(radius) -> None:
    soft = np.array(Image.fromarray(knight()).convert("RGBa").filter(ImageFilter.GaussianBlur(radius)).convert("RGBA"))
    assert "blurry" in _problems(soft[None])
    assert "blurry" not in _problems(soft[None], pixel_art=True)


def test_soft_edges_alone_are_not_blur() -> None:
    small = Image.fromarray(knight()).convert("RGBa").resize((90, 90), Image.Resampling.LANCZOS).convert("RGBA")
    assert _problems(np.array(small)[None]) == []


def test_too_few_frames() -> None:
    (verdict,) = judge(_walk(3))
    assert verdict.problem == "short" and not verdict.reject and verdict.text.startswith("3 frames are too few")
    assert _problems(_walk(4)) == []


def test_a_cut_in_the_middle_is_found_and_numbered() -> None:
    """R11."""
    clip = _walk()
    clip[5:] = np.stack([_other(n) for n in range(3)])
    (verdict,) = judge(clip)
    assert verdict.problem == "jumpy" and not verdict.reject and "frames 5 and 6;" in verdict.text


def _other(number: int) -> np.ndarray:
    """Something else: a slime lying on the ground."""
    picture = Image.new("RGBA", (128, 128))
    ImageDraw.Draw(picture).ellipse((20, 84, 108 + number, 112), (60, 200, 90, 255), (10, 60, 20, 255), 2)
    return np.array(picture)


def test_a_flash_is_found() -> None:
    clip = _walk()
    clip[3, ..., :3] = np.where(clip[3, ..., 3:] > 0, 255, 0)
    assert "jumpy" in _problems(clip)


def test_a_figure_that_leaps_across_the_cell_is_found() -> None:
    clip = _walk()
    clip[4:] = np.roll(clip[4:], 40, axis=2)
    (verdict,) = judge(clip)
    assert verdict.problem == "jumpy" and "frames 4 and 5;" in verdict.text


def test_a_fast_but_continuous_swing_is_no_jump() -> None:
    assert _problems(np.stack([knight(arm=angle) for angle in range(-80, 81, 32)])) == []
    turning = []
    for number in range(6):
        turn = AffineTransform(rotation=np.radians(8 * number))
        centre = AffineTransform(translation=(-64, -64))
        whole = warp(knight(), (centre + turn + centre.inverse).inverse, order=0, preserve_range=True)
        turning.append(whole.astype(np.uint8))
    assert "jumpy" not in _problems(np.stack(turning))


def test_near_duplicates_name_the_earlier_one() -> None:
    first, other = knight(), _other(0)
    noisy = first.copy()
    noisy[30:34, 60:64, :3] ^= 7
    moved = np.roll(first, 5, axis=1)
    found = near_duplicates([first, other, noisy, moved])
    assert sorted(found) == [2, 3]
    assert found[2].text == found[3].text == "Looks like #1; keep the better of the two." and not found[2].reject


def test_another_pose_or_palette_is_no_duplicate() -> None:
    assert near_duplicates([knight(), knight(arm=-80), knight(tunic=(190, 60, 60)), _other(0)]) == {}
