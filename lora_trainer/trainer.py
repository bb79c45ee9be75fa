"""The one training loop, for any backbone."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from time import perf_counter
from typing import Any

from pipelines.adapter import Adapter
from pipelines.backend import Backend, TrainingSample
from pipelines.cancel import NEVER, CancelToken
from pipelines.errors import Cancelled, TrainingError
from pipelines.events import Checkpoint, Done, Event, Preview, Step, Warning
from pipelines.figure import Figure
from pipelines.request import GenerateRequest

from . import checkpoint
from .cache import ItemCache
from .config import TrainConfig
from .dataset import Dataset
from .learner import Learner
from .preview import draw, guided, save_webp
from .record import ADAPTER, RESULT, manifest, open_folder, write_json
from .report import write_report
from .validation import Proof, prove

HOLD_OUT_EVERY = 5
"""Of every five animated samples the last is kept out of training and used for the proof."""


def split(samples: Sequence[TrainingSample]) -> tuple[list[TrainingSample], list[TrainingSample]]:
    """Samples to learn from, and animated ones held out for the proof: none while there are fewer than five."""
    clips = [number for number, sample in enumerate(samples) if len(sample.frames) > 1]
    held = set(clips[HOLD_OUT_EVERY - 1 :: HOLD_OUT_EVERY])
    return [s for n, s in enumerate(samples) if n not in held], [s for n, s in enumerate(samples) if n in held]


def train(
    config: TrainConfig,
    figure: Figure,
    samples: Sequence[TrainingSample],
    backend: Backend,
    folder: Path,
    cancel: CancelToken = NEVER,
    finish: CancelToken = NEVER,
    *,
    cache: Path | None = None,
    trigger: str = "",
) -> Iterator[Event]:
    """Learns a character's look; the finished adapter lies in `folder`.

    Works from the figure alone or with stills and animated samples. Resumes by itself from the checkpoints in `folder`
    and then gives, on the CPU, bit for bit what an undisturbed run gives; a finished folder answers `Done` at once.
    `cancel` stops within one step, after a checkpoint, with `Cancelled`; `finish` stops too, but keeps what was learned
    so far as the result. `cache` is a folder of encoded samples that several runs may share (default: in `folder`).
    Raises `TrainingError` for what the artist can mend.
    """
    about = manifest(config, figure, samples, backend, trigger)
    done = open_folder(folder, about)
    if done is not None:
        yield Done(done)
        return
    request = guided(config.preview_action, figure, backend.spec, config.seed, trigger)
    backend.spec.check(request)
    started = perf_counter()
    learned, held_out = split(samples)
    trainable = backend.trainable(config.rank, config.seed)
    base = f"{backend.spec.name} {backend.base}"
    dataset = Dataset(config, figure, learned, trainable, ItemCache(cache or folder / "cache"), base)
    yield from dataset.prepare(cancel)
    run = _Run(config, backend, Learner(config, trainable), request, folder, about, trigger)
    yield from run.restore()
    yield from run.learn(dataset, cancel, finish)
    clips = held_out or [sample for sample in learned if len(sample.frames) > 1]
    yield from run.conclude(dataset, samples, clips, bool(held_out), started, cancel)


@dataclass
class _Run:
    """One run under way."""

    config: TrainConfig
    backend: Backend
    learner: Learner
    request: GenerateRequest
    folder: Path
    about: dict[str, Any]
    trigger: str
    saved: int = -1

    def restore(self) -> Iterator[Event]:
        for left in self.folder.glob(".part-look-*"):  # a preview that a killed process was drawing
            shutil.rmtree(left, ignore_errors=True)
        state, damaged = checkpoint.newest(self.folder / "checkpoints", self.about["run"])
        step = state.step if state else 0
        for name in damaged:
            yield Warning(f"The checkpoint {name} was damaged, so training goes on from step {step}.")
        if state:
            self.learner.restore(state)
            self.saved = step

    def learn(self, dataset: Dataset, cancel: CancelToken, finish: CancelToken) -> Iterator[Event]:
        total, first, started = self.config.steps, self.learner.step, perf_counter()
        try:
            while self.learner.step < total and not finish.is_set():
                cancel.check()
                loss = self.learner.learn(dataset.batch(self.learner.step))
                done = self.learner.step
                left = (perf_counter() - started) / (done - first) * (total - done)
                yield Step(done, total, "Training", loss, left)
                if done % self.config.checkpoint_every == 0:
                    yield from self.save()
                if self.config.preview_every and done % self.config.preview_every == 0 and done < total:
                    yield self.preview(cancel)
        except Cancelled:
            yield from self.save()
            raise
        yield from self.save()

    def save(self) -> Iterator[Event]:
        """A checkpoint, unless this step already has one."""
        step = self.learner.step
        if step not in (0, self.saved):
            path = checkpoint.save(self.folder / "checkpoints", self.learner.state(), self.about["run"])
            self.saved = step
            yield Checkpoint(step, path)

    def adapter(self, folder: Path) -> Adapter:
        """The running mean written to `folder` as an adapter without proof."""
        shutil.rmtree(folder, ignore_errors=True)
        self.learner.save_adapter(folder)
        spec = self.backend.spec
        adapter = Adapter(folder, spec.name, self.backend.base, self.config.rank, self.trigger)
        adapter.save()
        return adapter

    def preview(self, cancel: CancelToken) -> Preview:
        step = self.learner.step
        look = self.folder / f".part-look-{step:06d}"
        try:
            clip = draw(self.request, self.backend, self.adapter(look), cancel)
        finally:
            shutil.rmtree(look, ignore_errors=True)
        path = save_webp(clip, self.folder / "previews" / f"{step:06d}.webp")
        return Preview(step, path, f"{self.request.action}, step {step}")

    def conclude(
        self,
        dataset: Dataset,
        samples: Sequence[TrainingSample],
        clips: Sequence[TrainingSample],
        held_out: bool,
        started: float,
        cancel: CancelToken,
    ) -> Iterator[Event]:
        """Proof, report, and last of all `adapter.json`: until then the folder counts as unfinished."""
        steps = self.learner.step
        yield Step(steps, self.config.steps, "Comparing without and with the look")
        staging = self.folder / ".part-adapter"
        adapter = self.adapter(staging)
        matched = self.learner.keys_matched(staging)
        proof, off, on = prove(
            self.request, self.backend, adapter, clips, cancel, keys_matched=matched, held_out=held_out
        )
        proof = replace(proof, seconds=perf_counter() - started)
        for text in proof.warnings():
            yield Warning(text)
        try:
            pictures = [save_webp(off, self.folder / "off.webp"), save_webp(on, self.folder / "on.webp")]
            result = self.result(dataset, samples, proof)
            write_json(self.folder / "proof.json", proof.to_json())
            previews = sorted((self.folder / "previews").glob("*.webp"))
            write_report(self.folder, self.about, result, self.learner.losses, samples, previews, pictures)
            write_json(self.folder / RESULT, result)
            replace(adapter, proof=proof.to_json()).save()
            _move_in(staging, self.folder)
        except OSError as error:
            raise TrainingError(
                f"The look could not be written to {self.folder} ({error}). "
                "Free some space and start the training again; no step has to be done twice."
            ) from error
        checkpoint.clear(self.folder / "checkpoints")
        yield Preview(steps, self.folder / "on.webp", f"{self.request.action}, finished")
        yield Done({**result, "adapter": str(self.folder), "report": str(self.folder / "report.html")})

    def result(self, dataset: Dataset, samples: Sequence[TrainingSample], proof: Proof) -> dict[str, Any]:
        steps, last = self.learner.step, self.learner.losses[-10:]
        drawn, repeats = dataset.drawn(steps), iter(dataset.repeats(steps))
        learned = {id(sample) for sample in dataset.samples}
        return {
            "proof": proof.to_json(),
            "warnings": proof.warnings(),
            "steps": steps,
            "stopped_early": steps < self.config.steps,
            "loss": sum(last) / len(last) if last else None,
            "drawn": {"stills": drawn.stills, "animated": drawn.animated, "priors": drawn.priors},
            "repeats": [next(repeats) if id(sample) in learned else None for sample in samples],
        }


def _move_in(staging: Path, folder: Path) -> None:
    names = sorted((path.name for path in staging.iterdir()), key=lambda name: name == ADAPTER)
    for name in names:  # adapter.json last
        if (folder / name).is_dir():
            shutil.rmtree(folder / name)
        (staging / name).replace(folder / name)
    staging.rmdir()
