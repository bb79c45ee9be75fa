"""`python -m lora_trainer.base data|train|evaluate|looks|export`: the recipe of the shipped weights."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import numpy as np
import torch

from pipelines.embedded.backend import WEIGHTS
from pipelines.embedded.denoiser import EmbeddedDenoiser
from pipelines.embedded.trainable import PRIOR
from pipelines.events import Step
from pipelines.pose.motion import ACTIONS

from .shards import Shards, write_shards
from .train import BaseConfig, BaseRun, train

PRIORS = 24
"""Clips that ship as priors for character LoRAs."""


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m lora_trainer.base", description=__doc__)
    parser.add_argument("--data", type=Path, default=Path(".cache/base/data"), help="folder of training clips")
    parser.add_argument("--run", type=Path, default=Path(".cache/base/run"), help="folder of the training run")
    commands = parser.add_subparsers(dest="command", required=True)
    data = commands.add_parser("data", help="render training clips; can run beside `train`")
    data.add_argument("--first", type=int, default=0, help="number of the first shard; shard 0 is for evaluation")
    data.add_argument("--shards", type=int, default=100, help="shards of 48 clips to render")
    train_ = commands.add_parser("train", help="train, or go on training, until the minutes are used up")
    train_.add_argument("--minutes", type=float, default=BaseConfig.minutes)
    train_.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    train_.add_argument("--batch", type=int, default=BaseConfig.batch)
    train_.add_argument("--threads", type=int, default=0)
    train_.add_argument("--rate", type=float, default=BaseConfig.learning_rate, help="highest learning rate")
    train_.add_argument("--start", type=Path, help="begin with the weights of this folder instead of random ones")
    evaluate = commands.add_parser("evaluate", help="the weights against the rig, on the held-out shard")
    evaluate.add_argument("--weights", type=Path, default=WEIGHTS, help="folder of the weights; the shipped ones")
    evaluate.add_argument("--clips", type=int, default=48, help="at most the 48 of shard 0")
    evaluate.add_argument("--sheets", type=Path, help="folder for the best, the median and the worst clip as pictures")
    evaluate.add_argument("--steps", type=int, default=1)
    looks = commands.add_parser("looks", help="what LoRAs of unseen characters gain on unseen actions")
    looks.add_argument("--count", type=int, default=20, help="characters; each takes two trainings")
    commands.add_parser("export", help="put the run's weights, as they are now, where the app looks for them")
    return parser


def _export(data: Path, run: Path) -> None:
    BaseRun(run, BaseConfig()).export(WEIGHTS)
    from pipelines.embedded.items import save_items

    shards = Shards(data, skip=(0,))
    shards.refresh()
    save_items(shards.items[:PRIORS], WEIGHTS / PRIOR)


def _evaluate(args: argparse.Namespace) -> int:
    from PIL import Image

    from pipelines.embedded.items import load_items
    from pipelines.embedded.pipeline import EmbeddedPipeline

    from .scores import contact_sheet, judge, table
    from .shards import shard_path

    held = shard_path(args.data, 0)
    if not held.exists():
        print(f"{held} is missing. Render it: python -m lora_trainer.base data --shards 1", file=sys.stderr)
        return 1
    network = EmbeddedPipeline.from_pretrained(args.weights, dtype=torch.float32).denoiser
    judged = judge(network, load_items(held)[: args.clips], args.steps)
    print(table(judged))
    if args.sheets:
        args.sheets.mkdir(parents=True, exist_ok=True)
        ranked = sorted(judged, key=lambda clip: clip.ways[2].psnr)
        for name, place in (("worst", 0), ("median", len(ranked) // 2), ("best", -1)):
            Image.fromarray(contact_sheet(ranked[place])).save(args.sheets / f"{name}.png")
    return 0


def main(arguments: list[str] | None = None) -> int:
    """Runs a command; 0 when it went well."""
    args = _parser().parse_args(arguments)
    if args.command == "data":
        from .clips import make_clip

        torch.set_num_threads(1)
        network = EmbeddedDenoiser(widths=(16, 16), condition=16, actions=tuple(sorted(ACTIONS)))

        def make(rng: np.random.Generator) -> dict:
            return make_clip(rng, network)

        for number, path in write_shards(args.data, args.first, args.shards, make):
            print(f"shard {number}: {path}", flush=True)
    elif args.command == "train":
        config = BaseConfig(
            args.minutes,
            args.batch,
            learning_rate=args.rate,
            device=args.device,
            threads=args.threads,
            start=args.start,
        )
        for event in train(args.data, args.run, config):
            if not isinstance(event, Step) or event.done % 50 == 0:
                print(event, flush=True)
    elif args.command == "evaluate":
        return _evaluate(args)
    elif args.command == "looks":
        from pipelines.registry import create

        from .looks import table, worth

        rows = []
        for row in worth(create("embedded"), args.count):
            rows.append(row)
            print(row, flush=True)
        print(table(rows))
    else:
        _export(args.data, args.run)
    return 0


if __name__ == "__main__":
    sys.exit(main())
