"""Proportions: from a hero of eight heads to a chibi of two, in body heights."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from pipelines.pose.body import Body

Kind = Literal["adult", "heroic", "stocky", "chibi", "child", "skeleton", "robot", "creature", "long-limbed"]
Range = tuple[float, float]


@dataclass(frozen=True)
class Proportions:
    """Ranges one kind of figure is drawn from, in body heights unless said."""

    share: float
    """How often it comes, relative to the others."""
    head: Range
    """Chin to crown."""
    legs: Range
    """Share of the height below the neck."""
    shoulder: Range
    hip: Range
    arm: Range
    """Radius of the upper arm."""
    leg: Range
    """Radius of the thigh."""


KINDS: dict[Kind, Proportions] = {
    "adult": Proportions(
        0.24, (0.145, 0.195), (0.54, 0.62), (0.1, 0.13), (0.045, 0.06), (0.024, 0.036), (0.036, 0.052)
    ),
    "heroic": Proportions(0.12, (0.12, 0.16), (0.52, 0.6), (0.135, 0.17), (0.05, 0.065), (0.034, 0.05), (0.048, 0.065)),
    "stocky": Proportions(0.11, (0.18, 0.25), (0.4, 0.5), (0.14, 0.19), (0.06, 0.09), (0.04, 0.06), (0.05, 0.075)),
    "chibi": Proportions(0.25, (0.28, 0.48), (0.4, 0.54), (0.085, 0.13), (0.045, 0.075), (0.03, 0.05), (0.04, 0.065)),
    "child": Proportions(0.08, (0.2, 0.27), (0.46, 0.56), (0.085, 0.11), (0.045, 0.06), (0.026, 0.036), (0.034, 0.046)),
    "skeleton": Proportions(
        0.06, (0.14, 0.24), (0.5, 0.6), (0.1, 0.135), (0.045, 0.07), (0.011, 0.018), (0.013, 0.022)
    ),
    "robot": Proportions(0.08, (0.13, 0.3), (0.4, 0.56), (0.12, 0.19), (0.05, 0.08), (0.024, 0.05), (0.03, 0.06)),
    "creature": Proportions(0.06, (0.26, 0.5), (0.34, 0.5), (0.09, 0.15), (0.05, 0.08), (0.026, 0.045), (0.034, 0.06)),
    "long-limbed": Proportions(
        0.07, (0.11, 0.17), (0.6, 0.7), (0.085, 0.125), (0.035, 0.055), (0.017, 0.028), (0.022, 0.034)
    ),
}


@dataclass(frozen=True)
class Anatomy:
    """Bone lengths and the flesh around them."""

    kind: Kind
    body: Body
    head: tuple[float, float, float]
    """Half sizes of the skull: across, up, deep."""
    arm: float
    leg: float
    depth: float
    """Half the depth of the chest."""
    waist: float
    """Radius."""
    has_arms: bool
    boxy: bool


def sample_anatomy(rng: np.random.Generator, kind: Kind | None = None) -> Anatomy:
    """A random figure; its standing height is 1."""
    if kind is None:
        shares = np.array([p.share for p in KINDS.values()])
        kind = list(KINDS)[rng.choice(len(KINDS), p=shares / shares.sum())]
    p = KINDS[kind]
    head = rng.uniform(*p.head)
    neck = rng.uniform(0.01, 0.045) * (0.6 if head > 0.25 else 1.0)
    skull, crown = 0.46 * head, 0.5 * head
    below = 1 - neck - skull - crown
    legs = below * rng.uniform(*p.legs)
    ankle, pelvis = legs * rng.uniform(0.08, 0.13), 0.02
    thigh_share = rng.uniform(0.47, 0.54)
    arm_length = below * rng.uniform(0.36, 0.44) * (1.25 if kind == "long-limbed" else 1.0)
    shoulder = rng.uniform(*p.shoulder)
    leg = rng.uniform(*p.leg)
    depth = shoulder * rng.uniform(0.5, 0.72)
    body = Body(
        thigh=(legs - ankle) * thigh_share,
        shin=(legs - ankle) * (1 - thigh_share),
        ankle=ankle,
        foot=rng.uniform(0.08, 0.13),
        heel=rng.uniform(0.025, 0.045),
        hip=rng.uniform(*p.hip),
        pelvis=pelvis,
        spine=below - legs - pelvis,
        neck=neck,
        skull=skull,
        crown=crown,
        shoulder=shoulder,
        upper_arm=arm_length * 0.52,
        forearm=arm_length * 0.48,
        weapon=rng.uniform(0.26, 0.66) * (0.8 if head > 0.25 else 1.0),
        offhand=rng.uniform(0.12, 0.22),
        girth=max(depth, 0.06, 0.4 * head),
    )
    return Anatomy(
        kind,
        body,
        (head * rng.uniform(0.4, 0.52), head * 0.5, head * rng.uniform(0.42, 0.52)),
        rng.uniform(*p.arm),
        leg,
        depth,
        min(shoulder * rng.uniform(0.55, 0.95), depth * 1.35),
        kind != "creature" or bool(rng.random() < 0.25),
        kind == "robot" or bool(rng.random() < 0.04),
    )
