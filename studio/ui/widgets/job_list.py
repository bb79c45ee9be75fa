"""Jobs as rows: picture, state, progress, time left; cancel, retry, log."""

from __future__ import annotations

from typing import Any

from .widget import Widget


class JobList(Widget):
    """Value: `{rows: [...], logs: [job id], words}`; event `act` carries `{act: "cancel" | "retry" | "log", id}`."""

    stem = "job_list"


def read_logs(value: Any) -> list[str]:
    """Ids of the jobs whose story is open, out of what a browser sent."""
    given = value.get("logs") if isinstance(value, dict) else None
    return [name for name in given[:20] if isinstance(name, str)] if isinstance(given, list) else []
