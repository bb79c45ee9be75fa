"""`python -m lora_trainer.distill data|train|evaluate|export`: the recipe of the shipped student."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

import torch

from pipelines.embedded.backend import WEIGHTS as TEACHER
from pipelines.events import Step


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m lora_trainer.distill", description=__doc__)
    parser.add_argument("--data", type=Path, default=Path(".cache/distill/data"), help="folder of rendered characters")
    parser.add_argument("--run", type=Path, default=Path(".cache/distill/run"), help="folder of the training run")
    commands = parser.add_subparsers(dest="command", required=True)
    data = commands.add_parser("data", help="render characters and ask the teacher; can run beside `train`")
    data.add_argument("--first", type=int, default=0, help="the first 16 are kept for evaluation")
    data.add_argument("--count", type=int, default=1000)
    train = commands.add_parser("train", help="train, or go on training, until the minutes are used up")
    train.add_argument("--minutes", type=float, default=60.0)
    train.add_argument("--batch", type=int, default=6)
    train.add_argument("--rate", type=float, default=2e-3, help="highest learning rate")
    commands.add_parser("evaluate", help="the shipped student, its teacher and the rig on characters never seen")
    commands.add_parser("export", help="put the run's weights, as they are now, where live play looks for them")
    return parser


def main(arguments: list[str] | None = None) -> int:
    """Runs a command; 0 when it went well."""
    args = _parser().parse_args(arguments)
    if args.command == "data":
        from .data import Teacher, write_items

        torch.set_num_threads(1)
        for path in write_items(args.data, args.first, args.count, Teacher(TEACHER)):
            print(path, flush=True)
    elif args.command == "train":
        from .train import DistillConfig, train

        for event in train(args.data, args.run, DistillConfig(args.minutes, args.batch, args.rate)):
            if not isinstance(event, Step) or event.done % 20 == 0:
                print(event, flush=True)
    elif args.command == "evaluate":
        from .evaluate import table

        print(json.dumps(table(args.data), indent=1))
    else:
        from .train import export

        export(args.run)
    return 0


if __name__ == "__main__":
    sys.exit(main())
