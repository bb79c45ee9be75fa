"""Everything that was asked for, and how it goes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import gradio as gr

from ... import flow
from ...studio import Desk, Studio
from ..handling import friendly
from ..session import Session, desk_of
from ..views import jobs as view
from ..widgets.job_list import JobList, read_logs


@dataclass(frozen=True)
class JobsTab:
    """What the frame may touch."""

    tick: Callable[[Desk, Any], dict[str, Any]]
    rows: JobList


def build(studio: Studio, session: gr.State) -> JobsTab:
    with gr.Row(elem_classes="sp-desk"), gr.Column(elem_classes=["sp-stage", "sp-narrow"]):
        rows = JobList(elem_id="sp-jobs")

    def tick(desk: Desk, value: Any) -> dict[str, Any]:
        return view.value(desk, read_logs(value))

    @friendly
    def act(value: Any, now: Session, event: gr.EventData, request: gr.Request) -> dict[str, Any]:
        desk, asked = desk_of(studio, request), event._data
        if asked["act"] in ("cancel", "retry"):
            (flow.cancel if asked["act"] == "cancel" else flow.retry)(desk, str(asked["id"]))
        return tick(desk, value)

    rows.act(act, [rows, session], rows, api_visibility="private", show_progress="hidden", trigger_mode="multiple")
    return JobsTab(tick, rows)
