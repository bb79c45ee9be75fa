"""Everything above the neck: face, hair, hats, helmets, horns, ears, masks."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from .anatomy import Anatomy
from .palette import Palette
from .solid import Build

Dresser = Callable[[Build, Anatomy, Palette, np.random.Generator], None]


def dress_head(build: Build, a: Anatomy, p: Palette, rng: np.random.Generator) -> None:
    """Skull, face and what is worn on it."""
    x, y, z = a.head
    shape = build.box if a.boxy and rng.random() < 0.7 else build.ellipsoid
    shape("head", (0, 0, 0), (x * 0.92, y * 0.98, z * 0.92) if shape == build.box else (x, y, z), p.skin)
    if not a.boxy and rng.random() < 0.4:
        build.ellipsoid("head", (0, -y * 0.45, z * 0.2), (x * 0.7, y * 0.5, z * 0.68), p.skin)
    _face(build, a, p, rng)
    worn: tuple[tuple[float, Dresser], ...] = (
        (0.34, _hair),
        (0.13, _helmet),
        (0.1, _pointed_hat),
        (0.07, _cap),
        (0.1, _hood),
        (0.05, _crown),
        (0.07, _mohawk),
        (0.14, _bare),
    )
    shares = np.array([share for share, _ in worn])
    worn[rng.choice(len(worn), p=shares / shares.sum())][1](build, a, p, rng)
    if rng.random() < (0.16 if a.kind != "creature" else 0.6):
        _horns(build, a, p, rng)
    if rng.random() < 0.18:
        _ears(build, a, p, rng)


def _face(build: Build, a: Anatomy, p: Palette, rng: np.random.Generator) -> None:
    x, y, z = a.head
    apart, up = x * rng.uniform(0.32, 0.5), y * rng.uniform(-0.15, 0.15)
    size = x * rng.uniform(0.12, 0.33)
    ahead = z * float(np.sqrt(max(1 - (apart / x) ** 2 - (up / y) ** 2, 0.2))) * (1.05 if a.boxy else 0.97)
    style = rng.choice(["dots", "whites", "glow", "visor", "sockets", "none"], p=(0.3, 0.38, 0.09, 0.08, 0.1, 0.05))
    if a.kind == "skeleton":
        style = "sockets"
    if style == "visor":
        build.box("head", (0, up, z * 0.62), (x * 0.85, y * 0.16, z * 0.42), p.dark)
    for sign in (1, -1):
        eye = (sign * apart, up, ahead)
        if style == "whites":
            build.ellipsoid("head", eye, (size, size * 1.2, size * 0.5), p.white)
            build.ellipsoid(
                "head", (eye[0], eye[1], eye[2] + size * 0.35), (size * 0.5, size * 0.7, size * 0.4), p.dark
            )
        elif style in ("dots", "sockets"):
            large = 1.0 if style == "dots" else 1.6
            build.ellipsoid("head", eye, (size * 0.75 * large, size * large, size * 0.6), p.dark)
        elif style in ("glow", "visor"):
            build.ellipsoid("head", (eye[0], eye[1], eye[2] + size * 0.4), (size, size * 0.5, size * 0.5), p.accent)
    if style not in ("visor", "none") and rng.random() < 0.6:
        build.ellipsoid("head", (0, up - y * 0.25, z * 0.95), (x * 0.1, y * 0.14, z * rng.uniform(0.12, 0.3)), p.skin)
    if rng.random() < 0.3:
        build.box("head", (0, up - y * 0.5, z * 0.84), (x * 0.28, y * 0.04, z * 0.1), p.dark)
    if rng.random() < 0.13 and a.kind not in ("robot", "skeleton"):
        beard = rng.uniform(0.6, 1.3)
        build.capsule("head", (0, -y * 0.5, z * 0.45), (0, -y * (0.6 + beard), z * 0.6), (x * 0.62, x * 0.2), p.hair)


def _hair(build: Build, a: Anatomy, p: Palette, rng: np.random.Generator) -> None:
    x, y, z = a.head
    build.ellipsoid("head", (0, y * 0.22, -z * 0.2), (x * 1.08, y * 0.9, z * 1.0), p.hair)
    styles = ["short", "bob", "long", "tail", "spikes", "bun", "fringe"]
    style = rng.choice(styles, p=(0.13, 0.12, 0.23, 0.21, 0.12, 0.07, 0.12))
    if style == "bob":
        build.ellipsoid("head", (0, -y * 0.15, -z * 0.35), (x * 1.15, y * 0.95, z * 0.8), p.hair)
    elif style == "long":
        end = (0, -a.body.spine * rng.uniform(0.2, 0.8) - a.body.skull, -z * 0.5)
        build.capsule("head", (0, 0, -z * 0.55), end, (x * 0.85, x * rng.uniform(0.3, 0.6)), p.hair, other="locks")
    elif style == "tail":
        build.ellipsoid("head", (0, y * 0.5, -z * 1.05), (x * 0.35,) * 3, p.hair)
        end = (0, -y * rng.uniform(0.6, 1.8), -z * 1.5)
        build.capsule("head", (0, y * 0.45, -z * 1.2), end, (x * 0.28, x * 0.1), p.hair, other="locks")
    elif style == "spikes":
        for _ in range(rng.integers(5, 9)):
            way = rng.normal(size=3) * (0.8, 0.5, 0.8) + (0, 0.7, -0.35)
            way /= np.linalg.norm(way)
            start = way * (x, y, z) * 0.75
            build.capsule("head", start, way * (x, y, z) * rng.uniform(1.3, 1.7), (x * 0.32, 0.006), p.hair)
    elif style == "bun":
        for sign in (1, -1) if rng.random() < 0.5 else (0,):
            build.ellipsoid("head", (sign * x * 0.85, y * 0.85, -z * 0.3), (x * 0.38,) * 3, p.hair)
    elif style == "fringe":
        build.ellipsoid("head", (x * 0.3, y * 0.6, z * 0.5), (x * 0.7, y * 0.3, z * 0.55), p.hair, (0.4, 0, 0.3))


def _helmet(build: Build, a: Anatomy, p: Palette, rng: np.random.Generator) -> None:
    x, y, z = a.head
    full = rng.random() < 0.5
    build.ellipsoid(
        "head", (0, 0 if full else y * 0.25, -z * 0.03), (x * 1.12, y * (1.1 if full else 0.88), z * 1.12), p.metal
    )
    if full:
        build.box("head", (0, y * rng.uniform(-0.1, 0.2), z * 0.78), (x * 0.62, y * 0.1, z * 0.38), p.dark)
        for level in range(rng.integers(0, 3)):
            build.box("head", (0, -y * (0.35 + 0.22 * level), z * 0.75), (x * 0.35, y * 0.05, z * 0.36), p.dark)
    else:
        build.cone("head", (0, y * 0.22, 0), (x * 1.2, y * 0.1, z * 1.2), 1.0, p.accent)
    if rng.random() < 0.45:
        back = -z * rng.uniform(0.8, 1.8)
        build.capsule("head", (0, y * 1.05, 0), (0, y * rng.uniform(0.7, 1.7), back), (x * 0.24, x * 0.12), p.accent)
    elif rng.random() < 0.3:
        build.box("head", (0, y * 1.05, -z * 0.1), (x * 0.09, y * 0.28, z * 0.8), p.accent)


def _pointed_hat(build: Build, a: Anatomy, p: Palette, rng: np.random.Generator) -> None:
    x, y, z = a.head
    tall, brim = y * rng.uniform(0.9, 1.9), rng.uniform(1.4, 2.1)
    build.cone(
        "head", (0, y * 0.6, -z * 0.05), (x * brim, y * 0.07, z * brim), 0.92, p.main, (rng.normal() * 0.08, 0, 0)
    )
    build.cone("head", (0, y * 0.6 + tall * 0.5, -z * 0.05), (x * 1.05, tall * 0.5, z * 1.05), 0.35, p.main)
    tip = (x * rng.normal() * 0.3, y * 0.6 + tall * rng.uniform(1.2, 1.7), -z * rng.uniform(0, 0.9))
    build.capsule("head", (0, y * 0.6 + tall * 0.95, -z * 0.05), tip, (x * 0.36, 0.008), p.main)
    build.cone("head", (0, y * 0.75, -z * 0.05), (x * 1.06, y * 0.1, z * 1.06), 0.95, p.accent)
    if rng.random() < 0.5:
        build.capsule("head", (0, 0, -z * 0.5), (0, -y * 1.1, -z * 0.7), (x * 0.9, x * 0.5), p.hair)


def _cap(build: Build, a: Anatomy, p: Palette, rng: np.random.Generator) -> None:
    x, y, z = a.head
    build.ellipsoid("head", (0, y * 0.35, -z * 0.1), (x * 1.08, y * 0.75, z * 1.05), p.accent)
    build.ellipsoid("head", (0, y * 0.3, z * 0.85), (x * 0.75, y * 0.07, z * 0.6), p.accent)
    build.ellipsoid("head", (0, -y * 0.1, -z * 0.4), (x * 1.02, y * 0.7, z * 0.7), p.hair)


def _hood(build: Build, a: Anatomy, p: Palette, rng: np.random.Generator) -> None:
    x, y, z = a.head
    cloth = p.main if rng.random() < 0.6 else p.accent
    build.ellipsoid("head", (0, y * 0.15, -z * 0.32), (x * 1.18, y * 1.1, z * 1.02), cloth)
    build.capsule(
        "head",
        (0, -y * 0.4, -z * 0.35),
        (0, -0.02, 0),
        (x * 0.9, a.body.shoulder * 0.7),
        cloth,
        other="chest",
        part="head",
    )
    if rng.random() < 0.5:
        build.capsule("head", (0, y * 0.9, -z * 0.7), (0, y * 0.8, -z * rng.uniform(1.3, 2)), (x * 0.5, 0.01), cloth)
    if rng.random() < 0.4:
        build.ellipsoid("head", (0, -y * 0.05, z * 0.1), (x * 0.96, y * 0.9, z * 0.92), p.dark)


def _crown(build: Build, a: Anatomy, p: Palette, rng: np.random.Generator) -> None:
    x, y, z = a.head
    _hair(build, a, p, rng)
    build.cone("head", (0, y * 0.85, 0), (x * 0.75, y * 0.18, z * 0.75), 1.2, p.metal)
    for angle in np.linspace(0, 2 * np.pi, 6)[:-1]:
        point = (x * 0.85 * np.sin(angle), y * 1.05, z * 0.85 * np.cos(angle))
        build.capsule("head", point, (point[0], y * 1.35, point[2]), (x * 0.14, 0.006), p.metal)


def _mohawk(build: Build, a: Anatomy, p: Palette, rng: np.random.Generator) -> None:
    x, y, z = a.head
    tall = rng.uniform(0.25, 0.7)
    for angle in np.linspace(-0.5, 2.0, 6):
        way = np.array([0, np.cos(angle) * y, -np.sin(angle) * z])
        build.capsule("head", way * 0.9, way * (1 + tall), (x * 0.22, x * 0.07), p.hair)


def _bare(build: Build, a: Anatomy, p: Palette, rng: np.random.Generator) -> None:
    x, y, z = a.head
    if a.kind == "robot":
        build.capsule("head", (0, y, 0), (0, y * rng.uniform(1.3, 1.9), 0), (0.008, 0.008), p.metal)
        build.ellipsoid("head", (0, y * 1.6, 0), (x * 0.18,) * 3, p.accent)
    elif rng.random() < 0.5:
        build.ellipsoid(
            "head",
            (0, -y * 0.02, z * 0.28),
            (x * 0.95, y * 0.96, z * 0.78),
            p.white if rng.random() < 0.5 else p.accent,
        )


def _horns(build: Build, a: Anatomy, p: Palette, rng: np.random.Generator) -> None:
    x, y, z = a.head
    out, up, back = rng.uniform(0.9, 1.7), rng.uniform(0.8, 1.5), rng.uniform(-0.6, 0.3)
    for sign in (1, -1):
        knee = (sign * x * out, y * up * 0.8, z * back * 0.5)
        build.capsule("head", (sign * x * 0.65, y * 0.6, 0), knee, (x * 0.2, x * 0.14), p.metal)
        build.capsule(
            "head", knee, (sign * x * out * rng.uniform(0.7, 1.2), y * (up + 0.6), z * back), (x * 0.14, 0.005), p.metal
        )


def _ears(build: Build, a: Anatomy, p: Palette, rng: np.random.Generator) -> None:
    x, y, z = a.head
    animal = rng.random() < 0.5
    for sign in (1, -1):
        if animal:
            build.capsule(
                "head",
                (sign * x * 0.6, y * 0.7, 0),
                (sign * x * 0.8, y * rng.uniform(1.4, 2.1), 0),
                (x * 0.3, x * 0.06),
                p.hair,
            )
        else:
            tip = (sign * x * rng.uniform(1.3, 1.8), y * rng.uniform(0.1, 0.4), -z * 0.4)
            build.capsule("head", (sign * x * 0.9, 0, 0), tip, (x * 0.2, 0.006), p.skin)
