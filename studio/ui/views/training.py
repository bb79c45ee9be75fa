"""Presets with time and memory, the running training, and the proof at its end."""

from __future__ import annotations

import json
from collections.abc import Sequence
from statistics import median
from typing import Any

from lora_trainer.config import PRESETS
from lora_trainer.validation import NO_EFFECT, STATIC
from pipelines import registry
from pipelines.adapter import Adapter
from pipelines.events import Preview, Step

from ... import flow
from ...jobs import Job, JobEvent
from ...studio import Desk
from .. import media
from ..words import WORDS, pick, say
from . import text

STEP_SECONDS = 0.7
"""A training step of the embedded model on two CPU cores, until this computer has trained once itself."""
SETUP_SECONDS = 12.0
LEAST_STEPS = 20
PREVIEWS = 8


def presets(desk: Desk, backend: str, picked: str) -> dict[str, Any]:
    """The `PresetCards` value."""
    each = step_seconds(flow.jobs(desk))
    memory = say("memory", memory=registry.spec(backend).train_memory_gb)
    return {
        "cards": [
            {
                "name": name,
                "title": preset.title,
                "line": preset.sentence,
                "time": say("about_time", time=text.seconds(SETUP_SECONDS + each * preset.config.steps)),
                "memory": f"{preset.config.steps} steps · {memory}",
            }
            for name, preset in PRESETS.items()
        ],
        "picked": picked,
        "words": {"label": WORDS["preset"]},
    }


def step_seconds(jobs: Sequence[Job]) -> float:
    """Seconds a step took in this studio's finished trainings."""
    times = [
        max(0.0, job.ended - job.started - SETUP_SECONDS) / job.payload["config"]["steps"]
        for job in jobs
        if job.kind == "train"
        and job.state == "done"
        and job.started
        and job.ended
        # A very short run is all preparation and says nothing about a step.
        and job.payload["config"]["steps"] >= LEAST_STEPS
    ]
    return median(times) if times else STEP_SECONDS


def curve(events: Sequence[JobEvent]) -> dict[str, Any]:
    """The `LossCurve` value of a job's events."""
    told = [note.event for note in events]
    steps = [event for event in told if isinstance(event, Step) and event.loss is not None]
    shown = [event for event in told if isinstance(event, Preview)][-PREVIEWS:]
    return {
        "points": [[step.done, round(float(step.loss or 0), 5)] for step in steps],
        "total": steps[-1].total if steps else 0,
        "previews": [{"step": event.done, "url": media.url(event.path)} for event in shown],
        "words": {"title": WORDS["loss"], "empty": WORDS["loss_empty"]},
    }


def latest(desk: Desk, character_id: str) -> Job | None:
    """The character's newest training."""
    return next((job for job in flow.jobs(desk) if job.kind == "train" and job.character == character_id), None)


def proof(look: Adapter, pixel: bool) -> dict[str, Any]:
    """The `ProofCard` value of a finished look."""
    measured, warnings = look.proof, _warnings(look)
    return {
        "off": media.animation(look.folder / "off.webp", pixel),
        "on": media.animation(look.folder / "on.webp", pixel),
        "numbers": _numbers(measured),
        "sentence": WORDS[_sentence(measured, bool(warnings))],
        "kind": "warn" if warnings else "good",
        "warnings": warnings,
        "words": pick("off", "on"),
    }


def _sentence(measured: dict[str, Any], warned: bool) -> str:
    """The text that says in one line what the numbers mean."""
    if measured.get("distance", 1.0) <= NO_EFFECT:
        return "proof_none"
    if measured.get("motion_on", 1.0) < STATIC * measured.get("motion_off", 0.0):
        return "proof_static"
    return "proof_warn" if warned else "proof_good"


def _numbers(measured: dict[str, Any]) -> list[dict[str, str]]:
    rows = []
    if "distance" in measured:
        rows.append(_row("distance", f"{measured['distance']:.1f} / 255"))
    if measured.get("palette_off"):
        gain = 100 * (1 - measured["palette_on"] / measured["palette_off"])
        rows.append(_row("fidelity", f"{gain:+.0f} %"))
    if measured.get("motion_off"):
        rows.append(_row("energy_kept", f"{100 * measured['motion_on'] / measured['motion_off']:.0f} %", "energy_hint"))
    return rows


def _row(key: str, value: str, hint: str = "") -> dict[str, str]:
    return {"label": WORDS[key], "value": value, "hint": WORDS[hint or f"{key}_hint"]}


def _warnings(look: Adapter) -> list[str]:
    try:
        found = json.loads((look.folder / "result.json").read_text(encoding="utf-8"))["warnings"]
    except (OSError, ValueError, KeyError):
        return []
    return [str(line) for line in found]


def by_id(looks: Sequence[Adapter], look_id: str | None) -> Adapter | None:
    """The look of that id, else the newest, else None."""
    return next((look for look in looks if look.folder.name == look_id), looks[0] if looks else None)
