"""All actions of a character on one anchor, at one scale (field report 22)."""

import numpy as np
import pytest

from studio.sprites.align import core_column, sole_line
from studio.sprites.errors import FramesError
from studio.sprites.sheet import Action, build_sheet
from studio.sprites.unify import unify

from .figures import blank, shifted, swinger


def actions():
    """The same body drawn at three places of two canvases; one walks, one reaches far."""
    walk = np.stack([shifted(f, 3 * t, 0) for t, f in enumerate(swinger(6))])
    blow = np.pad(swinger(5, reach=44), ((0, 0), (30, 4), (0, 60), (0, 0)))
    return [swinger(4), walk, blow]


def test_every_action_stands_on_the_same_point_and_nothing_is_cut():
    """Field report 22 across actions: changing the action in the game moves neither torso nor feet."""
    clips = actions()
    out = unify(clips)
    assert len({clip.shape[1:] for clip in out.clips}) == 1 and out.scale == 1.0
    for before, after in zip(clips, out.clips, strict=True):
        assert {sole_line(f) for f in after} == {out.anchor[1]}
        assert all(abs(core_column(f) - out.anchor[0]) <= 1.0 for f in after)
        assert [(f[..., 3] > 0).sum() for f in before] == [(f[..., 3] > 0).sum() for f in after]
    seen = np.concatenate(out.clips)[..., 3].max(axis=0) > 0
    rows, columns = np.flatnonzero(seen.any(axis=1)), np.flatnonzero(seen.any(axis=0))
    assert (rows[0], columns[0]) == (2, 2) and columns[-1] == seen.shape[1] - 3
    sheet = build_sheet([Action(str(n), c, (80,) * len(c), True, out.anchor) for n, c in enumerate(out.clips)])
    assert sheet.pivot == out.anchor


def test_one_cell_shrinks_all_actions_by_one_factor():
    clips = actions()
    free, out = unify(clips), unify(clips, cell=(64, 64))
    assert out.scale < 1.0 and all(clip.shape[1:3] == (64, 64) for clip in out.clips)
    for big, small in zip(free.clips, out.clips, strict=True):
        tall = [np.flatnonzero((clip[0, ..., 3] >= 128).any(axis=1)) for clip in (big, small)]
        assert abs((tall[0][-1] - tall[0][0] + 1) * out.scale - (tall[1][-1] - tall[1][0] + 1)) <= 1.5
        assert all(abs(core_column(f) - out.anchor[0]) <= 1.5 for f in small)
        assert all(np.flatnonzero(f[..., 3].any(axis=1))[-1] + 1 == out.anchor[1] for f in small)
    sharp = unify(clips, cell=(64, 64), pixel_art=True)
    assert {tuple(c) for c in sharp.clips[0].reshape(-1, 4)} <= {tuple(c) for c in clips[0].reshape(-1, 4)}
    assert unify(clips, cell=(400, 400)).scale == 1.0


def test_root_motion_is_chosen_per_action():
    out = unify(actions(), ["in_place", "root_motion", "in_place"])
    cores = [core_column(f) for f in out.clips[1]]
    assert [round(core - cores[0]) for core in cores] == [0, 3, 6, 9, 12, 15]
    assert abs(cores[0] - out.anchor[0]) <= 1.0


def test_what_cannot_be_unified_says_why():
    for call in (
        lambda: unify([]),
        lambda: unify(actions(), ["in_place"]),
        lambda: unify(actions(), cell=(4, 40)),
        lambda: unify([blank(1, 4, 4)]),
    ):
        with pytest.raises(FramesError):
            call()
