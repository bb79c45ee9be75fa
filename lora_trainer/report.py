"""One self-contained HTML page about a training: loss, previews, proof, samples, settings and hashes."""

from __future__ import annotations

import base64
import io
import json
from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Any

from PIL import Image

from pipelines.backend import TrainingSample

_STYLE = """
:root { color-scheme: dark }
body { background: #1b1c1f; color: #d8d8d6; font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto;
max-width: 62rem; padding: 0 1.5rem }
h1 { font-size: 1.5rem; font-weight: 600; margin: 0 } h2 { font-size: 1rem; font-weight: 600; margin: 2.2rem 0 .6rem }
p { margin: .3rem 0; color: #a9a9a6 }
figure { margin: 0; text-align: center } figcaption { color: #a9a9a6; font-size: .85rem; margin-top: .3rem }
.row { display: flex; flex-wrap: wrap; gap: .9rem } .checks { border-radius: 6px; display: block;
background: repeating-conic-gradient(#2c2d31 0 25%, #25262a 0 50%) 0 0 / 16px 16px }
.warning { background: #3b2f14; border-left: 3px solid #e0a52e; padding: .5rem .9rem; margin: .6rem 0; color: #f0ddb0 }
table { border-collapse: collapse } td, th { padding: .25rem 1.4rem .25rem 0; text-align: left; vertical-align: top }
th { font-weight: 400; color: #a9a9a6 } td { font-variant-numeric: tabular-nums }
code, pre { font: 12px/1.5 ui-monospace, monospace; color: #a9a9a6; overflow-x: auto }
svg { display: block; background: #212226; border-radius: 6px; max-width: 100% }
"""


def write_report(
    folder: Path,
    about: dict[str, Any],
    result: dict[str, Any],
    losses: Sequence[float],
    samples: Sequence[TrainingSample],
    previews: Sequence[Path],
    pictures: Sequence[Path],
) -> Path:
    """Writes `report.html`. `about` is the manifest, `result` what `Done` will carry, `pictures` off and on."""
    proof = result["proof"]
    shown = [(path, f"step {int(path.stem)}") for path in _spread(previews, 6)]
    parts = [
        f"<h1>{escape(about['trigger'] or 'Training')}</h1>",
        f"<p>{result['steps']} steps{', stopped early' if result['stopped_early'] else ''}, {proof['seconds']:.0f} s, "
        f"{escape(about['backend'])}, rank {about['config']['rank']}</p>",
        *(f'<div class="warning">{escape(text)}</div>' for text in result["warnings"]),
        f"<h2>Proof: {escape(proof['action'])} without and with the look</h2>",
        '<div class="row">',
        *(_figure(path, 256, label) for path, label in zip(pictures, ("off", "on"), strict=True)),
        "<div>" + _table(_numbers(proof)) + "</div></div>",
        "<h2>Loss</h2>" + loss_curve(losses) if losses else "",
        '<h2>On the way</h2><div class="row">' + "".join(_figure(path, 128, text) for path, text in shown) + "</div>"
        if shown
        else "",
        _samples(samples, result) if samples else "",
        "<h2>Drawn while training</h2>" + _table([(k, str(v)) for k, v in result["drawn"].items()]),
        "<h2>Settings</h2>" + _table([(k.replace("_", " "), str(v)) for k, v in about["config"].items()]),
        "<details><summary>Everything needed to make it again</summary>"
        f"<pre>{escape(json.dumps(about, indent=1))}</pre></details>",
    ]
    page = f'<!doctype html><html lang="en"><meta charset="utf-8"><title>Training report</title><style>{_STYLE}</style>'
    path = folder / "report.html"
    path.write_text(page + "\n".join(filter(None, parts)) + "</html>", encoding="utf-8")
    return path


