"""Anticipation, action, recovery: where a move's beats lie, and how long each is held.

Fast in the blow, slow around it (Williams, The Animator's Survival Kit; Thomas and Johnston's twelve principles).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from studio.sprites.errors import TimingError
from studio.sprites.frames import Frames, checked
from studio.sprites.motion import distances, steps
from studio.sprites.timing import Timing, checked_durations, key_frames

COUNTS = (4, 6, 8, 12, 16)
"""Numbers of drawings that sprite animators ask for."""


@dataclass(frozen=True)
class Beats:
    """The frames of a move that does not loop, in three runs; each run may be empty."""

    anticipation: range
    action: range
    """Ends with the impact."""
    recovery: range


@dataclass(frozen=True)
class Preset:
    """The pace of one kind of action."""

    key: str
    """Name for the page's words."""
    drawings: int
    """How many drawings are kept, at most."""
    frame_ms: int
    """How long an ordinary drawing is held."""
    accents: tuple[float, float, float, float] | None = None
    """For blows: factors on `frame_ms` of anticipation, action, the impact itself, and recovery; None: even."""
    snap: int = 0
    """In-betweens dropped right before the impact."""


PRESETS = {
    preset.key: preset
    for preset in (
        Preset("idle", 6, 200),
        Preset("walk", 8, 110),
        Preset("run", 8, 80),
        Preset("jump", 8, 90, (1.4, 0.8, 1.4, 1.1)),
        Preset("attack", 8, 80, (1.6, 0.6, 2.0, 1.2), snap=1),
        Preset("hurt", 4, 90, (0.6, 0.6, 2.0, 1.3)),
        Preset("death", 8, 120, (1.0, 0.8, 1.5, 1.4)),
        Preset("cast", 12, 90, (1.5, 0.8, 1.8, 1.2)),
    )
}
"""Paces by kind; idle 5, walk 9, run 12 drawings a second: within what artists use (field notes 3b, point 7)."""

KINDS = {
    "idle": ("idle", "stand", "breathe", "sit", "wave"),
    "walk": ("walk", "sneak", "climb", "crouch", "swim"),
    "run": ("run", "sprint", "dash", "roll", "fly"),
    "jump": ("jump", "leap", "fall", "land", "hop"),
    "attack": (
        "attack",
        "slash",
        "punch",
        "kick",
        "stab",
        "shoot",
        "shot",
        "overhead",
        "throw",
        "blow",
        "strike",
        "hit",
    ),
    "hurt": ("hurt", "stagger", "knock", "flinch"),
    "death": ("death", "die", "dead"),
    "cast": ("cast", "spell", "charge", "summon", "magic"),
}
"""Words in an action's name that tell its kind."""


def preset_for(action: str) -> Preset | None:
    """The preset that an action's name asks for, the longest word winning; None when no word of it is known."""
    words = [(len(word), kind) for kind, known in KINDS.items() for word in known if word in action.lower()]
    return PRESETS[max(words)[1]] if words else None


def impact_frame(frames: Frames) -> int:
    """The frame of ``(T, H, W, 4)`` in which the blow lands: the one that the last of its fastest steps leads to."""
    step = steps(distances(checked(frames)))
    if len(step) == 0 or step.max() <= 0:
        return 0
    fast = np.flatnonzero(step >= 0.6 * step.max())
    peak = int(step.argmax())
    # a blow may take several fast steps in a row; it lands where they end
    while peak + 1 in fast:
        peak += 1
    return peak + 1


def beats(frames: Frames) -> Beats:
    """The three runs of ``(T, H, W, 4)``: the action is the unbroken fast stretch that ends with the impact."""
    step = steps(distances(checked(frames)))
    impact = impact_frame(frames)
    first = impact
    while first > 1 and step[first - 2] >= 0.35 * step.max():
        first -= 1
    return Beats(range(first), range(first, impact + 1), range(impact + 1, len(frames)))


def snap(durations_ms: Sequence[int], impact: int, drop: int = 1) -> Timing:
    """Drop `drop` in-betweens before frame `impact`; their time goes to the impact, so the length stays.

    The eye fills the gap, and the blow hits harder. The first frame always stays.
    """
    durations = checked_durations(durations_ms, len(durations_ms))
    if not 0 <= impact < len(durations) or drop < 0:
        raise TimingError(
            f"Dropping {drop} drawings before frame {impact} is not possible; "
            f"the action has {len(durations)} frames, counted from 0."
        )
    gone = range(max(impact - drop, 1), impact)
    picks = tuple(i for i in range(len(durations)) if i not in gone)
    held = [durations[i] for i in picks]
    held[picks.index(impact)] += sum(durations[i] for i in gone)
    return Timing(picks, checked_durations(held, len(held)))


def paced(frames: Frames, preset: Preset, loop: bool) -> Timing:
    """Drawings and durations of ``(T, H, W, 4)`` in the pace of `preset`.

    An action that loops keeps an even pace. Else its beats are stressed, its impact is always kept, and `snap` is done.
    """
    count = min(preset.drawings, len(checked(frames)))
    picks = list(key_frames(frames, count, loop))
    if loop or preset.accents is None:
        return Timing(tuple(picks), (preset.frame_ms,) * count)
    impact, found = impact_frame(frames), beats(frames)
    if impact not in picks and impact > 0:
        inner = picks[1:-1] or picks[-1:]
        picks[picks.index(min(inner, key=lambda pick: abs(pick - impact)))] = impact
        picks.sort()
    gone = [pick for pick in picks[1:] if pick < impact][-preset.snap :] if preset.snap and len(picks) > 4 else []
    picks = [pick for pick in picks if pick not in gone]
    before, blow, hit, after = preset.accents
    factors = [
        hit if pick == impact else before if pick in found.anticipation else blow if pick in found.action else after
        for pick in picks
    ]
    return Timing(tuple(picks), tuple(round(preset.frame_ms * factor) for factor in factors))
