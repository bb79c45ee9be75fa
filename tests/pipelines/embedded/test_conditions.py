"""What the network sees, and the way from pixels to numbers and back."""

from __future__ import annotations

import numpy as np
import torch
from hypothesis import given, settings
from hypothesis.extra import numpy as hnp

from pipelines.clip import clean
from pipelines.embedded.blocks import heat_maps, warp
from pipelines.embedded.conditions import at_size, phases, premultiplied, straight


@given(hnp.arrays(np.uint8, (1, 4, 4, 4)))
@settings(max_examples=80, deadline=None)
def test_opaque_pixels_survive_and_nothing_hides_under_alpha_zero(frames):
    back = straight(premultiplied(frames))
    assert np.array_equal(back[..., 3], frames[..., 3])
    assert np.array_equal(back[back[..., 3] == 255], frames[frames[..., 3] == 255])
    assert not clean(back).any() or np.array_equal(clean(back), back)


def test_shrinking_mixes_no_colour_from_empty_pixels():
    """Field report 18: a red edge over nothing must stay red, not turn dark."""
    frames = np.zeros((1, 8, 8, 4), np.uint8)
    frames[0, :, :3] = (255, 0, 0, 255)
    small = at_size(frames, 4)
    assert small[0, 0, 1].tolist() == [255, 0, 0, 128]


def test_phases_close_loops_and_end_acts():
    assert phases(4, True).tolist() == [0.0, 0.25, 0.5, 0.75]
    assert phases(5, False).tolist() == [0.0, 0.25, 0.5, 0.75, 1.0]


def test_heat_maps_peak_at_the_joint_and_carry_depth():
    joints = torch.tensor([[[0.53125, 0.28125, 0.25, 1.0], [0.5, 0.5, 1.0, 0.0]]])
    maps = heat_maps(joints, 16)
    assert maps.shape == (1, 4, 16, 16)
    assert divmod(int(maps[0, 0].argmax()), 16) == (4, 8)
    assert torch.isclose(maps[0, 0].max(), torch.tensor(1.0))
    assert torch.allclose(maps[0, 2], maps[0, 0])  # depth 0.25, times 4
    assert not maps[0, 1].any()  # an absent joint leaves no trace


def test_warp_reads_where_the_flow_points():
    image = torch.zeros(1, 1, 8, 8)
    image[0, 0, 2, 5] = 1
    flow = torch.zeros(1, 2, 8, 8)
    flow[:, 0] = 2 / 8  # two pixels to the right
    assert divmod(int(warp(image, flow)[0, 0].argmax()), 8) == (2, 3)
    assert torch.allclose(warp(image, torch.zeros_like(flow)), image, atol=1e-6)
