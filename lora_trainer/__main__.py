"""`python -m lora_trainer ART.png --out DIR`: trains a character's look and prints what happens."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from pipelines.backend import TrainingSample
from pipelines.cancel import CancelToken
from pipelines.errors import NoFigureError, PictureError, UserError
from pipelines.events import Checkpoint, Event, Preview, Step, Warning, to_json
from pipelines.figure import Figure
from pipelines.pose.skeleton import FACINGS, JOINTS

from .captions import build
from .config import PRESETS
from .filters import judge, near_duplicates
from .samples import build_sample, read_frames


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit codes: 0 done, 2 wrong usage, 3 input that the artist can mend, 5 stopped (Ctrl+C; start again to go on)."""
    options = _parser().parse_args(arguments)
    try:
        for event in _events(options):
            print(json.dumps(to_json(event)) if options.json else _line(event), flush=True)
    except UserError as error:
        print(error, file=sys.stderr)
        return 3
    except KeyboardInterrupt:
        print("Stopped. The same command goes on from the last checkpoint.", file=sys.stderr)
        return 5
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m lora_trainer", description="Trains a character's look from its art."
    )
    parser.add_argument("art", type=Path, help="the character, background removed: PNG or WebP with alpha")
    parser.add_argument(
        "--out", type=Path, required=True, help="folder of the adapter; an unfinished one is gone on with"
    )
    parser.add_argument(
        "--samples",
        type=Path,
        nargs="*",
        default=[],
        help="further stills and animations (PNG, GIF, WebP, APNG or a folder of numbered PNGs); "
        'the file name up to the first "-" or "_" is the action: walk-1.gif',
    )
    parser.add_argument(
        "--joints", type=Path, help='JSON with {"joints": {"pelvis": [x, y], ...}}; default: found by itself'
    )
    parser.add_argument("--preset", choices=PRESETS, default="standard")
    parser.add_argument("--steps", type=int)
    parser.add_argument("--rank", type=int)
    parser.add_argument("--still-share", type=float, help="0..1: stills against animated samples")
    parser.add_argument("--seed", type=int)
    parser.add_argument("--about", default="", help='who it is: "a young knight in blue plate"')
    parser.add_argument("--facing", choices=FACINGS, default=None)
    parser.add_argument("--pixel-art", action="store_true")
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--json", action="store_true", help="one JSON object a line")
    return parser


def _events(options: argparse.Namespace) -> Iterator[Event]:
    from pipelines.registry import create

    from .trainer import train

    given = {"steps": options.steps, "rank": options.rank, "still_share": options.still_share, "seed": options.seed}
    config = replace(PRESETS[options.preset].config, **{key: v for key, v in given.items() if v is not None})
    figure = _figure(options)
    samples, notes = _samples(options, figure)
    yield from notes
    backend = create(config.backend, options.device)
    stop = options.out / "stop"
    finish = CancelToken(stop.exists)
    yield from train(config, figure, samples, backend, options.out, finish=finish, trigger=options.about)


def _figure(options: argparse.Namespace) -> Figure:
    art = read_frames(options.art)[0][0]
    for verdict in judge(art[None], pixel_art=options.pixel_art):
        if verdict.reject:
            raise PictureError(f"{options.art.name}: {verdict.text}")
    if options.joints is None:
        from pipelines.pose.detect import JointDetector

        detection = JointDetector.load(options.device).detect(art)
        return Figure(art, detection.joints, options.facing or detection.facing, options.pixel_art)
    try:
        body = json.loads(options.joints.read_text(encoding="utf-8"))
        placed = body["joints"]
        unknown = set(placed) - set(JOINTS)
        if unknown:
            raise ValueError(f"no joint is called {sorted(unknown)[0]!r}")
        rows = [(*map(float, placed[name]), 1.0) if placed.get(name) else (0.0, 0.0, 0.0) for name in JOINTS]
        joints = np.array(rows, dtype=np.float32)
        factor = art.shape[1] / body["size"][0] if "size" in body else 1.0
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise PictureError(f"{options.joints} holds no joints that can be read ({error}).") from error
    joints[:, :2] *= factor
    return Figure(
        art, joints, options.facing or body.get("facing", "right"), options.pixel_art, weapon=body.get("weapon")
    )


def _samples(options: argparse.Namespace, figure: Figure) -> tuple[list[TrainingSample], list[Event]]:
    """The samples that can be learned from, and what there is to say about the others."""
    if not options.samples:
        return [], []
    from pipelines.pose.detect import JointDetector

    read = [(path, *read_frames(path)) for path in options.samples]
    twins = near_duplicates([frames[0] for _, frames, _ in read])
    detector = JointDetector.load(options.device)
    samples: list[TrainingSample] = []
    notes: list[Event] = []
    for number, (path, frames, durations) in enumerate(read):
        verdicts = [*judge(frames, pixel_art=options.pixel_art), *([twins[number]] if number in twins else [])]
        notes += [Warning(f"#{number + 1} {path.name}: {verdict.text}") for verdict in verdicts]
        if any(verdict.reject for verdict in verdicts):
            continue
        action = path.stem.replace("_", "-").split("-")[0].lower() if len(frames) > 1 else "idle"
        text = build(action, options.about, figure.facing, figure.weapon).text
        joints = _tracked(frames, detector)
        samples.append(build_sample(frames, durations, figure, action=action, caption=text, joints=joints))
    return samples, notes


def _tracked(frames: np.ndarray, detector: Any) -> np.ndarray | None:
    try:
        return np.stack([detector.detect(frame).joints for frame in frames])
    except NoFigureError:
        return None


def _line(event: Event) -> str:
    match event:
        case Step(done, total, what, loss, left):
            tail = f"  loss {loss:.4f}" if loss is not None else ""
            return f"{what} {done}/{total}{tail}" + (f"  {left:.0f} s left" if left is not None else "")
        case Preview(_, path, label):
            return f"Preview ({label}): {path}"
        case Checkpoint(done, path):
            return f"Checkpoint at step {done}: {path}"
        case Warning(text):
            return f"Warning: {text}"
    return "Done: " + json.dumps(event.result)


if __name__ == "__main__":
    raise SystemExit(main())
