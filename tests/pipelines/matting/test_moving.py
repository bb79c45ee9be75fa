"""Clips: one method, one background, one judgement on gaps, no flicker."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import ndimage

from pipelines.cancel import CancelToken
from pipelines.errors import Cancelled, NoFigureError, PictureError, RequestError
from pipelines.matting import cut_clip, cut_out
from pipelines.matting import moving as door
from pipelines.matting.temporal import steady, vote

from .drawn import busy, hero, over, overlap

GREEN, WHITE = (8, 162, 24), (255, 255, 255)


def walk(count: int = 5, step: int = 3) -> np.ndarray:
    """uint8 (T, S, S, 4): the hero glides to the right."""
    return np.stack([np.roll(hero(), step * i, axis=1) for i in range(count)])


def on(art: np.ndarray, background: object) -> np.ndarray:
    return np.stack([over(frame, background) for frame in art])  # type: ignore[arg-type]


def test_every_frame_is_as_good_as_a_picture() -> None:
    art = walk()
    clip = cut_clip(on(art, GREEN))
    assert clip.method == "key" and "#08a218" in clip.note and clip.empty == ()
    assert clip.frames.shape == art.shape and clip.frames.dtype == np.uint8
    for frame, truth in zip(clip.frames, art, strict=True):
        assert overlap(frame[..., 3], truth[..., 3]) > 0.99
        solid = ndimage.binary_erosion(truth[..., 3] == 255, iterations=2)
        assert (frame[solid] == truth[solid]).all(), "field report 20: no real colour is shifted"
    assert (clip.frames[clip.frames[..., 3] == 0] == 0).all()


def test_a_still_clip_gives_what_a_picture_gives() -> None:
    picture = over(hero(), GREEN)
    clip = cut_clip(np.stack([picture] * 3))
    assert (clip.frames == cut_out(picture).art).all()


def test_a_background_that_drifts_is_followed() -> None:
    """Field notes 3b.3: a video model shifts colour over the first frames."""
    art = walk(4)
    seen = np.stack([over(frame, (8 + 9 * i, 162 - 9 * i, 24)) for i, frame in enumerate(art)])
    clip = cut_clip(seen)
    assert "drifting" in clip.note
    assert min(overlap(a[..., 3], b[..., 3]) for a, b in zip(clip.frames, art, strict=True)) > 0.985


def test_a_gap_does_not_flicker() -> None:
    """Field report 19: it is open in all frames or in none. Here the gap of one frame is too small to tell alone."""
    art = walk(5, step=0)
    assert art[2, 138, 172, 3] == 0
    art[2, 128:150, 163:190][art[2, 128:150, 163:190, 3] == 0] = (236, 188, 150, 255)
    art[2, 137:140, 171:174] = 0
    alone = cut_out(over(art[2], WHITE), hard_edge=False).art
    assert alone[138, 172, 3] == 255
    clip = cut_clip(on(art, WHITE), hard_edge=False)
    assert (clip.frames[:, 138, 172, 3] < 60).all()


def test_votes() -> None:
    area, none = np.zeros((6, 6), bool), np.zeros((6, 6), bool)
    area[2:4, 2:4] = True
    assert [o.any() for o in vote([area] * 5, [area, area, none, area, area])] == [True] * 5
    assert [o.any() for o in vote([area] * 5, [none, none, area, none, none])] == [False] * 5
    assert [o.any() for o in vote([area] * 2, [area, none])] == [True, False], "a draw leaves each its own"
    once = [none, none, area, area, area, none]
    said = vote([area] * 6, once, loop=True)
    assert said[3].all() == area.all() and not said[0].any()
    assert not any(o.any() for o in vote([none] * 3, [none] * 3))


def test_what_holds_still_does_not_flicker_and_what_moves_is_not_touched() -> None:
    seen = np.full((5, 8, 8, 3), 90, np.uint8)
    cut = np.dstack([seen[0], np.full((8, 8), 200, np.uint8)])[None].repeat(5, axis=0)
    cut[2, 3, 3] = 0
    seen[2:, 6, 6] = 200
    cut[2, 6, 6] = (1, 2, 3, 40)
    cut[0, 1, 1, 3] = 0
    calm = steady(seen, cut)
    assert (calm[2, 3, 3] == (90, 90, 90, 200)).all(), "an opened pixel gets its colour back too"
    assert (calm[2, 6, 6] == (1, 2, 3, 40)).all()
    assert calm[0, 1, 1, 3] == 0 and steady(seen, cut, loop=True)[0, 1, 1, 3] == 200
    assert (steady(seen[:2], cut[:2]) == cut[:2]).all()
    noisy = seen.copy()
    noisy[2, 3, 3] += 12
    assert steady(noisy, cut)[2, 3, 3, 3] == 0 and steady(noisy, cut, noise=3)[2, 3, 3, 3] == 200


def test_other_methods_and_frames_without_a_figure() -> None:
    art = walk(3)
    clip = cut_clip(art)
    assert clip.method == "alpha" and (clip.frames == art).all()
    gone = on(art, WHITE)
    gone[1] = 255
    clip = cut_clip(gone, "key")
    assert clip.empty == (1,) and "frame 2" in clip.note
    gone = art.copy()
    gone[2] = 0
    assert cut_clip(gone, "alpha").empty == (2,)


def test_flicker_of_a_guess_goes(monkeypatch: pytest.MonkeyPatch) -> None:
    """rembg issue 17: learned mattes flicker. The middle frame loses an arm; the picture did not move."""
    frames = on(walk(3, step=0), busy())
    real = door.cut_out
    seen = iter(range(3))

    def lossy(*arguments: object, **settings: object) -> object:
        cutout = real(*arguments, **settings)  # type: ignore[arg-type]
        if next(seen) == 1:
            cutout.art[120:160, 180:] = 0
        return cutout

    monkeypatch.setattr(door, "cut_out", lossy)
    guessed = cut_clip(frames, "grabcut").frames
    assert (guessed[1] == guessed[0]).all()


def test_pixel_art_keeps_hard_edges() -> None:
    rng = np.random.default_rng(0)
    art = np.zeros((3, 48, 48, 4), np.uint8)
    body = np.array([(180, 40, 40), (60, 40, 90), (230, 190, 140)])[rng.integers(0, 3, (32, 20))]
    for i in range(3):
        art[i, 8:40, 10 + i : 30 + i] = 255
        art[i, 8:40, 10 + i : 30 + i, :3] = body
    assert (cut_clip(on(art, (250, 250, 250))).frames == art).all()


def test_errors_and_cancelling() -> None:
    frames = on(walk(2), WHITE)
    with pytest.raises(PictureError, match="T, H, W, 4"):
        cut_clip(frames[0])
    with pytest.raises(RequestError, match="grabcut"):
        cut_clip(frames, "magic")
    with pytest.raises(NoFigureError, match="any frame"):
        cut_clip(np.full((2, 64, 64, 4), 255, np.uint8), "key")
    with pytest.raises(Cancelled):
        cut_clip(frames, cancel=CancelToken(lambda: True))
