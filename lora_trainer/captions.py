"""Captions in two halves: what moves, and who it is (R23, R36)."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from pipelines.errors import TrainingError
from pipelines.pose.skeleton import Facing

TOKEN_LIMIT = 77
"""What CLIP text encoders read, start and end mark included; they ignore the rest without a word (R40)."""

VIEWS: dict[Facing, str] = {"right": "side view", "left": "side view", "front": "front view", "back": "back view"}

SYNONYMS: dict[str, tuple[str, ...]] = {
    "idle": ("idle", "standing", "breathing in place"),
    "walk": ("walk", "walking", "walk cycle"),
    "run": ("run", "running", "run cycle"),
    "jump": ("jump", "jumping", "leap"),
    "slash": ("slash", "slashing", "swing"),
    "thrust": ("thrust", "thrusting", "stab"),
    "cast": ("cast", "casting a spell", "spell cast"),
    "hurt": ("hurt", "being hit", "flinch"),
    "die": ("die", "dying", "death"),
}
"""Other words for an action, the plainest first (R132)."""

ARMED = frozenset({"slash", "thrust"})
"""Actions that name the weapon when the character holds one: "sword slash"."""


@dataclass(frozen=True)
class Caption:
    """What the model reads of one sample."""

    action: str
    """Action part: "sword slash"."""
    character: str = "a character"
    """Character part: "a young knight in blue plate". When it is too long, the last clause goes first."""
    view: str = "side view"
    background: str = "solid background"

    @property
    def text(self) -> str:
        """The whole caption."""
        return f"{self.action} animation of {self.character}, {self.view}, {self.background}"


def build(action: str, character: str = "", facing: Facing = "right", weapon: str | None = None) -> Caption:
    """The caption of an action. An empty character becomes "a character"; one without an article gets none added."""
    words = re.sub(r"[\s_]+", " ", action).strip().lower() or "idle"
    armed = f"{weapon.strip().lower()} {words}" if weapon and weapon.strip() and words in ARMED else words
    who = re.sub(r"\s+", " ", character).strip().rstrip(".,;")
    return Caption(armed, who or "a character", VIEWS[facing])


def reworded(caption: Caption, rng: np.random.Generator) -> Caption:
    """The caption with its action said in another way; unknown actions stay as they are."""
    *before, last = caption.action.split(" ")
    choices = SYNONYMS.get(last)
    return replace(caption, action=" ".join([*before, str(rng.choice(choices))])) if choices else caption


def count_tokens(text: str, tokenizer: Callable[[str], list[int]] | None = None) -> int:
    """Tokens that a text encoder sees. With `tokenizer` (text -> ids) exact; else an upper estimate for CLIP.

    The estimate takes one token for every four letters of a word begun, every digit and every punctuation mark,
    and two for start and end.
    """
    if tokenizer is not None:
        return len(tokenizer(text))
    pieces = re.findall(r"[^\W\d_]+|\d|[^\w\s]|_", text)
    return 2 + sum(-(-len(piece) // 4) for piece in pieces)


def shorten(
    caption: Caption, limit: int = TOKEN_LIMIT, tokenizer: Callable[[str], list[int]] | None = None
) -> tuple[Caption, str]:
    """The caption within `limit` tokens, and what had to go ("" when nothing had).

    Whole clauses of the character part go first, then its last words. Raises `TrainingError` when even one word
    of the character does not fit.
    """
    words = caption.character.split(" ")
    kept = list(words)
    while count_tokens(replace(caption, character=" ".join(kept)).text, tokenizer) > limit:
        if len(kept) == 1:
            over = count_tokens(caption.text, tokenizer)
            raise TrainingError(
                f"The caption has {over} tokens and the model reads {limit}; shorten the action ({caption.action!r})."
            )
        commas = [number for number, word in enumerate(kept[:-1]) if word.endswith(",")]
        kept = kept[: commas[-1] + 1] if commas else kept[:-1]
        kept[-1] = kept[-1].rstrip(",")
    return replace(caption, character=" ".join(kept)), " ".join(words[len(kept) :])
