"""The main job from end to end, without a browser.

An artist has one drawing of a knight on white paper and wants a game character by this evening. This script does what
the page does, through the same `studio.flow`: cut the drawing out, find its joints, let the model learn its look, act
five actions, and pack them for an engine. What it made, how long it took and what it proves is in `report.html`.

    python examples/demo.py --out outputs/demo
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE)]

ACTIONS = ("idle", "walk", "run", "jump", "slash")


def run(out: Path, art: str = "knight_on_white", cell: int = 256, steps: int = 150) -> dict[str, Any]:
    """Makes the character in `out` and returns what the report shows."""
    from demo_report import write

    from lora_trainer.config import PRESETS
    from studio import flow
    from studio.cli.bench import inline
    from studio.settings import Settings
    from studio.studio import Studio
    from studio.tasks.orders import ActionOrder, ExportOptions

    out.mkdir(parents=True, exist_ok=True)
    seconds: dict[str, float] = {}
    began = time.monotonic()

    def lap(what: str) -> None:
        nonlocal began
        seconds[what] = round(time.monotonic() - began, 1)
        began = time.monotonic()
        print(f"{what}: {seconds[what]} s", flush=True)

    # 1. A desk of its own, in the output folder, so that the artist's library is left alone.
    bench = inline(Studio(Settings(home=out / "studio", device="cpu", examples=False)))
    desk = bench.desk

    # 2. One picture becomes a character: the paper goes, the joints are found.
    picture = HERE / "art" / f"{art}.png"
    character = flow.new_character(desk, picture, name=art.split("_")[0].capitalize())
    found = {name: tuple(xy[:2]) for name, xy in character.joints.items() if xy is not None}
    lap("Cut out and find joints")

    # 3. The artist looks the joints over. Here the hand-placed ones stand for that look.
    truth = json.loads((HERE / "art" / f"{art.split('_')[0]}.json").read_text(encoding="utf-8"))
    flow.set_joints(desk, character.id, truth["joints"], truth["facing"])
    flow.set_character(desk, character.id, cell=cell, about=truth["about"], weapon=truth["weapon"] or "")

    # 4. The model learns the character's look from this one drawing.
    config = replace(PRESETS["standard"].config, steps=steps)
    trained = bench.do(flow.train(desk, character.id, config))
    lap("Learn the look")

    # 5. Five actions, then the same again as small sprites.
    orders = [ActionOrder(action) for action in ACTIONS]
    drawn = bench.do(flow.animate(desk, character.id, orders))
    lap("Draw five actions")
    flow.set_character(desk, character.id, cell=64)
    small = bench.do(flow.animate(desk, character.id, orders))
    lap("Draw them again at 64 pixels")

    # 6. Sheets and engine files.
    targets = ("aseprite", "aseprite_array", "godot", "webp", "apng", "gif")
    sheets = {}
    for name, clips in (("large", drawn["clips"]), ("small", small["clips"])):
        sheets[name] = bench.do(flow.export(desk, character.id, clips, ExportOptions(targets=targets)))
    lap("Pack and export")

    shown = {
        "character": character.name,
        "art": picture,
        "cut": flow.art_path(desk, character.id),
        "found": found,
        "truth": {name: tuple(xy) for name, xy in truth["joints"].items() if xy is not None},
        "proof": trained["proof"],
        "adapter": Path(trained["adapter"]),
        "previews": {
            record.action: record.preview for record in flow.clips(desk, character.id) if record.id in drawn["clips"]
        },
        "sheets": sheets,
        "seconds": seconds,
    }
    write(out, shown)
    return shown


def main() -> int:
    parser = argparse.ArgumentParser(description="One drawing to an engine-ready character, headless.")
    parser.add_argument("--out", type=Path, default=Path("outputs/demo"))
    parser.add_argument("--steps", type=int, default=150, help="training steps")
    parser.add_argument("--cell", type=int, default=256, help="side of the large cell in pixels")
    options = parser.parse_args()
    run(options.out, cell=options.cell, steps=options.steps)
    print(f"Done: {options.out / 'report.html'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
