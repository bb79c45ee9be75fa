"""One scale for all actions, small enough for the widest of them."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from pipelines.figure import BODY_SHARE, Figure, place
from pipelines.pose.motion import ACTIONS
from pipelines.pose.retarget import fit
from pipelines.pose.skeleton import INDEX, N_JOINTS
from pipelines.rig import build_puppet, draw
from pipelines.rig.reach import SMALLEST_SHARE, fitting_share

ART = Path(__file__).parents[3] / "examples" / "art"


@pytest.fixture(scope="module")
def witch() -> Figure:
    """Her staff is taller than she is."""
    about = json.loads((ART / "witch.json").read_text(encoding="utf-8"))
    art = np.asarray(Image.open(ART / "witch.png").convert("RGBA").resize((256, 256), Image.Resampling.BOX))
    joints = np.zeros((N_JOINTS, 3), np.float32)
    for name, xy in about["joints"].items():
        if xy is not None:
            joints[INDEX[name]] = (xy[0] / 4, xy[1] / 4, 1)
    return Figure(art * (art[..., 3:] > 0), joints, about["facing"])


def cut_at_the_edge(figure: Figure, action: str) -> int:
    """Solid pixels on the cell's border over all frames."""
    track = fit(ACTIONS[action], figure, place(figure), 8, 12)
    alpha = draw(build_puppet(figure), track, 96).frames[..., 3] > 127
    return int(alpha[:, 0].sum() + alpha[:, -1].sum() + alpha[:, :, 0].sum() + alpha[:, :, -1].sum())


def test_a_raised_staff_leaves_the_standard_cell_and_fits_the_measured_one(witch):
    motions = [ACTIONS[name] for name in ("idle", "slash", "jump")]
    share = fitting_share(witch, motions)
    assert SMALLEST_SHARE < share < BODY_SHARE - 0.05
    assert cut_at_the_edge(witch, "jump") + cut_at_the_edge(witch, "slash") > 0
    fitted = replace(witch, body_share=share)
    assert cut_at_the_edge(fitted, "jump") + cut_at_the_edge(fitted, "slash") == 0


def test_a_calm_action_keeps_the_standard_share(witch):
    assert fitting_share(witch, [ACTIONS["idle"]]) == pytest.approx(BODY_SHARE, abs=0.02)


def test_an_empty_picture_has_nothing_to_fit(witch):
    empty = replace(witch, art=np.zeros_like(witch.art))
    assert fitting_share(empty, []) == BODY_SHARE
