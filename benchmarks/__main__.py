"""`python -m benchmarks`: every table, one after the other."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent

for name, flags in (("product", ["--demo"]), ("lora", []), ("rig", []), ("sprites", []), ("matting", [])):
    print(f"\n# {name}", flush=True)
    subprocess.run([sys.executable, str(HERE / f"{name}.py"), *flags], check=True)
