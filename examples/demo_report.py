"""The demo's one-page report: pictures first, then numbers."""

from __future__ import annotations

import html
import math
import os
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

STYLE = """
:root { color-scheme: dark } body { background: #1b1c1f; color: #e8e8ea; font: 16px/1.5 system-ui, sans-serif;
margin: 0 auto; max-width: 1100px; padding: 32px 20px } h1 { font-size: 28px; margin: 0 } h2 { font-size: 18px;
margin: 40px 0 12px } p, td, figcaption { color: #b9bac0 } .row { display: flex; flex-wrap: wrap; gap: 16px }
figure { margin: 0; background: #242529; padding: 12px; border-radius: 8px } img { display: block; max-width: 100%;
background: repeating-conic-gradient(#2e2f34 0 25%, #26272b 0 50%) 0 0/16px 16px } .small { width: 200px }
.sheet img { width: 100% } table { border-collapse: collapse } td, th { padding: 4px 16px 4px 0; text-align: left }
b { color: #ffb454; font-weight: 600 }
"""


def joints_off(found: Mapping[str, tuple[float, float]], truth: Mapping[str, tuple[float, float]]) -> list[float]:
    """Distance of every true joint from the found one, in body heights (crown to ankle); 1 where it was not found."""
    top, low = truth["crown"], truth["l_ankle"]
    height = math.dist(top, (top[0], low[1]))
    return [math.dist(found[name], xy) / height if name in found else 1.0 for name, xy in truth.items()]


def write(out: Path, shown: Mapping[str, Any]) -> Path:
    """Writes `report.html` with its pictures beside it, and copies the sheets to `sheets/`."""
    pictures = out / "pictures"
    pictures.mkdir(parents=True, exist_ok=True)

    def keep(path: Path, name: str) -> str:
        shutil.copyfile(path, pictures / name)
        return f"pictures/{name}"

    def figure(source: str, caption: str, kind: str = "small") -> str:
        text = html.escape(caption)
        return f'<figure class="{kind}"><img src="{source}" alt="{text}"><figcaption>{text}</figcaption></figure>'

    off = joints_off(shown["found"], shown["truth"])
    near = sum(distance < 0.1 for distance in off)
    proof = shown["proof"]
    acts = [figure(keep(path, f"{action}.webp"), action) for action, path in shown["previews"].items()]
    sides = [
        figure(keep(shown["adapter"] / f"{side}.webp", f"look_{side}.webp"), f"look {side}") for side in ("off", "on")
    ]
    pages, files = [], []
    for name, sheet in shown["sheets"].items():
        folder = out / "sheets" / name
        shutil.copytree(sheet["folder"], folder, dirs_exist_ok=True)
        shutil.copyfile(sheet["zip"], folder / Path(sheet["zip"]).name)
        for page in sheet["pages"]:
            width, height = sheet["report"]["pages"][sheet["pages"].index(page)]
            source = Path(os.path.relpath(folder / Path(page).name, out)).as_posix()
            caption = f"{name}: {sheet['report']['frames']} frames on {width} x {height} px"
            pages.append(figure(source, caption, "sheet"))
        files += sorted(f"sheets/{name}/{path.name}" for path in folder.iterdir() if path.is_file())
    times = "".join(f"<tr><td>{html.escape(what)}<td>{value} s" for what, value in shown["seconds"].items())
    numbers = "".join(
        f"<tr><td>{label}<td>{value}"
        for label, value in (
            ("Difference the look makes, 0 to 255", f"{proof['distance']:.2f}"),
            ("Colour distance from the art, look off, OKLab", f"{proof['palette_off']:.4f}"),
            ("Colour distance from the art, look on, OKLab", f"{proof['palette_on']:.4f}"),
            ("Motion, look off and on, 0 to 255", f"{proof['motion_off']:.1f}, {proof['motion_on']:.1f}"),
            ("Joints found within 10 % of body height", f"{near} of {len(off)}"),
        )
    )
    name = html.escape(shown["character"])
    listing = "".join(f"<tr><td>{html.escape(file)}" for file in files)
    cut = figure(keep(shown["art"], "art.png"), "the drawing") + figure(keep(shown["cut"], "cut.png"), "cut out")
    total = sum(shown["seconds"].values())
    page = (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{name}</title><style>{STYLE}</style>'
        f"<h1>{name}</h1><p>From one drawing to engine files in <b>{total:.0f} seconds</b>, on the processor alone.</p>"
        f'<div class="row">{cut}</div><h2>Actions</h2><div class="row">{"".join(acts)}</div>'
        f'<h2>Sheets</h2>{"".join(pages)}<h2>What training changed</h2><div class="row">{"".join(sides)}</div>'
        f"<table>{numbers}</table><h2>Time</h2><table>{times}</table><h2>Files</h2><table>{listing}</table></html>"
    )
    report = out / "report.html"
    report.write_text(page, encoding="utf-8")
    return report
