"""A whole random character, deterministic from its generator."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from pipelines.pose.body import Body
from pipelines.pose.skeleton import INDEX, N_JOINTS

from . import headgear, held, wardrobe
from .anatomy import Anatomy, Kind, sample_anatomy
from .palette import sample_palette
from .solid import Build, Material, Solid

_ARM_PARTS = tuple(f"{side}_{part}" for side in "lr" for part in ("upper_arm", "lower_arm", "hand"))

LEFT_HANDED = 0.12
"""Share of characters that hold in the left hand what others hold in the right."""


@dataclass(frozen=True)
class Mannequin:
    """A character without a pose."""

    anatomy: Anatomy
    solids: tuple[Solid, ...]
    materials: tuple[Material, ...]
    weapon: str | None
    """Caption word of what the right hand holds, None for an empty hand."""
    offhand: str | None
    """Caption word of what the left hand holds."""

    @property
    def body(self) -> Body:
        """Bone lengths; play motions on this body so that feet meet the ground."""
        return self.anatomy.body

    @property
    def confidence(self) -> np.ndarray:
        """float32 (21,): 0 for joints that this character does not have."""
        present = np.ones(N_JOINTS, np.float32)
        present[INDEX["weapon_tip"]] = self.weapon is not None
        present[INDEX["offhand_tip"]] = self.offhand is not None
        if not self.anatomy.has_arms:
            for side in "lr":
                for joint in ("shoulder", "elbow", "wrist"):
                    present[INDEX[f"{side}_{joint}"]] = 0
        return present


def sample_character(rng: np.random.Generator, kind: Kind | None = None) -> Mannequin:
    """A random figure with clothes, headgear, colours and, at a set share, things in its hands."""
    anatomy = sample_anatomy(rng, kind)
    build = Build()
    palette = sample_palette(rng, build)
    wardrobe.dress_trunk(build, anatomy, palette, rng)
    wardrobe.dress_legs(build, anatomy, palette, rng)
    wardrobe.dress_arms(build, anatomy, palette, rng)
    wardrobe.drape(build, anatomy, palette, rng)
    headgear.dress_head(build, anatomy, palette, rng)
    weapon = offhand = None
    if anatomy.has_arms:
        if rng.random() < 0.55:
            weapon = held.arm_right(build, anatomy, palette, rng)
        if rng.random() < 0.26:
            offhand = held.arm_left(build, anatomy, palette, rng)
    solids = [s for s in build.solids if anatomy.has_arms or s.bone not in _ARM_PARTS]
    mannequin = Mannequin(anatomy, tuple(solids), tuple(build.materials), weapon, offhand)
    return left_handed(mannequin) if rng.random() < LEFT_HANDED else mannequin


def left_handed(mannequin: Mannequin) -> Mannequin:
    """The same character with what its hands hold exchanged: the sword in the left, the shield in the right."""
    across = {"weapon": "offhand", "offhand": "weapon"}
    solids = tuple(
        replace(s, bone=across[s.bone], centre=_mirrored(s.centre), other_end=_mirrored(s.other_end))
        if s.bone in across
        else s
        for s in mannequin.solids
    )
    body = replace(mannequin.body, weapon=mannequin.body.offhand, offhand=mannequin.body.weapon)
    return replace(
        mannequin,
        anatomy=replace(mannequin.anatomy, body=body),
        solids=solids,
        weapon=mannequin.offhand,
        offhand=mannequin.weapon,
    )


def _mirrored(point: tuple[float, float, float]) -> tuple[float, float, float]:
    return (-point[0], *point[1:])


def unarmed(mannequin: Mannequin) -> Mannequin:
    """The same character with empty hands."""
    solids = tuple(s for s in mannequin.solids if s.bone not in ("weapon", "offhand"))
    return replace(mannequin, solids=solids, weapon=None, offhand=None)
