"""Teaches the look: presets, the running training, the proof."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import gradio as gr
from gradio.components import Component

from lora_trainer.config import PRESETS, TrainConfig

from ... import flow
from ...studio import Desk, Studio
from ..handling import friendly
from ..session import Session, desk_of
from ..views import jobs as job_view
from ..views import progress, text
from ..views import samples as sample_view
from ..views import training as view
from ..views.header import look_title
from ..widgets.loss_curve import LossCurve
from ..widgets.preset_cards import PresetCards
from ..widgets.proof_card import ProofCard
from ..words import WORDS, say

FIRST = "standard"


@dataclass(frozen=True)
class TrainTab:
    """What the other tabs and the frame may touch."""

    opened: Callable[..., list[Any]]
    outputs: Sequence[Component]
    tick: Callable[[Desk, Session], list[Any]]
    """What changes while a training runs, for `live`."""
    live: Sequence[Component]
    still_share: gr.Slider
    to_animate: gr.Button


def build(studio: Studio, session: gr.State) -> TrainTab:
    usual = PRESETS[FIRST].config
    with gr.Row(elem_classes="sp-desk"):
        with gr.Column(elem_classes="sp-left"):
            lead = gr.HTML(padding=False)
            with gr.Accordion(WORDS["more"], open=False, elem_id="sp-train-more"):
                steps = gr.Number(
                    usual.steps, label=WORDS["steps"], precision=0, minimum=1, maximum=20000, elem_id="sp-steps"
                )
                rank = gr.Dropdown([4, 8, 16, 32, 64], value=usual.rank, label=WORDS["rank"], elem_id="sp-rank")
                rate = gr.Number(usual.learning_rate, label=WORDS["rate"], elem_id="sp-rate")
                still = gr.Slider(
                    0, 1, usual.still_share, step=0.05, label=WORDS["still_share"], elem_id="sp-train-still"
                )
                prior = gr.Slider(
                    0,
                    0.9,
                    usual.prior_share,
                    step=0.05,
                    label=WORDS["prior"],
                    info=WORDS["prior_info"],
                    elem_id="sp-prior",
                )
                seed = gr.Number(0, label=WORDS["seed"], precision=0, minimum=0, elem_id="sp-train-seed")
            looks = gr.Radio([], label=WORDS["looks"], elem_id="sp-looks")
            running = gr.HTML(padding=False, elem_classes="sp-foot")
            stop = gr.Button(WORDS["stop"], variant="stop", visible=False, elem_classes="sp-next", elem_id="sp-stop")
            start = gr.Button(WORDS["train"], variant="primary", elem_classes="sp-next", elem_id="sp-train")
            to_animate = gr.Button(
                WORDS["next_animate"], visible=False, elem_classes="sp-next", elem_id="sp-train-animate"
            )
        with gr.Column(elem_classes="sp-stage"):
            cards = PresetCards({"cards": [], "picked": FIRST, "words": {}}, elem_id="sp-presets")
            proof = ProofCard(elem_id="sp-proof")
            curve = LossCurve(view.curve([]), elem_id="sp-loss")
    job = gr.Textbox(visible=False)
    live = [running, curve, proof, start, stop, looks, to_animate]
    outputs = [lead, cards, *live]

    @friendly
    def opened(now: Session, request: gr.Request) -> list[Any]:
        desk = desk_of(studio, request)
        if not now.character:
            return [text.tip(WORDS["choose_character"]), gr.skip(), *tick(desk, now)]
        who, (stills, clips, _) = (
            flow.character(desk, now.character),
            sample_view.counts(flow.samples(desk, now.character)),
        )
        told = text.lead(say("train_lead", name=who.name)) + text.tip(say("train_material", stills=stills, clips=clips))
        return [told, view.presets(desk, who.backend, _running(desk, who.id)), *tick(desk, now)]

    def tick(desk: Desk, now: Session) -> list[Any]:
        if not now.character:
            hidden = gr.update(visible=False)
            return ["", view.curve([]), None, gr.update(visible=True, interactive=False), hidden, hidden, hidden]
        last, made = job_view.newest(desk, "train", now.character), flow.adapters(desk, now.character)
        going, who = last is not None and not last.over, flow.character(desk, now.character)
        shown = None if going else view.by_id(made, who.adapter)
        return [
            progress.bar(desk, "train", now.character),
            view.curve(flow.events(desk, last.id)) if last else view.curve([]),
            view.proof(shown, who.pixel_art) if shown else None,
            gr.update(visible=not going, interactive=True),
            _stop(going, last is not None and last.cancel),
            _looks(made, who.adapter),
            gr.update(visible=bool(made) and not going),
        ]

    def preset(value: dict[str, Any]) -> list[Any]:
        config = PRESETS.get(str(value.get("picked")), PRESETS[FIRST]).config
        return [config.steps, config.rank, config.learning_rate, config.prior_share]

    @friendly
    def train(
        now: Session,
        preset: Any,
        steps: int,
        rank: int,
        learning_rate: float,
        still_share: float,
        prior_share: float,
        seed: int,
        request: gr.Request,
    ) -> list[Any]:
        """Teaches the model the look of the open character; answers with the job's id."""
        base = PRESETS[preset["picked"]].config if _is_preset(preset) else usual
        config = TrainConfig(
            **{
                **base.to_json(),
                "steps": int(steps),
                "rank": int(rank),
                "learning_rate": float(learning_rate),
                "still_share": float(still_share),
                "prior_share": float(prior_share),
                "seed": int(seed),
            }
        )
        desk = desk_of(studio, request)
        return [flow.train(desk, now.character, config).id, *tick(desk, now)]

    @friendly
    def halt(now: Session, request: gr.Request) -> list[Any]:
        desk = desk_of(studio, request)
        last = job_view.newest(desk, "train", now.character)
        if last is not None and not last.over:
            flow.cancel(desk, last.id)
        return tick(desk, now)

    @friendly
    def use(now: Session, look: str, request: gr.Request) -> list[Any]:
        """Chooses the trained look that the open character is drawn with; empty for none."""
        desk = desk_of(studio, request)
        flow.use_adapter(desk, now.character, look or None)
        return tick(desk, now)

    cards.picked(preset, cards, [steps, rank, rate, prior], api_visibility="private", show_progress="hidden")
    start.click(
        train,
        inputs_kwargs={
            "now": session,
            "preset": cards,
            "steps": steps,
            "rank": rank,
            "learning_rate": rate,
            "still_share": still,
            "prior_share": prior,
            "seed": seed,
        },
        outputs=[job, *live],
        api_name="train",
        show_progress="hidden",
    )
    stop.click(halt, session, live, api_visibility="private", show_progress="hidden")
    looks.input(use, [session, looks], live, api_name="use_look", show_progress="hidden")
    return TrainTab(opened, outputs, tick, live, still, to_animate)


def _stop(going: bool, asked: bool) -> Any:
    """A running step is finished before a training ends: until then the button says that it was heard."""
    return gr.update(visible=going, interactive=not asked, value=WORDS["stop_asked" if asked else "stop"])


def _running(desk: Desk, character_id: str) -> str:
    """The preset of the training that runs, so that a page opened anew marks it; the usual one otherwise."""
    last = job_view.newest(desk, "train", character_id)
    steps = None if last is None or last.over else last.payload["config"]["steps"]
    return next((name for name, preset in PRESETS.items() if preset.config.steps == steps), FIRST)


def _looks(made: list[Any], current: str | None) -> Any:
    rows = [(look_title(made, look), look.folder.name) for look in made]
    return gr.update(choices=[(WORDS["no_look"], ""), *rows], value=current or "", visible=bool(made))


def _is_preset(value: Any) -> bool:
    return isinstance(value, dict) and value.get("picked") in PRESETS
