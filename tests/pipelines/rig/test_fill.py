"""Hidden places take the part's own colours."""

from __future__ import annotations

import numpy as np

from pipelines.rig.fill import carry_on, push_pull


def test_fill_takes_colours_of_the_part_only() -> None:
    colour = np.zeros((40, 40, 3), np.float32)
    colour[:, :20] = (0.8, 0.2, 0.1)
    colour[:, 20:] = (0.1, 0.2, 0.9)
    known = np.zeros((40, 40), bool)
    known[:, :20] = True
    for crisp in (False, True):
        out = carry_on(colour, known, ~known, crisp)
        assert np.allclose(out[:, 20:30], (0.8, 0.2, 0.1), atol=0.02)
        assert np.array_equal(out[:, :20], colour[:, :20])


def test_crisp_fill_makes_no_new_colour() -> None:
    rng = np.random.default_rng(1)
    colour = rng.random((24, 24, 3)).astype(np.float32)
    known = np.zeros((24, 24), bool)
    known[8:14, 3:12] = True
    out = carry_on(colour, known, ~known, True)
    palette = {tuple(value) for value in colour[known]}
    assert {tuple(value) for value in out[~known]} <= palette


def test_push_pull_keeps_what_is_known_and_nothing_known_is_no_error() -> None:
    colour = np.full((9, 7, 3), 0.4, np.float32)
    weight = np.zeros((9, 7), np.float32)
    weight[4, 3] = 1
    assert np.allclose(push_pull(colour, weight), 0.4, atol=1e-3)
    nothing = np.zeros((9, 7), bool)
    assert np.array_equal(carry_on(colour, nothing, ~nothing, False), colour)
