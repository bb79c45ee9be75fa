"""Actions picked, clips out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import gradio as gr
from gradio.components import Component

from pipelines.errors import RequestError

from ... import flow
from ...studio import Desk, Studio
from ...tasks.orders import ActionOrder
from ..handling import friendly
from ..session import Session, desk_of
from ..views import actions, picture, progress, text
from ..views import clips as view
from ..widgets.action_tiles import ActionTiles, read_picked
from ..widgets.player_grid import PlayerGrid
from ..widgets.sprite_player import SpritePlayer
from ..words import WORDS, say

FIRST = ["idle", "walk"]


@dataclass(frozen=True)
class AnimateTab:
    """What the other tabs and the frame may touch."""

    opened: Callable[..., list[Any]]
    outputs: Sequence[Component]
    refreshed: Callable[..., list[Any]]
    """`(grid, session, request)`: the clips again, picks kept."""
    tick: Callable[[Desk, Session], list[Any]]
    live: Sequence[Component]
    grid: PlayerGrid
    to_sheet: gr.Button


def build(studio: Studio, session: gr.State) -> AnimateTab:
    with gr.Row(elem_classes="sp-desk"):
        with gr.Column(elem_classes=["sp-left", "sp-with-foot"]):
            with gr.Column(elem_classes="sp-scroll"):
                tiles = ActionTiles(actions.value(FIRST), elem_id="sp-actions")
                with gr.Row():
                    frames = gr.Number(
                        0,
                        label=WORDS["order_frames"],
                        precision=0,
                        minimum=0,
                        maximum=240,
                        min_width=100,
                        elem_id="sp-frames",
                    )
                    fps = gr.Number(0, label=WORDS["fps"], minimum=0, maximum=60, min_width=100, elem_id="sp-fps")
                gr.HTML(text.tip(WORDS["order_frames_info"]), padding=False)
                energy = gr.Slider(
                    0.3, 1.6, 1.0, step=0.05, label=WORDS["energy"], info=WORDS["energy_info"], elem_id="sp-energy"
                )
                with gr.Accordion(WORDS["more"], open=False, elem_id="sp-animate-more"):
                    guidance = gr.Radio(
                        [
                            (WORDS["guide_library"], "library"),
                            (WORDS["guide_none"], "none"),
                            (WORDS["guide_file"], "file"),
                        ],
                        value="library",
                        label=WORDS["guidance"],
                        elem_classes="sp-segments",
                        elem_id="sp-guidance",
                    )
                    file = gr.File(label=WORDS["guide_file_label"], visible=False, height=110, elem_id="sp-guide-file")
                    reader = gr.Dropdown(
                        [
                            (WORDS["reader_own"], "own"),
                            (WORDS["reader_openpose"], "openpose"),
                            (WORDS["reader_dwpose"], "dwpose"),
                        ],
                        value="own",
                        label=WORDS["reader"],
                        visible=False,
                        elem_id="sp-reader",
                    )
                    strength = gr.Slider(0, 1, 1.0, step=0.05, label=WORDS["guide_strength"], elem_id="sp-strength")
                    look = gr.Slider(
                        0,
                        2,
                        1.0,
                        step=0.05,
                        label=WORDS["look_strength"],
                        info=WORDS["look_info"],
                        elem_id="sp-look-strength",
                    )
                    with gr.Row():
                        seed = gr.Number(
                            0, label=WORDS["seed"], precision=0, minimum=0, min_width=100, elem_id="sp-seed"
                        )
                        steps = gr.Number(
                            1,
                            label=WORDS["steps"],
                            precision=0,
                            minimum=1,
                            maximum=100,
                            min_width=100,
                            elem_id="sp-order-steps",
                        )
            go = gr.Button(
                _button(FIRST), variant="primary", elem_classes="sp-next", elem_id="sp-animate", interactive=False
            )
        with gr.Column(elem_classes="sp-stage"):
            with gr.Row(elem_classes="sp-bench"):
                running = gr.HTML(padding=False, elem_id="sp-animate-progress")
                to_sheet = gr.Button(
                    WORDS["next_sheet"], visible=False, elem_classes="sp-corner", elem_id="sp-to-sheet"
                )
            teach = gr.HTML(
                text.empty(WORDS["animate_title"], WORDS["clips_empty"], picture.onion("slash")),
                padding=False,
                elem_classes="sp-fill",
            )
            large = SpritePlayer(elem_id="sp-large", visible=False)
            grid = PlayerGrid(elem_id="sp-clips")
    job = gr.Textbox(visible=False)
    live = [running]
    outputs = [grid, large, to_sheet, teach, running, go]

    def show(desk: Desk, now: Session, picked: list[str] | None) -> list[Any]:
        if not now.character:
            return [None, gr.update(visible=False), gr.update(visible=False), gr.update(visible=True), ""]
        value = view.value(desk, now.character, picked)
        filled = bool(value["items"])
        return [value, gr.skip(), gr.update(visible=filled), gr.update(visible=not filled), *tick(desk, now)]

    @friendly
    def opened(now: Session, request: gr.Request) -> list[Any]:
        shown = show(desk_of(studio, request), now, None)
        return [shown[0], gr.update(value=None, visible=False), *shown[2:], gr.update(interactive=bool(now.character))]

    def refreshed(value: Any, now: Session, request: gr.Request) -> list[Any]:
        desk = desk_of(studio, request)
        known = [str(item.get("id")) for item in (value or {}).get("items", [])]
        records = flow.clips(desk, now.character) if now.character else []
        picked = view.merged(read_picked(value), records, known) if known else None
        return [*show(desk, now, picked), gr.skip()]

    def tick(desk: Desk, now: Session) -> list[Any]:
        return [progress.bar(desk, "animate", now.character)]

    @friendly
    def animate(
        now: Session,
        actions: Any,
        frames: int,
        fps: float,
        energy: float,
        guidance: str,
        file: str | None,
        reader: str,
        strength: float,
        look: float,
        seed: int,
        steps: int,
        request: gr.Request,
    ) -> list[Any]:
        """Draws actions of the open character; answers with the job's id. `actions` is {"picked": ["walk", ...]}."""
        picked = read_picked(actions)
        if not picked:
            raise RequestError(WORDS["pick_action"])
        orders = [
            ActionOrder(
                name,
                int(frames or 0) or None,
                float(fps or 0) or None,
                energy,
                guidance,  # type: ignore[arg-type]
                file,
                reader,  # type: ignore[arg-type]
                strength,
                look,
                int(seed or 0),
                int(steps or 1),
            )
            for name in picked
        ]
        desk = desk_of(studio, request)
        return [flow.animate(desk, now.character, orders).id, *tick(desk, now)]

    @friendly
    def act(shown: Any, now: Session, event: gr.EventData, request: gr.Request) -> list[Any]:
        desk, asked = desk_of(studio, request), event._data
        record = next((one for one in flow.clips(desk, now.character) if one.id == asked["id"]), None)
        if record is None:
            raise RequestError(WORDS["clip_gone"])
        if asked["act"] == "redo":
            flow.animate(desk, now.character, [view.again(record)])
            return [gr.skip(), *tick(desk, now)]
        if isinstance(shown, dict) and shown.get("id") == record.id:
            return [gr.update(value=None, visible=False), *tick(desk, now)]
        return [gr.update(value=view.large(desk, now.character, record), visible=True), *tick(desk, now)]

    quiet: dict[str, Any] = {"api_visibility": "private", "show_progress": "hidden"}
    tiles.picked(
        lambda value, now: gr.update(
            value=_button(read_picked(value)), interactive=bool(now.character and read_picked(value))
        ),
        [tiles, session],
        go,
        **quiet,
    )
    guidance.input(lambda which: [gr.update(visible=which == "file")] * 2, guidance, [file, reader], **quiet)
    go.click(
        animate,
        inputs_kwargs={
            "now": session,
            "actions": tiles,
            "frames": frames,
            "fps": fps,
            "energy": energy,
            "guidance": guidance,
            "file": file,
            "reader": reader,
            "strength": strength,
            "look": look,
            "seed": seed,
            "steps": steps,
        },
        outputs=[job, *live],
        api_name="animate",
        show_progress="hidden",
    )
    grid.act(act, [large, session], [large, *live], trigger_mode="multiple", **quiet)
    return AnimateTab(opened, outputs, refreshed, tick, live, grid, to_sheet)


def _button(picked: list[str]) -> str:
    return WORDS["animate_1"] if len(picked) == 1 else say("animate_n", n=len(picked)) if picked else WORDS["animate"]
