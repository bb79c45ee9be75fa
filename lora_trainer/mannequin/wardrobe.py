"""Flesh and clothes below the neck."""

from __future__ import annotations

import numpy as np

from .anatomy import Anatomy
from .palette import Palette
from .solid import Build


def _chance(rng: np.random.Generator, share: float) -> bool:
    return bool(rng.random() < share)


def dress_trunk(build: Build, a: Anatomy, p: Palette, rng: np.random.Generator) -> None:
    """Chest, waist, hips; belt, breastplate, collar."""
    b = a.body
    shirt, trousers = p.main, p.second if _chance(rng, 0.6) else p.main
    hips = b.hip + a.leg * rng.uniform(0.8, 1.0)
    if a.boxy:
        build.box("chest", (0, -b.spine * 0.3, 0), (b.shoulder * 0.92, b.spine * 0.42, a.depth), shirt)
        build.box("pelvis", (0, b.spine * 0.04, 0), (hips * 0.9, b.spine * 0.16, a.depth * 0.85), trousers)
        build.capsule("pelvis", (0, 0, 0), (0, -b.spine * 0.4, 0), (a.waist * 0.6,) * 2, p.dark, other="chest")
        if _chance(rng, 0.6):
            build.ellipsoid("chest", (0, -b.spine * 0.25, a.depth), (b.shoulder * 0.3,) * 2 + (0.012,), p.accent)
        return
    if a.kind == "skeleton":
        build.capsule("pelvis", (0, 0, 0), (0, 0, 0), (0.018, 0.018), p.skin, other="chest")
        for level in range(4):
            wide = b.shoulder * (0.8 - 0.1 * level)
            build.ellipsoid("chest", (0, -b.spine * (0.06 + 0.15 * level), 0.01), (wide, 0.012, a.depth * 0.9), p.skin)
        build.ellipsoid("pelvis", (0, 0, 0), (hips * 0.9, b.spine * 0.12, a.depth * 0.7), p.skin)
        build.capsule("chest", (-b.shoulder, 0, 0), (b.shoulder, 0, 0), (0.014, 0.014), p.skin)
        return
    build.ellipsoid("chest", (0, -b.spine * 0.25, 0), (b.shoulder * 0.92, b.spine * 0.4, a.depth), shirt)
    build.capsule(
        "chest", (-b.shoulder * 0.8, -a.arm * 0.5, 0), (b.shoulder * 0.8, -a.arm * 0.5, 0), (a.arm,) * 2, shirt
    )
    build.capsule(
        "pelvis", (0, b.spine * 0.08, 0), (0, -b.spine * 0.45, 0), (a.waist, a.waist * 1.05), shirt, other="chest"
    )
    build.ellipsoid("pelvis", (0, 0.0, 0), (hips, b.spine * 0.26, max(a.depth * 0.95, a.leg)), trousers)
    build.capsule("chest", (0, -0.02, 0), (0, -b.skull * 0.5, 0), (a.arm * 1.15, a.arm), p.skin, other="head")
    if _chance(rng, 0.5):
        ring = max(a.waist, hips * 0.9)
        build.cone("pelvis", (0, b.spine * 0.18, 0), (ring * 1.06, 0.018, max(a.waist, a.depth) * 1.08), 1, p.leather)
        if _chance(rng, 0.6):
            build.box("pelvis", (0, b.spine * 0.18, max(a.waist, a.depth) * 1.08), (0.02, 0.022, 0.01), p.accent)
    if _chance(rng, 0.28):
        build.ellipsoid(
            "chest", (0, -b.spine * 0.2, a.depth * 0.15), (b.shoulder * 0.95, b.spine * 0.38, a.depth), p.metal
        )
    if _chance(rng, 0.25):
        build.ellipsoid("chest", (0, b.neck * 0.3, 0), (b.shoulder * 0.6, 0.025, a.depth * 0.9), p.accent)
    if _chance(rng, 0.12):
        build.box(
            "chest", (0, -b.spine * 0.3, -a.depth * 1.3), (b.shoulder * 0.6, b.spine * 0.32, a.depth * 0.5), p.leather
        )


