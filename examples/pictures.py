"""Every picture of the README and of docs/, made again from the real thing.

Nothing here is retouched: the pictures come out of `studio.flow`, as they do for an artist, and out of the running
page. Run it after a change of the model, the rig, a motion or the page, look at each picture, and commit them.

    python examples/pictures.py                       all of them, into docs/pictures
    python examples/pictures.py --only knight,sheet   some of them
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

HERE = Path(__file__).resolve().parent
ART = HERE / "art"
sys.path[:0] = [str(HERE.parent), str(HERE)]

from pictures_layout import (  # noqa: E402  (beside this file, as is the product itself)
    DARK,
    FPS,
    ground,
    grown,
    labelled,
    over,
    pixels,
    row,
    saved,
    shrunk,
    stack,
    trimmed,
)

BEATS = 24
"""One clock for clips that play side by side: 24 frames, after which every one of them is back at its start."""
ACTIONS = ("idle", "walk", "run", "jump", "slash", "cast")

Picture = Image.Image | list[Image.Image]
"""A still, or the frames of one that moves."""


def knight(studio: Any) -> Picture:
    """Five actions side by side. Loops repeat within the clock; what plays once then stands and waits."""
    who = character(studio, "Knight", cell=192)
    lengths = {"idle": 24, "walk": 12, "run": 8, "jump": 13, "slash": 11}
    clips = acted(studio, who, lengths)
    return [row([clip[min(beat, len(clip) - 1) if once else beat % len(clip)] for clip, once in clips], DARK)
            for beat in range(BEATS)]  # fmt: skip


def characters(studio: Any) -> Picture:
    """Everybody of the example art walks: a row each, eight frames of one cycle."""
    from studio import flow

    rows = []
    for one in sorted(flow.characters(studio.desk), key=lambda who: who.pixel_art):
        # Pixel art keeps a cell on which its own pixels fit, and is enlarged by whole pixels.
        who = character(studio, one.name, cell=one.cell if one.pixel_art else 192)
        [(clip, _)] = acted(studio, who, {"walk": 8})
        large = np.stack([grown(frame, max(1, 160 // who.cell)) for frame in clip])
        rows.append(row(list(trimmed(large, 144)), DARK))
    return stack(rows)


def cutout(studio: Any) -> Picture:
    """Above what was dropped, below what is left: paper, a gradient, scenery."""
    from studio import flow

    pictures = [ART / f"{name}.png" for name in ("knight_on_white", "witch_on_gradient", "robot_on_busy")]
    made = [flow.new_character(studio.desk, picture) for picture in pictures]
    before = [shrunk(np.asarray(Image.open(picture).convert("RGBA")), 320) for picture in pictures]
    after = [shrunk(pixels(flow.art_path(studio.desk, who.id)), 320) for who in made]
    ready = stack([row(before, DARK), row(after, None)])
    for who in made:
        flow.delete(studio.desk, who.id)
    return ready


def joints(studio: Any) -> Picture:
    """What the detector finds by itself, drawn over the art."""
    from pipelines.pose.draw import draw_skeleton
    from studio import flow

    panels = []
    for name in ("knight", "witch", "robot", "archer"):
        who = flow.new_character(studio.desk, ART / f"{name}.png")
        figure = flow.figure(studio.desk, who.id)
        height, width = figure.art.shape[:2]
        bones = draw_skeleton(figure.joints / (width, height, 1), (width, height), thickness=0.012)[0]
        faded = figure.art.copy()
        faded[..., 3] = faded[..., 3] * 0.75
        panels.append(shrunk(np.asarray(over(bones, over(faded, ground(width, height, DARK)))), 300))
        flow.delete(studio.desk, who.id)
    return row(panels, DARK)


def motions(studio: Any) -> Picture:
    """The whole motion library as figures of bones, at the speed that each was made for."""
    from pipelines.pose.draw import draw_skeleton, view_of
    from pipelines.pose.motion import ACTIONS

    side, columns, beats = 108, 9, 36
    drawn = []
    for motion in ACTIONS.values():
        count = max(2, round(motion.frames * FPS / motion.fps))
        turns = max(1, round(beats / count)) if motion.loop else 2
        drawn.append((motion, draw_skeleton(view_of(motion.joints(count), scale=0.56), side), turns))
    shots = []
    for beat in range(beats):
        tiles = []
        for motion, clip, turns in drawn:
            along = beat * turns / beats % 1
            # A loop fills its turn; what plays once then stands until the next turn begins.
            shown = int(along * len(clip)) if motion.loop else min(int(along * beats / turns), len(clip) - 1)
            tiles.append(np.asarray(labelled(over(clip[shown], ground(side, side, DARK)), motion.title)))
        tiles += [np.asarray(ground(side, side, DARK))] * (-len(tiles) % columns)
        shots.append(stack([row(tiles[at : at + columns], DARK) for at in range(0, len(tiles), columns)]))
    return shots


def sheet(studio: Any) -> Picture:
    """The packed page that an engine loads, on a checker so that the trimmed borders show."""
    from studio import flow
    from studio.tasks.orders import ActionOrder, ExportOptions

    who = character(studio, "Knight", cell=128)
    drawn = studio.do(flow.animate(studio.desk, who.id, [ActionOrder(action) for action in ACTIONS]))
    options = ExportOptions(targets=("texturepacker",), max_size=1024)
    page = pixels(Path(studio.do(flow.export(studio.desk, who.id, drawn["clips"], options))["pages"][0]))
    return over(page, ground(page.shape[1], page.shape[0], None))


def registration(studio: Any) -> Picture:
    """What changes from frame to frame of a walk whose camera wanders (above), and of the same walk registered."""
    from studio.sprites.align import register

    [(walk, _)] = acted(studio, character(studio, "Knight", cell=128), {"walk": 8})
    away = np.rint(7 * np.sin(np.arange(8) * 2.4)).astype(int)
    wandering = np.stack([np.roll(frame, (x // 3, x), (0, 1)) for frame, x in zip(walk, away, strict=True)])
    steady = register(wandering, (64, round(0.86 * 128)), plant=True).frames
    rows = []
    for clip in (wandering, steady):
        flat = np.stack([np.asarray(over(frame, ground(128, 128, DARK)).convert("RGB")) for frame in clip]).astype(int)
        change = np.abs(flat - np.roll(flat, -1, 0)).max(-1, keepdims=True).astype(np.uint8)
        opaque = np.full_like(change, 255)
        rows.append(row(list(np.concatenate([change, change, change, opaque], -1)), DARK))
    return stack(rows)


PICTURES: dict[str, Callable[[Any], Picture]] = {
    make.__name__: make for make in (knight, characters, cutout, joints, motions, sheet, registration)
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=HERE.parent / "docs" / "pictures")
    parser.add_argument("--only", default="", metavar="A,B,..", help=f"of {', '.join(PICTURES)}, page")
    options = parser.parse_args()
    from studio import flow
    from studio.cli.bench import inline
    from studio.settings import Settings
    from studio.studio import Studio

    options.out.mkdir(parents=True, exist_ok=True)
    wanted = options.only.split(",") if options.only else [*PICTURES, "page"]
    with tempfile.TemporaryDirectory(prefix="sprightly-", ignore_cleanup_errors=True) as home:
        studio = inline(Studio(Settings(home=Path(home), device="cpu")))
        flow.add_examples(studio.desk)
        for name in wanted:
            if name in PICTURES:
                saved(options.out / name, PICTURES[name](studio))
        if "page" in wanted:
            from pictures_page import photograph

            furnish(studio)
            photograph(Path(home), options.out)
    return 0


# A desk for the pictures


def character(studio: Any, name: str, cell: int) -> Any:
    from studio import flow

    found = next(who for who in flow.characters(studio.desk) if who.name == name)
    return flow.set_character(studio.desk, found.id, cell=cell)


def acted(studio: Any, who: Any, lengths: dict[str, int]) -> list[tuple[np.ndarray, bool]]:
    """Frames of each action at the common clock, and whether it plays only once."""
    from pipelines.clip import Clip
    from pipelines.pose.motion import ACTIONS
    from studio import flow
    from studio.tasks.orders import ActionOrder

    orders = [ActionOrder(action, frames=count, fps=float(FPS)) for action, count in lengths.items()]
    drawn = studio.do(flow.animate(studio.desk, who.id, orders))
    folders = {record.id: record.folder for record in flow.clips(studio.desk, who.id)}
    return [
        (Clip.load(folders[clip]).frames, not ACTIONS[action].loop)
        for clip, action in zip(drawn["clips"], lengths, strict=True)
    ]


def furnish(studio: Any) -> None:
    """What an artist has on the desk after an hour: samples, six clips, a sheet, a look."""
    from lora_trainer.config import PRESETS
    from studio import flow
    from studio.tasks.orders import ActionOrder, ExportOptions

    desk, who = studio.desk, character(studio, "Knight", cell=192)
    for record in flow.clips(desk, who.id):
        flow.delete(desk, who.id, "clips", record.id)
    drawn = studio.do(flow.animate(desk, who.id, [ActionOrder(action) for action in ACTIONS]))
    studio.do(flow.export(desk, who.id, drawn["clips"], ExportOptions()))
    with tempfile.TemporaryDirectory() as folder:
        samples = [ART / "knight_on_white.png"]
        for record in flow.clips(desk, who.id):
            if record.action in ("walk", "slash"):
                # A sample's action is read from its name.
                samples.append(Path(shutil.copyfile(record.preview, Path(folder) / f"{record.action}.webp")))
        flow.add_samples(desk, who.id, samples)
    studio.do(flow.train(desk, who.id, PRESETS["quick"].config))


if __name__ == "__main__":
    sys.exit(main())
