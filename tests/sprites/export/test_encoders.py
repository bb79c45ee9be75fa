"""The animated files themselves: what Pillow's own writers get wrong, and what a second decoder says."""

from fractions import Fraction

import av
import numpy as np
import pytest

from studio.sprites.errors import ExportError, TimingError
from studio.sprites.export.apng import encode_apng
from studio.sprites.export.gif import encode_gif, gif_durations
from studio.sprites.export.registry import EXPORTERS
from studio.sprites.export.webp import encode_webp
from studio.sprites.sheet import Action, build_sheet

from ..figures import blank, orbit, swinger
from . import readers

ENCODERS = {"webp": encode_webp, "apng": encode_apng, "gif": encode_gif}


@pytest.mark.parametrize("kind", ENCODERS)
def test_a_held_pose_is_not_merged_away(kind, tmp_path):
    """Field report 32 (Pillow issues 8720 and 6794): the same picture five times is five frames, without ghosts."""
    frames = np.concatenate([np.repeat(orbit(1, 4), 5, axis=0), orbit(4, 4)])
    durations = (80, 90, 80, 90, 80, 200, 40, 80, 100)
    path = tmp_path / f"held.{kind}"
    path.write_bytes(ENCODERS[kind](frames, durations, True))
    found, times, loops = readers.animated(path)
    assert np.array_equal(found, frames) and times == durations and loops


@pytest.mark.parametrize("kind", ["apng", "gif"])
def test_ffmpeg_agrees(kind, tmp_path):
    """PyAV decodes the same number of frames at the same times (its WebP decoder knows no animation)."""
    frames, durations = swinger(6), (80, 120, 80, 40, 200, 90)
    path = tmp_path / f"swing.{kind}"
    path.write_bytes(ENCODERS[kind](frames, durations, True))
    with av.open(str(path)) as container:
        decoded = list(container.decode(video=0))
    starts = [Fraction(f.pts) * f.time_base * 1000 for f in decoded]
    assert [round(t - starts[0]) for t in starts] == [0, 80, 200, 280, 320, 520]
    found = np.stack([f.to_ndarray(format="rgba") for f in decoded])
    found[found[..., 3] == 0] = 0
    assert np.array_equal(found, frames)


def test_gif_colours_that_stand_still_never_flicker(tmp_path):
    """Field report 33: far more than 255 colours come and go, the still half keeps its own in every frame."""
    rng = np.random.default_rng(5)
    frames = blank(6, 40, 40)
    frames[:, :20] = np.linspace(0, 255, 20 * 40 * 3).reshape(20, 40, 3).astype(np.uint8)[..., :1].repeat(4, -1)
    frames[:, 20:] = rng.integers(0, 256, (6, 20, 40, 4))
    frames[..., 3] = 255
    path = tmp_path / "still.gif"
    path.write_bytes(encode_gif(frames, (80,) * 6, True))
    found, _, _ = readers.animated(path)
    assert len(found) == 6 and all(np.array_equal(f[:20], found[0, :20]) for f in found)
    assert np.abs(found[..., :3].astype(int) - frames[..., :3]).mean() < 25


def test_gifs_of_one_character_share_one_palette(tmp_path):
    """Field report 33 across actions: a colour looks the same in idle and in walk although both are colourful."""
    rng = np.random.default_rng(6)
    clips = []
    for name in ("idle", "walk"):
        frames = rng.integers(0, 256, (2, 24, 24, 4)).astype(np.uint8)
        frames[..., 3] = 255
        frames[:, :8] = (90, 120, 33, 255)
        clips.append(Action(name, frames, (80, 80), True, (12, 24)))
    paths = EXPORTERS["gif"].write(build_sheet(clips), tmp_path, "hero")
    tables = {path.read_bytes()[13 : 13 + 768] for path in paths}
    assert len(tables) == 1
    assert len({readers.animated(path)[0][:, :8].tobytes() for path in paths}) == 1


def test_gif_times_are_rounded_without_drift():
    assert gif_durations((83, 84, 83)) == (80, 90, 80)
    assert gif_durations((20, 30, 100)) == (20, 30, 100)
    assert gif_durations((5, 5, 100)) == (20, 20, 70)
    assert sum(gif_durations((42, 41, 42) * 40)) == 5000


@pytest.mark.parametrize("kind", ENCODERS)
def test_once_is_once(kind, tmp_path):
    path = tmp_path / f"once.{kind}"
    path.write_bytes(ENCODERS[kind](orbit(3, 5), (80,) * 3, False))
    _, _, loops = readers.animated(path)
    assert not loops


def test_what_a_format_cannot_hold_is_refused():
    with pytest.raises(ExportError, match="16383"):
        encode_webp(blank(1, 16384, 1), (80,), True)
    with pytest.raises(ExportError, match="65535"):
        encode_gif(blank(1, 65536, 1), (80,), True)
    with pytest.raises(ExportError, match="256 colours"):
        encode_gif(blank(1, 2, 2), (80,), True, palette=np.zeros((256, 3), np.uint8))
    for encode in ENCODERS.values():
        with pytest.raises(TimingError):
            encode(blank(1, 2, 2), (70000,), True)
