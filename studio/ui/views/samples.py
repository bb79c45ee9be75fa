"""The character's samples as cards, and what they add up to."""

from __future__ import annotations

from typing import Any

from ... import flow
from ...library import Sample
from ...studio import Desk
from .. import media
from ..words import WORDS, pick
from . import actions, text

_KINDS = {"good": "good", "check": "warn", "poor": "bad"}


def value(desk: Desk, character_id: str) -> dict[str, Any]:
    """The `SampleCards` value."""
    who = flow.character(desk, character_id)
    return {
        "items": [_card(sample, who.pixel_art) for sample in flow.samples(desk, character_id)],
        "actions": [[name, title] for title, name in actions.choices()],
        "words": pick("keep", "kept", "keep_hint", "frames", "still", "action", "caption"),
    }


def _card(sample: Sample, pixel: bool) -> dict[str, Any]:
    return {
        "id": sample.id,
        "kind": sample.kind,
        "clip": _clip(sample, pixel),
        "action": sample.action,
        "caption": sample.caption,
        "keep": sample.keep,
        "verdict": {"kind": _KINDS.get(sample.verdict, "warn"), "text": sample.note or WORDS.get(sample.verdict, "")},
        "name": sample.name,
    }


def _clip(sample: Sample, pixel: bool) -> dict[str, Any]:
    if sample.kind == "still":
        return media.still(sample.picture, pixel)
    key, each = media.stamp(sample.folder / "sample.json"), round(1000 / sample.fps)
    return media.frames(key, sample.frames(), [each] * sample.count, True, pixel)


def counts(samples: list[Sample]) -> tuple[int, int, int]:
    """Kept stills, kept clips, left out."""
    kept = [sample for sample in samples if sample.keep]
    stills = sum(sample.kind == "still" for sample in kept)
    return stills, len(kept) - stills, len(samples) - len(kept)


def facts(samples: list[Sample]) -> str:
    """The tally under the drop zone."""
    stills, clips, out = counts(samples)
    doubtful = sum(sample.keep and sample.verdict != "good" for sample in samples)
    rows = [("stills", stills), ("clips", clips), ("left_out", out), ("to_check", doubtful)]
    return text.facts((WORDS[name], str(number)) for name, number in rows)
