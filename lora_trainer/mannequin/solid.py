"""The solids a mannequin is built from, and a builder that collects them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from pipelines.rig.parts import PARTS

from .bones import BONE

Kind = Literal["capsule", "ellipsoid", "box", "cone"]
KINDS: tuple[Kind, ...] = ("capsule", "ellipsoid", "box", "cone")
PART_ID = {part.name: number for number, part in enumerate(PARTS)}
Vector = Sequence[float] | np.ndarray

_PART_OF_BONE = {"pelvis": "torso", "chest": "torso", "cape": "torso", "hem": "torso", "locks": "head"} | {
    f"{side}_hand": f"{side}_lower_arm" for side in "lr"
}


@dataclass(frozen=True)
class Solid:
    """One solid. Lengths in body heights, in the frames of its bones."""

    kind: Kind
    bone: str
    centre: tuple[float, float, float]
    """Middle of an ellipsoid, box or cone; first end of a capsule."""
    material: int
    half: tuple[float, float, float] = (0.0, 0.0, 0.0)
    """Half sizes along the axes; a cone's at its lower end."""
    turn: tuple[float, float, float] = (0.0, 0.0, 0.0)
    """Turn about x, then y, then z of the bone, radians."""
    taper: float = 1.0
    """A cone's upper radius over its lower one."""
    other_bone: str = ""
    other_end: tuple[float, float, float] = (0.0, 0.0, 0.0)
    radii: tuple[float, float] = (0.0, 0.0)
    part: str = ""

    @property
    def part_id(self) -> int:
        """Number of the body part in `pipelines.rig.PARTS`."""
        return PART_ID[self.part or _PART_OF_BONE.get(self.bone, self.bone)]

    @property
    def bones(self) -> tuple[int, int]:
        """Numbers of the bones of its first and second end."""
        return BONE[self.bone], BONE[self.other_bone or self.bone]


@dataclass(frozen=True)
class Material:
    """Colours 0..1 and the pattern between them, which sticks to the bone."""

    colour: tuple[float, float, float]
    second: tuple[float, float, float]
    pattern: Literal["plain", "stripes", "rings", "checks", "dots", "noise", "fade"] = "plain"
    scale: float = 0.05
    """Size of the pattern in body heights."""
    gloss: float = 0.0
    """Strength of the highlight, 0..1."""
    glow: float = 0.0
    """Share of the colour that ignores the light."""


@dataclass
class Build:
    """A mannequin under construction."""

    solids: list[Solid] = field(default_factory=list)
    materials: list[Material] = field(default_factory=list)

    def material(self, material: Material) -> int:
        """Adds a material and returns its number."""
        self.materials.append(material)
        return len(self.materials) - 1

    def capsule(
        self,
        bone: str,
        start: Vector,
        end: Vector,
        radii: tuple[float, float],
        material: int,
        other: str = "",
        part: str = "",
    ) -> None:
        """A round cone from `start` on `bone` to `end` on `other` (or the same bone)."""
        self.solids.append(
            Solid(
                "capsule",
                bone,
                _triple(start),
                material,
                other_bone=other,
                other_end=_triple(end),
                radii=radii,
                part=part,
            )
        )

    def ellipsoid(
        self, bone: str, centre: Vector, half: Vector, material: int, turn: Vector = (0, 0, 0), part: str = ""
    ) -> None:
        """An ellipsoid of the given half axes."""
        self.solids.append(Solid("ellipsoid", bone, _triple(centre), material, _triple(half), _triple(turn), part=part))

    def box(
        self, bone: str, centre: Vector, half: Vector, material: int, turn: Vector = (0, 0, 0), part: str = ""
    ) -> None:
        """A box of the given half sizes."""
        self.solids.append(Solid("box", bone, _triple(centre), material, _triple(half), _triple(turn), part=part))

    def cone(
        self,
        bone: str,
        centre: Vector,
        half: Vector,
        taper: float,
        material: int,
        turn: Vector = (0, 0, 0),
        part: str = "",
    ) -> None:
        """A cut cone along y with flat ends, lower radii half[0] and half[2], upper ones times `taper`."""
        self.solids.append(
            Solid("cone", bone, _triple(centre), material, _triple(half), _triple(turn), taper, part=part)
        )


def _triple(vector: Vector) -> tuple[float, float, float]:
    x, y, z = (float(v) for v in vector)
    return x, y, z


def turn_matrix(turn: Vector) -> np.ndarray:
    """(3, 3) rotation about x, then y, then z."""
    (cx, cy, cz), (sx, sy, sz) = np.cos(turn), np.sin(turn)
    about_x = np.array([[1, 0, 0], [0, cx, -sx], [0, sx, cx]])
    about_y = np.array([[cy, 0, sy], [0, 1, 0], [-sy, 0, cy]])
    about_z = np.array([[cz, -sz, 0], [sz, cz, 0], [0, 0, 1]])
    return about_z @ about_y @ about_x
