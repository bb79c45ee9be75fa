"""The quality report on clips that the studio really draws: silent about good ones, loud about damaged ones."""

from __future__ import annotations

import shutil
from collections.abc import Iterator

import numpy as np
import pytest
from scipy import ndimage

from pipelines.cancel import CancelToken
from pipelines.clip import Clip
from studio import examples
from studio.settings import Settings
from studio.sprites.findings import Finding
from studio.sprites.quality import report
from studio.studio import Studio
from studio.tasks.guidance import request_for
from studio.tasks.models import backend
from studio.tasks.orders import ActionOrder

NAMES = ("knight", "hero")


@pytest.fixture(scope="module")
def drawn(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Clip]]:
    """Walk and slash of two example characters, as they come with the app."""
    home = tmp_path_factory.mktemp("examples")
    (home / "art").mkdir()
    for name in NAMES:
        for kind in (".png", ".json"):
            shutil.copy(examples.FOLDER / f"{name}{kind}", home / "art")
    desk = Studio(Settings(home=home / "home", device="cpu")).desk()
    clips = []
    for who in examples.fill(desk, home / "art"):
        with backend(desk, who.backend) as model:
            for action in ("walk", "slash"):
                request = request_for(desk, who, desk.library.figure(who.id), ActionOrder(action), None)
                clips.append(model.generate(request, lambda *_: None, CancelToken()))
    yield clips


def found(clip: Clip, frames: np.ndarray) -> dict[str, Finding]:
    return {finding.name: finding for finding in report(frames, clip.loop)}


def test_good_clips_raise_no_alarm(drawn: list[Clip]) -> None:
    for clip in drawn:
        findings = found(clip, clip.frames)
        for name in ("facing flip", "palette drift", "halo"):
            assert findings[name].level == "good", (clip.action, findings[name])


def test_a_turned_frame_is_named(drawn: list[Clip]) -> None:
    for clip in drawn:
        if not clip.loop:
            continue  # in the middle of a blow no frame resembles another
        frames = clip.frames.copy()
        frames[4] = frames[4][:, ::-1]
        assert found(clip, frames)["facing flip"].frames == (4,), clip.action


def test_a_cast_is_palette_drift(drawn: list[Clip]) -> None:
    for clip in drawn:
        frames = clip.frames.astype(int)
        frames[-2:, ..., 0] += 45
        frames = np.where(clip.frames[..., 3:] > 0, np.clip(frames, 0, 255), 0).astype(np.uint8)
        finding = found(clip, frames)["palette drift"]
        assert finding.level != "good" and set(finding.frames) == {len(clip) - 2, len(clip) - 1}, finding


def test_what_a_green_screen_leaves_is_a_halo(drawn: list[Clip]) -> None:
    """Around the figure and in the gaps between its limbs, and half mixed into the outline."""
    for clip in drawn:
        around, mixed = clip.frames.copy(), clip.frames.copy()
        for n, frame in enumerate(clip.frames):
            mask = frame[..., 3] >= 128
            around[n, ndimage.binary_dilation(mask) & ~mask] = (0, 255, 0, 255)
            edge = mask & ~ndimage.binary_erosion(mask)
            mixed[n, edge, :3] = frame[edge, :3] // 2 + np.array([0, 127, 0], np.uint8)
        for frames in (around, mixed):
            assert found(clip, frames)["halo"].level == "bad", clip.action
