"""What the hands hold. Every weapon ends exactly at the weapon tip, every off-hand thing at the off-hand tip."""

from __future__ import annotations

import numpy as np

from .anatomy import Anatomy
from .palette import Palette
from .solid import Build

WEAPONS = ("sword", "axe", "staff", "spear", "club", "dagger", "wand", "hammer")
OFFHANDS = ("shield", "kite shield", "bow", "dagger", "torch", "orb", "book")


def arm_right(build: Build, a: Anatomy, p: Palette, rng: np.random.Generator) -> str:
    """A weapon in the right hand; returns its caption word."""
    weapon = str(rng.choice(WEAPONS, p=(0.34, 0.13, 0.15, 0.1, 0.08, 0.08, 0.06, 0.06)))
    length, thick = a.body.weapon, rng.uniform(0.009, 0.017)
    shaft = (thick, thick)
    if weapon in ("sword", "dagger"):
        _blade(build, "weapon", length, p, rng)
    elif weapon in ("axe", "hammer"):
        build.capsule("weapon", (0, 0.1, 0), (0, -length, 0), shaft, p.leather)
        if weapon == "axe":
            deep = rng.uniform(0.07, 0.13)
            for sign in (1, -1) if rng.random() < 0.3 else (1,):
                centre = (0, -length * 0.88, sign * deep * 0.5)
                build.ellipsoid("weapon", centre, (0.014, deep * 0.75, deep * 0.55), p.metal)
        else:
            build.box("weapon", (0, -length * 0.93, 0), (0.04, 0.045, rng.uniform(0.06, 0.1)), p.metal)
    elif weapon in ("staff", "spear"):
        build.capsule("weapon", (0, length * rng.uniform(0.6, 1.2), 0), (0, -length, 0), shaft, p.leather)
        if weapon == "staff":
            head = rng.uniform(0.025, 0.055)
            build.ellipsoid("weapon", (0, -length + head * 0.6, 0), (head,) * 3, p.accent)
        else:
            build.cone("weapon", (0, -length + 0.05, 0), (0.012, 0.06, 0.032), 0.05, p.metal, (np.pi, 0, 0))
    elif weapon == "club":
        build.capsule("weapon", (0, 0.03, 0), (0, -length + 0.045, 0), (0.016, 0.045), p.leather)
    else:
        build.capsule("weapon", (0, 0.03, 0), (0, -length, 0), (0.014, 0.007), p.leather)
        build.ellipsoid("weapon", (0, -length, 0), (0.026,) * 3, p.accent)
    return weapon


def _blade(build: Build, bone: str, length: float, p: Palette, rng: np.random.Generator) -> None:
    wide, point = rng.uniform(0.016, 0.038), min(0.08, length * 0.25)
    build.capsule(bone, (0, 0.05, 0), (0, -0.04, 0), (0.013, 0.013), p.leather)
    build.ellipsoid(bone, (0, 0.06, 0), (0.018,) * 3, p.accent)
    build.box(bone, (0, -0.05, 0), (0.018, 0.012, wide * rng.uniform(1.8, 2.6)), p.accent)
    middle = (0.05 + length - point) / 2
    build.box(bone, (0, -middle, 0), (0.007, middle - 0.05, wide), p.metal)
    build.cone(bone, (0, -length + point / 2, 0), (0.0075, point / 2, wide), 0.03, p.metal, (np.pi, 0, 0))


def arm_left(build: Build, a: Anatomy, p: Palette, rng: np.random.Generator) -> str:
    """Something in the left hand; returns its caption word."""
    thing = str(rng.choice(OFFHANDS, p=(0.32, 0.16, 0.14, 0.1, 0.1, 0.1, 0.08)))
    length = a.body.offhand
    if thing == "shield":
        # A disc whose rim ends at the tip; its face is the frame's x, away from the body.
        build.ellipsoid("offhand", (0.02, -length * 0.1, 0), (0.02, length * 1.1, length * 1.1), p.accent)
        build.ellipsoid("offhand", (0.035, -length * 0.1, 0), (0.02, length * 0.4, length * 0.4), p.metal)
    elif thing == "kite shield":
        build.box("offhand", (0.02, length * 0.25, 0), (0.016, length * 0.5, length * 0.7), p.second)
        build.cone(
            "offhand", (0.02, -length * 0.62, 0), (0.016, length * 0.38, length * 0.7), 0.2, p.second, (np.pi, 0, 0)
        )
        build.box("offhand", (0.036, 0, 0), (0.008, length * 0.6, length * 0.12), p.metal)
    elif thing == "bow":
        for sign in (1, -1):
            middle = (0, sign * length * 0.7, 0.05)
            build.capsule("offhand", (0, 0, 0.06), middle, (0.013, 0.011), p.leather)
            build.capsule("offhand", middle, (0, sign * length, -0.02), (0.011, 0.006), p.leather)
        build.capsule("offhand", (0, length, -0.02), (0, -length, -0.02), (0.004, 0.004), p.white)
    elif thing == "dagger":
        _blade(build, "offhand", length, p, rng)
    elif thing == "torch":
        build.capsule("offhand", (0, 0.06, 0), (0, -length * 0.7, 0), (0.013, 0.02), p.leather)
        build.ellipsoid("offhand", (0, -length * 0.85, 0), (0.032, 0.05, 0.032), p.accent)
    elif thing == "orb":
        build.ellipsoid("offhand", (0, -length * 0.6, 0), (length * 0.4,) * 3, p.accent)
    else:
        build.box("offhand", (0, -length * 0.5, 0), (0.03, length * 0.5, length * 0.38), p.main)
        build.box("offhand", (0, -length * 0.5, 0.012), (0.022, length * 0.47, length * 0.38), p.white)
    return thing
