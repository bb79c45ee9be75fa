"""Commands, flags and exit codes of the command line; loads nothing heavy."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

EXIT_CODES = """exit codes:
  0  done
  1  Sprightly itself failed (please report it)
  2  the command was not understood
  3  something in the input that you can mend; the sentence on stderr says what
  4  a model's weights are not on this machine
  5  stopped (Ctrl-C); what was finished is kept
"""


def build_parser() -> argparse.ArgumentParser:
    """All commands and flags."""
    parser = _Parser(prog="python -m studio", description="From concept art to an engine-ready sheet.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND", parser_class=_Parser)

    animate = commands.add_parser("animate", help="draw actions of a character and write a sheet")
    _source(animate)
    animate.add_argument("--actions", type=_words, default=["idle"], metavar="A,B,..", help="default: idle")
    animate.add_argument("--pose", type=Path, metavar="FILE", help="take the motion from a GIF, video or zip of frames")
    animate.add_argument(
        "--pose-reader",
        choices=["own", "openpose", "dwpose"],
        default="own",
        help="who finds the joints in --pose: own for drawings (default), the others for filmed people",
    )
    animate.add_argument("--size", type=int, help="side of the cell in pixels")
    animate.add_argument("--frames", type=int, help="frames of every action; default: the motion's own")
    animate.add_argument("--fps", type=float, help="frames a second; default: the motion's own")
    animate.add_argument("--energy", type=float, default=1.0, help="0.3 to 1.6 (default 1)")
    animate.add_argument("--strength", type=float, default=1.0, help="0 to 1: how far the pose is followed (default 1)")
    animate.add_argument("--look", metavar="ADAPTER", help="id or folder of a trained look; none: the base model")
    animate.add_argument("--seed", type=int, default=0)
    animate.add_argument("--steps", type=int, default=1, help="drawing steps (default 1)")
    _sheet(animate)

    train = commands.add_parser("train", help="learn a character's look; goes on where an interrupted run stopped")
    _source(train)
    train.add_argument("--samples", type=Path, nargs="*", default=[], metavar="FILE", help="more stills and animations")
    train.add_argument("--preset", choices=("quick", "standard", "thorough"), default="standard")
    train.add_argument("--steps", type=int, help="training steps; default: the preset's")
    train.add_argument("--rank", type=int, help="default: the preset's")
    train.add_argument("--seed", type=int)
    train.add_argument("--out", type=Path, metavar="DIR", help="also copy the finished look here")

    export = commands.add_parser("export", help="write a sheet from clips of the library")
    export.add_argument("character", metavar="CHARACTER", help="id or name of a character")
    export.add_argument("--clips", type=_words, metavar="ID,..", help="default: the newest clip of every action")
    _sheet(export)

    jobs = commands.add_parser("jobs", help="list jobs, or stop or restart one")
    jobs.add_argument("--cancel", metavar="ID")
    jobs.add_argument("--retry", metavar="ID", help="queue it again for the running studio")

    commands.add_parser("characters", help="list the library")

    accounts = commands.add_parser("accounts", help="who may log in to a studio on a network")
    accounts.add_argument("action", choices=("add", "remove", "list"))
    accounts.add_argument("name", nargs="?", default="")

    for command in commands.choices.values():
        command.add_argument(
            "--home", type=Path, help="folder of the studio (default: SPRIGHTLY_HOME or your data folder)"
        )
        command.add_argument("--owner", default="me", help=argparse.SUPPRESS)
        command.add_argument("--device", default="auto", help="auto, cpu, cuda, mps")
        command.add_argument("--json", action="store_true", help="the result as JSON on stdout")
    return parser


class _Parser(argparse.ArgumentParser):
    """Every help page ends with the exit codes."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings, epilog=EXIT_CODES, formatter_class=argparse.RawDescriptionHelpFormatter)


def _source(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("art", metavar="ART.png|CHARACTER", help="a picture, or the id or name of a character")
    parser.add_argument("--method", default="auto", help="how the background of a picture is removed")
    parser.add_argument("--about", default="", help="the look in words")
    parser.add_argument("--joints", type=Path, metavar="FILE", help="JSON of joints placed by hand on the picture")
    parser.add_argument("--weapon", default="", help="what the right hand holds, in a word")


def _sheet(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--out", type=Path, required=True, metavar="DIR")
    parser.add_argument("--engine", type=_words, default=["aseprite", "godot", "webp"], metavar="A,B,..")
    parser.add_argument("--layout", choices=("packed", "grid", "rows"), default="packed")
    parser.add_argument("--padding", type=int, default=2)
    parser.add_argument("--scale", type=int, default=1)
    parser.add_argument("--max-size", type=int, default=4096)
    parser.add_argument("--motion", choices=("in_place", "root_motion"), default="in_place", help="of walks and runs")
    parser.add_argument("--palette", type=Path, metavar="FILE", help="draw with these colours: .gpl, .hex or .pal")
    parser.add_argument("--colours", type=int, default=0, help="one palette of so many colours; 0: as drawn (default)")
    parser.add_argument("--dither", choices=("none", "ordered", "error"), default="none")
    parser.add_argument("--also", type=_numbers, default=[], metavar="0.5,2,4", help="further sizes, a pack each")
    parser.add_argument("--hues", type=_numbers, default=[], metavar="120,..", help="recoloured packs, in degrees")


def _words(text: str) -> list[str]:
    words = [word.strip() for word in text.split(",") if word.strip()]
    if not words:
        raise argparse.ArgumentTypeError("needs at least one name")
    return words


def _numbers(text: str) -> list[float]:
    try:
        return [float(word) for word in _words(text)]
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a list of numbers such as 0.5,2") from None
