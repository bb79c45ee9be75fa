"""What long work tells while it runs. The command line prints events, the job store keeps them, the page draws them."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Step:
    """One step done."""

    done: int
    total: int
    what: str = ""
    """What is being done, in the artist's words: "Training", "Drawing walk"."""
    loss: float | None = None
    seconds_left: float | None = None


@dataclass(frozen=True)
class Preview:
    """A picture worth looking at: an animated WebP or a PNG on disk."""

    done: int
    path: Path
    label: str = ""


@dataclass(frozen=True)
class Checkpoint:
    """State from which the work can resume exactly."""

    done: int
    path: Path


@dataclass(frozen=True)
class Warning:
    """Something the artist should know and that did not stop the work."""

    text: str


@dataclass(frozen=True)
class Done:
    """The last event. `result` is JSON-ready: ids, paths as text, measured numbers."""

    result: dict[str, Any] = field(default_factory=dict)


Event = Step | Preview | Checkpoint | Warning | Done
_KINDS: dict[str, type] = {kind.__name__: kind for kind in (Step, Preview, Checkpoint, Warning, Done)}


def to_json(event: Event) -> dict[str, Any]:
    """The event as plain JSON with its kind under "event"."""
    body = {key: str(value) if isinstance(value, Path) else value for key, value in asdict(event).items()}
    return {"event": type(event).__name__, **body}


def from_json(body: dict[str, Any]) -> Event:
    """Inverse of `to_json`; unknown keys are ignored so that older records still load."""
    kind = _KINDS[body["event"]]
    known = {item.name for item in fields(kind)}
    values = {key: value for key, value in body.items() if key in known}
    if "path" in values:
        values["path"] = Path(values["path"])
    return kind(**values)  # type: ignore[no-any-return]