def dress_arms(build: Build, a: Anatomy, p: Palette, rng: np.random.Generator) -> None:
    """Arms with sleeves, gloves, bracers and pauldrons; both sides alike except where a hero would differ."""
    b = a.body
    bare = p.skin if a.kind != "robot" else p.second
    upper = p.main if _chance(rng, 0.65) else bare
    lower = upper if _chance(rng, 0.5) else bare
    hand = p.leather if _chance(rng, 0.35) else bare
    bracer, pauldron = _chance(rng, 0.3), _chance(rng, 0.35) and a.kind != "creature"
    lonely = rng.integers(0, 4) == 0
    bulk = rng.uniform(1.5, 2.3)
    for side in "lr":
        shoulder, elbow = (f"{side}_upper_arm", f"{side}_lower_arm")
        if a.boxy:
            build.ellipsoid(shoulder, (0, 0, 0), (a.arm * 1.3,) * 3, p.dark)
            build.box(shoulder, (0, -b.upper_arm * 0.5, 0), (a.arm, b.upper_arm * 0.42, a.arm), upper)
            build.box(elbow, (0, -b.forearm * 0.5, 0), (a.arm * 1.15, b.forearm * 0.45, a.arm * 1.15), lower)
        else:
            thick = a.arm * (1.0 if a.kind == "skeleton" else 1.12)
            build.capsule(shoulder, (0, 0, 0), (0, -b.upper_arm, 0), (thick, a.arm * 0.95), upper)
            wide_sleeve = a.arm * rng.uniform(1.3, 1.9) if lower == upper and lonely else a.arm * 0.85
            build.capsule(elbow, (0, 0, 0), (0, -b.forearm * 0.96, 0), (a.arm * 0.95, wide_sleeve), lower)
        palm = max(a.arm * 1.15, 0.022)
        build.ellipsoid(f"{side}_hand", (0, -palm * 0.5, 0), (palm * 0.85, palm * 1.15, palm), hand)
        if bracer:
            build.cone(elbow, (0, -b.forearm * 0.6, 0), (a.arm * 1.2, b.forearm * 0.3, a.arm * 1.2), 1.15, p.metal)
        if pauldron and not (lonely and side == "l"):
            build.ellipsoid(shoulder, (0, -a.arm * 0.2, 0), (a.arm * bulk, a.arm * bulk * 0.85, a.arm * bulk), p.metal)


def dress_legs(build: Build, a: Anatomy, p: Palette, rng: np.random.Generator) -> None:
    """Legs with trousers, boots, knee plates; shoes of many shapes."""
    b = a.body
    bare = p.skin
    thigh = p.second if _chance(rng, 0.75) else bare
    shin = thigh if _chance(rng, 0.5) else bare
    boots, knees = _chance(rng, 0.6), _chance(rng, 0.22)
    top = b.shin * rng.uniform(0.35, 0.8)
    shoe = p.leather if _chance(rng, 0.6) else p.accent if _chance(rng, 0.5) else bare
    for side in "lr":
        upper, lower, foot = f"{side}_upper_leg", f"{side}_lower_leg", f"{side}_foot"
        if a.boxy:
            build.ellipsoid(upper, (0, 0, 0), (a.leg * 1.05,) * 3, p.dark)
            build.box(upper, (0, -b.thigh * 0.5, 0), (a.leg * 0.9, b.thigh * 0.42, a.leg), thigh)
            build.box(lower, (0, -b.shin * 0.5, 0), (a.leg * 1.1, b.shin * 0.46, a.leg * 1.15), shin)
        else:
            build.capsule(upper, (0, 0, 0), (0, -b.thigh, 0), (a.leg * 1.1, a.leg * 0.88), thigh)
            build.capsule(lower, (0, 0, 0), (0, -b.shin, 0), (a.leg * 0.88, a.leg * 0.65), shin)
        if boots and not a.boxy and a.kind != "skeleton":
            build.capsule(lower, (0, -b.shin + top, 0), (0, -b.shin, 0), (a.leg * 1.02, a.leg * 0.85), shoe)
        if knees:
            build.ellipsoid(lower, (0, 0, a.leg * 0.35), (a.leg * 0.9, a.leg * 1.1, a.leg * 0.9), p.metal)
        sole = (max(a.leg * 0.85, 0.026), b.ankle * 0.62, (b.foot + b.heel) * 0.52)
        centre = (0, -b.ankle * 0.42, (b.foot - b.heel) * 0.5)
        if a.boxy or _chance(rng, 0.2):
            build.box(foot, centre, sole, shoe)
        else:
            build.ellipsoid(foot, centre, sole, shoe)
            build.capsule(foot, (0, 0, 0), (0, -b.ankle * 0.5, 0), (max(a.leg * 0.66, 0.02),) * 2, shoe)


