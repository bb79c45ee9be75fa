"""What an artist waits for: the app, one action, the whole job. Each beside its simplest baseline, in the same run.

    python benchmarks/product.py [--demo]

| figure | baseline | target on two cores |
|---|---|---|
| app ready | `import gradio` in a bare process | under 15 s |
| one action of 8 frames, 128 px, 4 steps | the rig alone | at most 3 s |
| the demo, with --demo | none | at most 6 minutes, under 3 GB |
"""

from __future__ import annotations

import argparse
import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path

REPO = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(REPO))


def seconds_of(act: Callable[[], object], times: int = 3) -> float:
    """Best wall time of several runs."""
    best = float("inf")
    for _ in range(times):
        began = time.perf_counter()
        act()
        best = min(best, time.perf_counter() - began)
    return best


def one_action() -> tuple[float, float, float]:
    """Seconds of the whole backend, of the rig alone, and of the first call with everything to load."""
    from benchmarks.lora import knight
    from pipelines.cancel import NEVER
    from pipelines.figure import place
    from pipelines.pose.motion import ACTIONS
    from pipelines.pose.retarget import fit
    from pipelines.registry import create
    from pipelines.request import GenerateRequest
    from pipelines.rig import build_puppet, draw

    figure = knight()
    track = fit(ACTIONS["walk"], figure, place(figure), 8, 12)
    began = time.perf_counter()
    backend = create("embedded")
    request = GenerateRequest(figure, "walk", frames=8, size=128, pose=track, steps=4)
    backend.generate(request, lambda done, total: None, NEVER)
    first = time.perf_counter() - began
    puppet = build_puppet(figure, 128)
    whole = seconds_of(lambda: backend.generate(request, lambda done, total: None, NEVER))
    return whole, seconds_of(lambda: draw(puppet, track, 128)), first


def app_ready() -> tuple[float, float]:
    """Seconds until the page answers, and those of importing gradio alone."""
    bare = seconds_of(lambda: subprocess.run([sys.executable, "-c", "import gradio"], check=True), 1)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as home:
        command = [sys.executable, "app.py", "--home", home, "--port", str(port), "--device", "cpu"]
        began = time.perf_counter()
        process = subprocess.Popen(command, cwd=REPO, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            while process.poll() is None:
                try:
                    urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=2).close()
                    return time.perf_counter() - began, bare
                except OSError:
                    time.sleep(0.1)
        finally:
            process.terminate()
            process.wait(30)
    raise SystemExit("The app ended before it answered.")


def demo() -> tuple[float, float]:
    """Seconds and peak memory in GB of the whole job."""
    import psutil

    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as out:
        began, peak = time.perf_counter(), 0
        process = psutil.Popen([sys.executable, "examples/demo.py", "--out", out], cwd=REPO, stdout=subprocess.DEVNULL)
        while process.poll() is None:
            family = [process, *process.children(recursive=True)]
            peak = max(peak, sum(one.memory_info().rss for one in family if one.is_running()))
            time.sleep(0.5)
        if process.returncode:
            raise SystemExit("The demo failed.")
        return time.perf_counter() - began, peak / 1e9


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--demo", action="store_true", help="run the whole demo too; takes minutes")
    options = parser.parse_args()
    print(f"{os.cpu_count()} cores")
    print(f"{'':34}{'seconds':>9}{'baseline':>10}{'ratio':>7}")
    whole, rig, first = one_action()
    print(f"{'one action, 8 frames at 128 px':34}{whole:9.2f}{rig:10.2f}{whole / rig:7.1f}")
    print(f"{'the same, with models to load':34}{first:9.2f}")
    ready, bare = app_ready()
    print(f"{'app ready':34}{ready:9.2f}{bare:10.2f}{ready / bare:7.1f}")
    if options.demo:
        seconds, memory = demo()
        print(f"{'demo':34}{seconds:9.1f}   peak {memory:.2f} GB")


if __name__ == "__main__":
    main()
