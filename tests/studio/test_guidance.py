"""From an order to the poses that a backend is given."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from pipelines.errors import RequestError
from pipelines.pose.skeleton import INDEX
from studio.library import Character
from studio.studio import Desk
from studio.tasks.guidance import request_for
from studio.tasks.orders import ActionOrder
from tests.pipelines.pose.bvh_files import bvh


def test_motion_from_a_recording(desk: Desk, hero: Character, tmp_path: Path) -> None:
    """A BVH file, known by its content, is acted by the character at the frame rate that was asked for."""
    file = tmp_path / "sway.txt"
    file.write_text(bvh([{"LeftArm": (-80 + 4 * t, 0, 0), "RightArm": (80, 0, 0)} for t in range(20)]))
    kept = desk.library.keep(hero.id, file)
    figure = desk.library.figure(hero.id)

    def asked(**values: object) -> ActionOrder:
        return ActionOrder("sway", guidance="file", file=kept, **values)  # type: ignore[arg-type]

    request = request_for(desk, hero, figure, asked(fps=6.0), None)
    assert (request.frames, request.fps, request.loop) == (12, 6.0, False) and request.pose is not None
    hand = request.pose.joints[:, INDEX["l_wrist"], 1]
    assert hand[-1] < hand[0] - 0.05, "the arm goes up"
    few = request_for(desk, hero, figure, asked(frames=4), None)
    assert (few.frames, few.fps) == (4, 2.0)
    with pytest.raises(RequestError, match="240 are the most"):
        request_for(desk, hero, figure, asked(fps=200.0), None)
    still = request_for(desk, hero, figure, asked(frames=4, strength=0.0), None).pose
    assert still is not None and np.ptp(still.joints[:, INDEX["l_wrist"], 1]) < 1e-3
