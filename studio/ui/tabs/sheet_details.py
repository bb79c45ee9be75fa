"""What an export can be told besides the engine: shown on demand, under More."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import gradio as gr
from gradio.components import Component

from ...tasks.orders import ExportOptions
from ..views import sheet as view
from ..words import WORDS

USUAL = ExportOptions()
HUES = (60, 120, 180, 240, 300)


@dataclass(frozen=True)
class Details:
    """The components by the name of their option, in the order of the page."""

    parts: dict[str, Component]

    def of_engine(self) -> list[Component]:
        """Those that the choice of an engine sets, in the order of `engine_values`, after the layout."""
        return [self.parts[name] for name in ENGINE_SETS]


ENGINE_SETS = ("targets", "padding", "extrude", "trim", "power_of_two")


def engine_values(options: ExportOptions) -> list[Any]:
    """Values for `Details.of_engine`."""
    return [list(options.targets), options.padding, options.extrude, options.trim, options.power_of_two]


def build() -> Details:
    """Draws the details into an accordion that is closed at first."""
    parts: dict[str, Component] = {}
    with gr.Accordion(WORDS["more"], open=False, elem_id="sp-sheet-more"):
        parts["targets"] = gr.CheckboxGroup(
            view.targets(),
            value=list(USUAL.targets),
            label=WORDS["targets"],
            elem_id="sp-targets",
            elem_classes="sp-list",
        )
        with gr.Row():
            parts["padding"] = _number("padding", USUAL.padding, 64)
            parts["extrude"] = _number("extrude", USUAL.extrude, 16)
        parts["trim"] = gr.Checkbox(USUAL.trim, label=WORDS["trim"], elem_id="sp-trim")
        parts["power_of_two"] = gr.Checkbox(USUAL.power_of_two, label=WORDS["power_of_two"], elem_id="sp-power")
        parts["motion"] = gr.Radio(
            [(WORDS[name], name) for name in ("in_place", "root_motion")],
            value=USUAL.motion,
            label=WORDS["motion"],
            info=WORDS["motion_info"],
            elem_classes="sp-segments",
            elem_id="sp-motion",
        )
        parts["also"] = gr.CheckboxGroup(
            [("½×", 0.5), ("2×", 2.0), ("4×", 4.0)], value=[], label=WORDS["also"], elem_id="sp-also"
        )
        parts["palette"] = gr.File(
            label=WORDS["lock"] + " (.gpl, .hex, .pal)",
            file_types=[".gpl", ".hex", ".pal"],
            height=150,
            elem_id="sp-palette",
        )
        with gr.Row():
            parts["colours"] = _number("colours", USUAL.colours, 256)
            parts["dither"] = gr.Dropdown(
                [(WORDS[name], name) for name in ("none", "ordered")],
                value=USUAL.dither,
                label=WORDS["dither"],
                min_width=100,
                elem_id="sp-dither",
            )
        parts["hues"] = gr.CheckboxGroup(
            [(f"{hue}°", hue) for hue in HUES], value=[], label=WORDS["hues"], elem_id="sp-hues"
        )
        parts["weigh"] = gr.Checkbox(USUAL.weigh, label=WORDS["weigh"], elem_id="sp-weigh")
    return Details(parts)


def _number(name: str, value: int, most: int) -> gr.Number:
    return gr.Number(
        value,
        label=WORDS[name],
        precision=0,
        minimum=0,
        maximum=most,
        min_width=100,
        elem_id=f"sp-{name}",
    )