def _numbers(proof: dict[str, Any]) -> list[tuple[str, str]]:
    rows = [
        ("Difference, of 255", f"{proof['distance']:.2f}"),
        ("Colours away from the art", f"{proof['palette_off']:.4f} off, {proof['palette_on']:.4f} on"),
        ("Motion, of 255", f"{proof['motion_off']:.2f} off, {proof['motion_on']:.2f} on"),
        ("Weights that load back", f"{100 * proof['keys_matched']:.0f} %"),
    ]
    if proof["psnr_on"] is not None:
        which = "animations it has not seen" if proof["held_out"] else "animated samples"
        rows.insert(1, (f"Likeness to the {which}", f"{proof['psnr_off']:.1f} dB off, {proof['psnr_on']:.1f} dB on"))
    return rows


def loss_curve(losses: Sequence[float], width: int = 760, height: int = 180) -> str:
    """Inline SVG: every step faint, a running mean over a twentieth of the run clear, axes from 0."""
    top = max(max(losses), 1e-12)
    span = max(1, len(losses) // 20)
    mean = [sum(part) / len(part) for part in (losses[max(0, n - span + 1) : n + 1] for n in range(len(losses)))]

    def points(values: Sequence[float]) -> str:
        step = (width - 70) / max(1, len(values) - 1)
        return " ".join(
            f"{56 + n * step:.1f},{height - 26 - v / top * (height - 42):.1f}" for n, v in enumerate(values)
        )

    label = 'fill="#a9a9a6" font-size="11" font-family="system-ui"'
    return (
        f'<svg viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img" aria-label="Loss by step">'
        f'<path d="M56 16V{height - 26}H{width - 14}" fill="none" stroke="#44464c"/>'
        f'<polyline points="{points(losses)}" fill="none" stroke="#5b86c4" stroke-opacity=".35"/>'
        f'<polyline points="{points(mean)}" fill="none" stroke="#7fb0f5" stroke-width="1.8"/>'
        f'<text x="50" y="20" text-anchor="end" {label}>{top:.3g}</text>'
        f'<text x="50" y="{height - 26}" text-anchor="end" {label}>0</text>'
        f'<text x="{width - 14}" y="{height - 8}" text-anchor="end" {label}>step {len(losses)}</text></svg>'
    )


def _samples(samples: Sequence[TrainingSample], result: dict[str, Any]) -> str:
    cells = []
    for number, sample in enumerate(samples):
        shown = result["repeats"][number]
        frames = f"{len(sample.frames)} frames" if len(sample.frames) > 1 else "still"
        held = "held out" if shown is None else f"shown {shown} times"
        buffer = io.BytesIO()
        Image.fromarray(sample.frames[len(sample.frames) // 2]).resize((96, 96), Image.Resampling.BOX).save(
            buffer, "PNG"
        )
        cells.append(_picture(buffer.getvalue(), "png", 96, f"{sample.action}, {frames}, {held}"))
    return '<h2>Samples</h2><div class="row">' + "".join(cells) + "</div>"


def _figure(path: Path, side: int, label: str) -> str:
    return _picture(path.read_bytes(), "webp", side, label)


def _picture(data: bytes, kind: str, side: int, label: str) -> str:
    source = f"data:image/{kind};base64,{base64.b64encode(data).decode()}"
    text = escape(label)
    picture = f'<img class="checks" src="{source}" width="{side}" height="{side}" alt="{text}">'
    return f'<figure style="width:{side}px">{picture}<figcaption>{text}</figcaption></figure>'


def _table(rows: Sequence[tuple[str, str]]) -> str:
    body = "".join(f"<tr><th>{escape(name)}</th><td>{escape(value)}</td></tr>" for name, value in rows)
    return f"<table>{body}</table>"


def _spread(paths: Sequence[Path], most: int) -> list[Path]:
    """Up to `most` of the paths, first and last among them."""
    if len(paths) <= most:
        return list(paths)
    return [paths[round(number * (len(paths) - 1) / (most - 1))] for number in range(most)]
