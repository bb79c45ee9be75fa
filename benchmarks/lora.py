"""Training a look: wall time and peak memory of 150 steps on the example knight, beside a bare loop.

    python benchmarks/lora.py [--steps 150]

Targets on two cores: at most 120 s and under 3 GB. The bare loop draws the same batches and takes the same optimiser
steps, without running mean, previews, checkpoints, cache, proof or report; the ratio is what those cost and holds on
any machine. Each runs in a process of its own, so that neither's memory counts for the other.
"""

import argparse
import dataclasses
import json
import multiprocessing
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import numpy as np
from PIL import Image

from lora_trainer.config import PRESETS, TrainConfig
from pipelines.backend import TrainingSample
from pipelines.figure import Figure, place
from pipelines.pose.skeleton import JOINTS

ART = Path(__file__).resolve().parents[1] / "examples" / "art"


def knight() -> Figure:
    """The example knight with its hand-placed joints."""
    about = json.loads((ART / "knight.json").read_text(encoding="utf-8"))
    art = np.asarray(Image.open(ART / "knight.png").convert("RGBA"))
    factor = art.shape[1] / about["size"][0]
    placed = [about["joints"].get(name) for name in JOINTS]
    joints = np.array([(x[0] * factor, x[1] * factor, 1) if x else (0, 0, 0) for x in placed], np.float32)
    return Figure(art * (art[..., 3:] > 0), joints, about["facing"], weapon=about.get("weapon"))


def clip(figure: Figure) -> TrainingSample:
    """One animated sample: the knight's own rig, slashing."""
    from pipelines.pose.motion import ACTIONS
    from pipelines.pose.retarget import fit
    from pipelines.rig import build_puppet, draw

    track = fit(ACTIONS["slash"], figure, place(figure), 8, 12.0)
    return TrainingSample(draw(build_puppet(figure), track, 128).frames, track, "slash")


def whole(config: TrainConfig) -> dict[str, float]:
    """`lora_trainer.trainer.train`, as the app runs it."""
    from lora_trainer.trainer import train
    from pipelines.events import Done, Step
    from pipelines.registry import create

    figure = knight()
    sample, backend = clip(figure), create(config.backend)
    started, steps = time.perf_counter(), []
    with tempfile.TemporaryDirectory() as folder:
        for event in train(config, figure, [sample], backend, Path(folder)):
            if isinstance(event, Step) and event.loss is not None:
                steps.append(time.perf_counter())
            if isinstance(event, Done):
                proof = event.result["proof"]
    ended = time.perf_counter()
    return {
        "seconds": ended - started,
        "before the first step": steps[0] - started,
        "proof and report": ended - steps[-1],
        "memory": peak_gb(),
        "distance": proof["distance"],
    }


def bare(config: TrainConfig) -> dict[str, float]:
    """The same batches and optimiser, nothing else."""
    import torch

    from lora_trainer.dataset import drawn
    from pipelines.registry import create

    figure = knight()
    sample, backend = clip(figure), create(config.backend)
    started = time.perf_counter()
    trainable = backend.trainable(config.rank, config.seed)
    optimiser = torch.optim.AdamW(trainable.parameters(), config.learning_rate)
    encoded = list(trainable.encode(sample, figure))
    priors = [trainable.prior(np.random.default_rng(number)) for number in range(config.priors)]
    noise, rng = torch.Generator().manual_seed(0), np.random.default_rng(0)
    for step in range(config.steps):
        before, after = (drawn(n, config.batch, config.prior_share, config.still_share) for n in (step, step + 1))
        batch = [trainable.augment(figure, rng) for _ in range(after.stills - before.stills)]
        batch += [encoded[number % len(encoded)] for number in range(before.animated, after.animated)]
        batch += [priors[number % len(priors)] for number in range(before.priors, after.priors)]
        optimiser.zero_grad()
        trainable.loss(batch, noise).backward()
        optimiser.step()
    return {"seconds": time.perf_counter() - started, "memory": peak_gb()}


def peak_gb() -> float:
    """Largest memory of this process so far in GB; 0 on Windows, which keeps no such figure in the standard library."""
    try:
        import resource
    except ImportError:
        return 0.0
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1e9 if sys.platform == "darwin" else 1e6)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", type=int, default=PRESETS["standard"].config.steps)
    config = dataclasses.replace(PRESETS["standard"].config, steps=parser.parse_args().steps)
    rows = {}
    for name, run in {"whole": whole, "bare": bare}.items():
        with multiprocessing.get_context("spawn").Pool(1) as pool:
            rows[name] = pool.apply(run, (config,))
    wall, base = rows["whole"], rows["bare"]
    cores = multiprocessing.cpu_count()
    print(f"{config.steps} steps of {config.batch}, rank {config.rank}, {config.backend}, {cores} cores")
    print(f"{'':28}{'seconds':>9}{'a step':>9}{'peak GB':>9}")
    for name, row in rows.items():
        print(f"{name:28}{row['seconds']:9.1f}{row['seconds'] / config.steps:9.3f}{row['memory']:9.2f}")
    print(f"{'before the first step':28}{wall['before the first step']:9.1f}")
    print(f"{'proof and report':28}{wall['proof and report']:9.1f}")
    memory = wall["memory"] / max(base["memory"], 1e-9)
    print(f"ratio to the bare loop: {wall['seconds'] / base['seconds']:.2f} in time, {memory:.2f} in memory")
    print(f"difference without and with the look: {wall['distance']:.2f} of 255")


if __name__ == "__main__":
    main()