def drape(build: Build, a: Anatomy, p: Palette, rng: np.random.Generator) -> None:
    """Cape, skirt or robe, tail, wings, scabbard or quiver."""
    b = a.body
    legs = b.leg + b.ankle
    if _chance(rng, 0.3) and a.kind != "robot":
        length = rng.uniform(0.35, 0.8) * (b.spine + legs)
        wide = b.shoulder * rng.uniform(1.1, 1.7)
        cloth = p.accent if _chance(rng, 0.6) else p.second
        build.cone(
            "cape", (0, -length * 0.5, -a.depth * 1.15), (wide, length * 0.5, 0.03), rng.uniform(0.5, 0.8), cloth
        )
        build.ellipsoid("chest", (0, -0.01, -a.depth * 0.3), (b.shoulder * 0.9, 0.03, a.depth), cloth)
    kind = rng.choice(["none", "skirt", "robe", "coat"], p=(0.62, 0.16, 0.12, 0.1))
    top = b.hip + a.leg * 1.05
    if kind != "none" and a.kind not in ("robot", "skeleton"):
        cloth = p.main if _chance(rng, 0.7) else p.accent
        length = legs * {"skirt": rng.uniform(0.25, 0.5), "robe": rng.uniform(0.7, 0.88), "coat": 0.6}[str(kind)]
        wide = top * rng.uniform(1.25, 1.7)
        build.cone("hem", (0, -length * 0.5 + 0.03, 0), (wide, length * 0.5, wide * 0.85), top / wide, cloth)
        if kind == "robe":
            for side in "lr":
                ends = (a.leg * 1.25, a.leg * rng.uniform(1.3, 1.7))
                build.capsule(f"{side}_upper_leg", (0, 0, 0), (0, -b.thigh, 0), ends, cloth)
    if _chance(rng, 0.08 if a.kind != "creature" else 0.5):
        build.capsule(
            "pelvis", (0, 0, -a.depth * 0.8), (0, -legs * 0.35, -a.depth * 3.2), (a.leg * 0.7, a.leg * 0.3), p.skin
        )
        build.capsule(
            "pelvis", (0, -legs * 0.35, -a.depth * 3.2), (0, -legs * 0.3, -a.depth * 5), (a.leg * 0.3, 0.008), p.skin
        )
    if _chance(rng, 0.06):
        for sign in (1, -1):
            build.ellipsoid(
                "chest",
                (sign * b.shoulder * 1.3, 0.02, -a.depth * 1.6),
                (0.16, 0.09, 0.012),
                p.accent,
                (0, sign * 0.5, sign * 0.6),
            )
    if _chance(rng, 0.1):
        build.capsule(
            "chest", (0.05, 0.05, -a.depth * 1.3), (-0.06, -b.spine * 0.7, -a.depth * 1.3), (0.03, 0.024), p.leather
        )
