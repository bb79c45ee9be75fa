"""Every figure acts with its own proportions and its feet on the ground."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from pipelines.figure import Figure, Placement, place, sole_line
from pipelines.pose.motion import ACTIONS
from pipelines.pose.retarget import fit, fit_track, rest_track
from pipelines.pose.skeleton import INDEX, N_JOINTS, PARENT, PoseTrack

ADULT = {
    "pelvis": (100, 110), "chest": (100, 58), "neck": (101, 48), "head": (102, 34), "crown": (103, 18),
    "l_shoulder": (112, 58), "l_elbow": (118, 84), "l_wrist": (122, 108),
    "r_shoulder": (88, 58), "r_elbow": (80, 84), "r_wrist": (76, 108),
    "l_hip": (106, 112), "l_knee": (109, 148), "l_ankle": (108, 184),
    "r_hip": (94, 112), "r_knee": (94, 148), "r_ankle": (92, 184),
    "l_toe": (122, 190), "r_toe": (106, 190), "weapon_tip": (40, 150),
}  # fmt: skip

CHILD = {
    **ADULT,
    "head": (100, 70), "crown": (100, 20), "neck": (100, 112), "chest": (100, 120), "pelvis": (100, 150),
    "l_shoulder": (114, 120), "l_elbow": (120, 132), "l_wrist": (124, 144),
    "r_shoulder": (86, 120), "r_elbow": (80, 132), "r_wrist": (76, 144),
    "l_hip": (107, 152), "l_knee": (108, 168), "l_ankle": (108, 184),
    "r_hip": (93, 152), "r_knee": (92, 168), "r_ankle": (92, 184),
}  # fmt: skip

BONES = [
    ("l_shoulder", "l_elbow"), ("l_elbow", "l_wrist"), ("r_shoulder", "r_elbow"), ("r_elbow", "r_wrist"),
    ("l_hip", "l_knee"), ("l_knee", "l_ankle"), ("r_hip", "r_knee"), ("r_knee", "r_ankle"),
]  # fmt: skip


def figure_of(spots: dict[str, tuple[int, int]], facing: str = "right", without: tuple[str, ...] = ()) -> Figure:
    art = np.zeros((200, 200, 4), np.uint8)
    art[18:192, 70:130] = 255
    joints = np.zeros((N_JOINTS, 3), np.float32)
    for name, (x, y) in spots.items():
        if name not in without:
            joints[INDEX[name]] = (x if facing != "left" else 200 - x, y, 1)
    return Figure(art, joints, facing)  # type: ignore[arg-type]


def lengths(track: PoseTrack, one: str, two: str) -> np.ndarray:
    return np.hypot(*(track.joints[:, INDEX[two], :2] - track.joints[:, INDEX[one], :2]).T)


@pytest.mark.parametrize("spots", [ADULT, CHILD])
@pytest.mark.parametrize("facing", ["right", "left", "front"])
@pytest.mark.parametrize("action", sorted(ACTIONS))
def test_bones_keep_their_drawn_length(spots: dict[str, tuple[int, int]], facing: str, action: str) -> None:
    """Field report 36: no adult bones on a child, no stretched forearm."""
    figure = figure_of(spots, facing)
    placement = place(figure)
    track = fit(ACTIONS[action], figure, placement, 8, 10)
    rest = rest_track(figure, placement)
    pixel = placement.scale
    assert np.isfinite(track.joints).all()
    for one, two in BONES:
        drawn = lengths(rest, one, two)[0]
        shown = lengths(track, one, two)
        assert shown.max() < drawn + pixel
        assert shown.min() > 0.58 * drawn - pixel


@pytest.mark.parametrize("spots", [ADULT, CHILD])
def test_a_walker_does_not_skate(spots: dict[str, tuple[int, int]]) -> None:
    figure = figure_of(spots)
    placement = place(figure)
    track = fit(ACTIONS["walk"], figure, placement, 40, 40)
    ground = rest_track(figure, placement).joints[0, INDEX["r_ankle"], 1]
    ankle = track.joints[:, INDEX["r_ankle"], :2]
    planted = slice(5, 15)  # flat from a tenth of the cycle on
    assert np.abs(ankle[planted, 1] - ground).max() < 0.008  # no bobbing
    steps = np.diff(ankle[planted, 0])
    assert (steps < 0).all() and steps.std() < 0.15 * abs(steps.mean())  # backwards at one speed
    lowest = track.joints[:, [INDEX["l_ankle"], INDEX["r_ankle"]], 1].max(1)
    assert np.abs(lowest - ground).max() < 0.02
    # Feet pass each other though the hips are drawn apart.
    gap = track.joints[:, INDEX["l_ankle"], 0] - ankle[:, 0]
    assert gap.min() < 0 < gap.max()


def test_facing_left_is_the_mirror_image() -> None:
    right, left = figure_of(ADULT), figure_of(ADULT, "left")
    one = fit(ACTIONS["walk"], right, place(right), 8, 10)
    two = fit(ACTIONS["walk"], left, place(left), 8, 10)
    forward = one.joints[:, INDEX["r_toe"], 0] - one.joints[:, INDEX["r_ankle"], 0]
    back = two.joints[:, INDEX["r_toe"], 0] - two.joints[:, INDEX["r_ankle"], 0]
    assert forward.mean() > 0 > back.mean()
    knee = (
        two.joints[:, INDEX["r_knee"], 0] - (two.joints[:, INDEX["r_hip"], 0] + two.joints[:, INDEX["r_ankle"], 0]) / 2
    )
    assert knee.min() < -0.005  # knees bend the way it looks
    assert one.joints[:, INDEX["r_elbow"], 2].mean() > one.joints[:, INDEX["l_elbow"], 2].mean()
    assert two.joints[:, INDEX["r_elbow"], 2].mean() < two.joints[:, INDEX["l_elbow"], 2].mean()


def test_missing_joints_stay_missing_and_ride_along() -> None:
    figure = figure_of(ADULT, without=("l_shoulder", "l_elbow", "l_wrist", "weapon_tip"))
    track = fit(ACTIONS["run"], figure, place(figure), 6, 10)
    gone = [INDEX[name] for name in ("l_shoulder", "l_elbow", "l_wrist", "weapon_tip", "offhand_tip")]
    assert (track.confidence[:, gone] == 0).all()
    assert (track.confidence[:, INDEX["pelvis"]] > 0).all()
    tip = INDEX["weapon_tip"]
    assert np.array_equal(track.joints[:, tip, :2], track.joints[:, PARENT[tip], :2])


def test_rest_and_no_strength_are_the_drawn_pose() -> None:
    figure = figure_of(ADULT)
    placement = Placement(0.003, (100.0, 192.0))
    rest = rest_track(figure, placement, 3)
    assert len(rest) == 3
    known = figure.joints[:, 2] > 0
    assert np.allclose(rest.joints[1, known, :2], placement.to_cell(figure.joints[known, :2]), atol=1e-6)
    still = fit(ACTIONS["slash"], figure, placement, 4, 10, strength=0)
    assert np.abs(still.joints[:, known, :2] - rest.joints[0, known, :2]).max() < 0.012


def test_energy_and_strength_scale_the_movement() -> None:
    figure = figure_of(ADULT)
    placement = place(figure)

    def size(**settings: float) -> float:
        track = fit(ACTIONS["run"], figure, placement, 8, 10, **settings)
        return float(np.ptp(track.joints[:, INDEX["r_wrist"], :2], axis=0).sum())

    assert size(energy=0.5) < size() and size(strength=0.4) < size()


def test_idle_keeps_the_drawn_stance_and_walk_does_not() -> None:
    spread = {**ADULT, "l_elbow": (138, 58), "l_wrist": (162, 58), "r_elbow": (62, 58), "r_wrist": (38, 58)}
    figure = figure_of(spread, "front")
    placement = place(figure)
    drawn = rest_track(figure, placement).joints[0, INDEX["l_wrist"], :2]
    idle = fit(ACTIONS["idle"], figure, placement, 8, 7).joints[:, INDEX["l_wrist"], :2]
    walk = fit(ACTIONS["walk"], figure, placement, 8, 7).joints[:, INDEX["l_wrist"], :2]
    assert np.hypot(*(idle - drawn).T).max() < 0.06
    assert walk[:, 1].mean() > drawn[1] + 0.04  # arms come down


@pytest.mark.parametrize("spots", [ADULT, CHILD])
def test_a_dead_figure_lies_in_the_cell_on_the_ground(spots: dict[str, tuple[int, int]]) -> None:
    figure = figure_of(spots)
    placement = place(figure)
    last = fit(ACTIONS["die"], figure, placement, 10, 10).joints[-1]
    skull = 0.5 * np.hypot(*np.subtract(spots["crown"], spots["neck"])) * placement.scale
    ground = placement.to_cell(np.array([0, sole_line(figure.art[..., 3])]))[1]
    assert last[INDEX["head"], 1] + skull <= ground + 1e-3
    body = last[[number for name, number in INDEX.items() if name in spots and "tip" not in name]]
    assert body[:, 0].min() > -0.02 and body[:, 0].max() < 1.02


def test_video_track_takes_the_figures_bones() -> None:
    adult, child = figure_of(ADULT), figure_of(CHILD)
    placement = place(child)
    source = fit(ACTIONS["walk"], adult, place(adult), 12, 12)
    noise = np.random.default_rng(0).normal(0, 0.004, source.joints.shape).astype(np.float32)
    track = fit_track(replace(source, joints=source.joints + noise), child, placement)
    rest = rest_track(child, placement)
    for one, two in BONES:
        assert lengths(track, one, two).max() < lengths(rest, one, two)[0] + placement.scale
    ground = rest.joints[0, [INDEX["l_ankle"], INDEX["r_ankle"]], 1].max()
    lowest = track.joints[:, [INDEX["l_ankle"], INDEX["r_ankle"]], 1].max(1)
    assert np.abs(np.quantile(lowest, 0.7) - ground) < 0.01
    assert (track.confidence[:, INDEX["offhand_tip"]] == 0).all()
    swing = np.ptp(track.joints[:, INDEX["r_ankle"], 0])
    assert 0.01 < swing < np.ptp(source.joints[:, INDEX["r_ankle"], 0])  # shorter legs, shorter steps
