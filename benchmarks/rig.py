"""Speed of the rig beside a plain puppet (one cv2.warpAffine per part), on the example knight.

    python benchmarks/rig.py [--art knight]

Prints milliseconds a frame at 64, 128, 256 and 512 pixels, and the ratio to the plain puppet, which holds on any
machine. Times are of the processor, so that a busy machine does not count. Targets on one core: the puppet of 1024
pixel art built in 1.5 s, eight frames of 128 pixels drawn in 0.25 s, small training art (128 pixels) built and drawn
in 0.12 s.
"""

import argparse
import json
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import cv2
import numpy as np
from PIL import Image

from pipelines.figure import Figure, place
from pipelines.pose.motion import ACTIONS
from pipelines.pose.retarget import fit
from pipelines.pose.skeleton import INDEX, N_JOINTS, PoseTrack
from pipelines.rig import PARTS, build_puppet, draw, part_map

ART = Path(__file__).resolve().parents[1] / "examples" / "art"
FRAMES = 8


def load(name: str) -> Figure:
    record = json.loads((ART / f"{name}.json").read_text())
    joints = np.zeros((N_JOINTS, 3), np.float32)
    for joint, spot in record["joints"].items():
        if spot:
            joints[INDEX[joint]] = (*spot[:2], 1)
    return Figure(np.array(Image.open(ART / f"{name}.png").convert("RGBA")), joints, record.get("facing", "right"))


def plain_puppet(figure: Figure, labels: np.ndarray, track: PoseTrack, size: int) -> np.ndarray:
    """Every part cut out as it is and put on its bone by a similarity."""
    placement = place(figure)
    shrink = min(1.0, 1.5 * size * placement.scale)
    art = cv2.resize(figure.art, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA).astype(np.float32) / 255
    art[..., :3] *= art[..., 3:]
    small = cv2.resize(labels, art.shape[1::-1], interpolation=cv2.INTER_NEAREST)
    layers = [(part.bone, art * (small == number)[..., None]) for number, part in enumerate(PARTS)]
    out = np.zeros((len(track), size, size, 4), np.float32)
    for frame, joints in zip(out, track.joints, strict=True):
        for (start, end), layer in layers:
            one, two = figure.joints[[start, end], :2] * shrink
            a, b = joints[[start, end], :2] * size
            turn = complex(*(b - a)) / (complex(*(two - one)) or 1)
            matrix = np.array([[turn.real, -turn.imag], [turn.imag, turn.real]])
            matrix = np.hstack([matrix, (a - matrix @ one)[:, None]])
            warped = cv2.warpAffine(layer, matrix, (size, size))
            frame[:] = warped + frame * (1 - warped[..., 3:])
    return out


def seconds(work: Callable[[], object], repeats: int = 3) -> float:
    best = np.inf
    for _ in range(repeats):
        start = time.process_time()
        work()
        best = min(best, time.process_time() - start)
    return float(best)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--art", default="knight")
    figure = load(arguments.parse_args().art)
    cv2.setNumThreads(1)
    placement = place(figure)
    track = fit(ACTIONS["slash"], figure, placement, FRAMES, 12)
    puppet, labels = build_puppet(figure), part_map(figure)
    print(f"build {figure.art.shape[0]} px art: {seconds(lambda: build_puppet(figure)):.2f} s")
    for size in (64, 128, 256, 512):
        rig = seconds(lambda size=size: draw(puppet, track, size)) / FRAMES
        plain = seconds(lambda size=size: plain_puppet(figure, labels, track, size)) / FRAMES
        print(
            f"{size:4d} px: {1000 * rig:6.1f} ms a frame, plain puppet {1000 * plain:6.1f} ms, ratio {rig / plain:.2f}"
        )
    shrink = 128 / max(figure.art.shape)
    art = cv2.resize(figure.art, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
    joints = figure.joints * np.float32([shrink, shrink, 1])
    small = replace(figure, art=art, joints=joints)
    print(f"build and draw 128 px art, 64 px cell: {seconds(lambda: draw(build_puppet(small, 64), track, 64)):.3f} s")


if __name__ == "__main__":
    main()
