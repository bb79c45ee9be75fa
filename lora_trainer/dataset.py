"""What each step learns from: stills, animated samples and priors in exact shares, as a function of the step alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial

import numpy as np

from pipelines.backend import Batch, Trainable, TrainingSample
from pipelines.cancel import CancelToken
from pipelines.errors import TrainingError
from pipelines.events import Event, Step, Warning
from pipelines.figure import Figure

from .cache import ItemCache, fingerprint
from .config import TrainConfig

_AUGMENT, _PRIOR, _ORDER = 1, 2, 3
"""Streams of random numbers; each draw has its own generator (seed, stream, number), so resuming needs no state."""


@dataclass(frozen=True)
class Mix:
    """How many items of each kind the first n steps have drawn, or one step draws."""

    stills: int
    animated: int
    priors: int


def drawn(steps: int, batch: int, prior_share: float, still_share: float) -> Mix:
    """What the first `steps` steps draw in all: each share is met to within half an item at every step."""
    total = steps * batch
    priors = _nearest(total * Fraction(str(prior_share)))
    stills = _nearest((total - priors) * Fraction(str(still_share)))
    return Mix(stills, total - priors - stills, priors)


def _nearest(value: Fraction) -> int:
    return int(value + Fraction(1, 2))


def turn(number: int, count: int, seed: int) -> int:
    """Which of `count` things draw `number` takes: every one once in each round, each round in its own order."""
    round_, place = divmod(number, count)
    return int(np.random.default_rng((seed, _ORDER, round_)).permutation(count)[place])


@dataclass(frozen=True)
class _Stored:
    """One encoded item: where the cache has it."""

    key: str
    number: int
    sample: int


@dataclass
class Dataset:
    """Draws batches. `prepare` must have run to its end before `batch`."""

    config: TrainConfig
    figure: Figure
    samples: Sequence[TrainingSample]
    trainable: Trainable
    cache: ItemCache
    base: str
    """Name and hash of the base weights: items encoded for others are never reused."""
    _stills: list[_Stored] = field(default_factory=list)
    _animated: list[_Stored] = field(default_factory=list)
    _priors: list[_Stored] = field(default_factory=list)

    def prepare(self, cancel: CancelToken) -> Iterator[Event]:
        """Encodes what the cache does not hold, one `Step` for each sample and prior. Raises `Cancelled`.

        A sample that the model cannot learn from is left out with a `Warning`; the others are still learned.
        """
        wanted = drawn(self.config.steps, self.config.batch, self.config.prior_share, 1.0).priors
        priors = min(self.config.priors, wanted)
        total = len(self.samples) + priors
        for number, sample in enumerate(self.samples):
            cancel.check()
            key = fingerprint("sample", self.base, self.figure, sample)
            try:
                items = self.cache.count(key, partial(self.trainable.encode, sample, self.figure))
            except TrainingError as error:
                yield Warning(f"Sample {number + 1} is left out. {error}")
                items = 0
            into = self._animated if len(sample.frames) > 1 else self._stills
            into += [_Stored(key, item, number) for item in range(items)]
            yield Step(number + 1, total, "Reading samples")
        for number in range(priors):
            cancel.check()
            key = fingerprint("prior", self.base, number)
            rng = np.random.default_rng((_PRIOR, number))
            self.cache.count(key, partial(self._prior, rng))
            self._priors.append(_Stored(key, 0, -1))
            yield Step(len(self.samples) + number + 1, total, "Preparing other characters")

    @property
    def still_share(self) -> float:
        """The share that is in force: all stills when there is no animated sample."""
        return self.config.still_share if self._animated else 1.0

    def drawn(self, steps: int) -> Mix:
        """What the first `steps` steps draw in all."""
        return drawn(steps, self.config.batch, self.config.prior_share, self.still_share)

    def batch(self, step: int) -> list[Batch]:
        """The items of step 0, 1, 2..., stills first, then animated samples, then priors."""
        before, after = self.drawn(step), self.drawn(step + 1)
        stills = [self._still(number) for number in range(before.stills, after.stills)]
        animated = [self._turn(self._animated, number) for number in range(before.animated, after.animated)]
        priors = [self._turn(self._priors, number) for number in range(before.priors, after.priors)]
        return stills + animated + priors

    def repeats(self, steps: int) -> list[int]:
        """How often each sample was shown in the first `steps` steps (R13, R14)."""
        shown = [0] * len(self.samples)
        mix = self.drawn(steps)
        for number in range(mix.animated):
            shown[self._pick(self._animated, number).sample] += 1
        for number in range(1, mix.stills, 2) if self._stills else ():
            shown[self._pick(self._stills, number // 2).sample] += 1
        return shown

    def _prior(self, rng: np.random.Generator) -> list[Batch]:
        return [self.trainable.prior(rng)]

    def _still(self, number: int) -> Batch:
        """The art itself, freshly changed; every other time one of the further stills, where there are any."""
        if self._stills and number % 2:
            return self._turn(self._stills, number // 2)
        return self.trainable.augment(self.figure, np.random.default_rng((self.config.seed, _AUGMENT, number)))

    def _pick(self, among: Sequence[_Stored], number: int) -> _Stored:
        return among[turn(number, len(among), self.config.seed)]

    def _turn(self, among: Sequence[_Stored], number: int) -> Batch:
        stored = self._pick(among, number)
        return self.cache.read(stored.key, stored.number)
