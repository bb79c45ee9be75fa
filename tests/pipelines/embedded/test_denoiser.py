"""The network begins as the identity on the rig and may never repaint what the rig is sure of."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import torch

from pipelines.embedded.backend import observe
from pipelines.embedded.conditions import collate
from pipelines.embedded.denoiser import EmbeddedDenoiser, trust
from pipelines.embedded.objective import clip_losses, noised
from pipelines.rig import build_puppet


def seen_by(network, figure, track):
    return collate([observe(build_puppet(figure, 64), figure, track, "walk")], network)


def test_it_starts_as_the_identity_on_the_rig(untrained, knight, walk):
    given = seen_by(untrained, knight, walk)
    with torch.no_grad():
        made = untrained(torch.randn_like(given.rig), torch.ones(1), given).apply(given.rig)
    assert (made - given.rig).abs().max() < 1e-4


def test_what_the_rig_is_sure_of_stays_whatever_the_weights_say(untrained, knight, walk):
    given = seen_by(untrained, knight, walk)
    with torch.no_grad():
        untrained.fine2.bias.copy_(torch.tensor([0.0, 0.0, -50.0, 3.0, -3.0, 3.0, 3.0]))  # "repaint all of it"
        finish = untrained(torch.randn_like(given.rig), torch.ones(1), given)
    sure = trust(given.confidence) == 1
    inside = sure & (given.rig[:, :, 3:] > 0.9)
    assert 0.01 < inside.float().mean() < 0.3
    assert 0.5 < (sure & (given.rig[:, :, 3:] == 0)).float().mean() < 0.95
    assert (finish.mask[sure] == 1).all()
    changed = (finish.apply(given.rig) - given.rig).abs().amax(dim=2, keepdim=True)
    assert changed[sure].max() < 1e-4
    solid = given.rig[:, :, 3:] > 0.9
    assert changed[~sure & solid].mean() > 0.3


def test_the_silhouette_is_the_rigs_own_unless_nothing_guides(untrained, knight, walk):
    """A mean of possible silhouettes is haze: colours may change, the outline only moves with the flow."""
    given = seen_by(untrained, knight, walk)
    with torch.no_grad():
        untrained.fine2.bias.copy_(torch.tensor([0.0, 0.0, -50.0, 0.0, 0.0, 0.0, -0.5]))  # "half of it away"
        made = untrained(torch.randn_like(given.rig), torch.ones(1), given).apply(given.rig)
        assert (made[:, :, 3] - given.rig[:, :, 3]).abs().max() < 1e-4
        free = replace(given, confidence=torch.zeros_like(given.confidence))
        made = untrained(torch.randn_like(given.rig), torch.ones(1), free).apply(given.rig)
    assert (made[:, :, 3] - given.rig[:, :, 3]).min() < -0.4


def test_no_colour_above_alpha(untrained, knight, walk):
    given = seen_by(untrained, knight, walk)
    with torch.no_grad():
        untrained.fine2.bias.copy_(torch.tensor([0.0, 0.0, -50.0, 3.0, 3.0, 3.0, -0.5]))
        rgba = untrained(torch.randn_like(given.rig), torch.ones(1), given).rgba
    assert (rgba[:, :, :3] <= rgba[:, :, 3:] + 1e-6).all()


def test_an_unknown_action_has_its_own_row(untrained):
    assert untrained.action_index("idle") == 0
    assert untrained.action_index("moonwalk") == 2


def test_frames_of_a_clip_speak_to_each_other(untrained, knight, walk):
    """Temporal attention: what happens in one frame changes another once the layer is open."""
    given = seen_by(untrained, knight, walk)
    torch.manual_seed(1)
    with torch.no_grad():
        for parameter in untrained.parameters():
            parameter.add_(0.1 * torch.randn_like(parameter))
        noisy = torch.rand_like(given.rig)
        before = untrained(noisy, torch.ones(1), given).rgba[0, 0]
        given.rig[0, 7] = given.rig[0, 7].flip(-1)
        after = untrained(noisy, torch.ones(1), given).rgba[0, 0]
    assert (before - after).abs().max() > 1e-5


def test_it_learns_to_mend_a_hole(untrained, knight, walk):
    given = seen_by(untrained, knight, walk)
    target = given.rig.clone()
    given.rig[..., 24:34, 26:38] = 0
    given.confidence[..., 24:34, 26:38] = 0
    optimiser = torch.optim.Adam(untrained.parameters(), 3e-3)
    losses = []
    for step in range(25):
        rng = torch.Generator().manual_seed(step)
        finish = untrained(noised(target, torch.ones(1), rng), torch.ones(1), given)
        loss = clip_losses(finish, target, given).mean()
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        losses.append(float(loss))
    assert np.mean(losses[-3:]) < 0.6 * losses[0]


def test_the_shipped_size():
    """Under 20 M parameters, as the design asks."""
    assert sum(p.numel() for p in EmbeddedDenoiser().parameters()) < 20e6
