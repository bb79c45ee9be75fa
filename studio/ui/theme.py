"""How the page looks, and what `launch` needs to make it so: system fonts, own colours, nothing from outside."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import gradio as gr

from .widgets.widget import source
from .words import SCRIPT_WORDS, WORDS

_SANS = ("ui-sans-serif", "system-ui", "-apple-system", "Segoe UI", "Roboto", "Noto Sans", "sans-serif")
_MONO = ("ui-monospace", "SF Mono", "Cascadia Mono", "Consolas", "monospace")

_BOTH = {
    "body_background_fill": "var(--sp-bg)",
    "body_text_color": "var(--sp-text)",
    "body_text_color_subdued": "var(--sp-muted)",
    "background_fill_primary": "var(--sp-bg)",
    "background_fill_secondary": "var(--sp-panel)",
    "border_color_primary": "var(--sp-line)",
    "border_color_accent": "var(--sp-accent)",
    "color_accent_soft": "var(--sp-hover)",
    "block_background_fill": "transparent",
    "block_border_color": "transparent",
    "block_border_width": "0px",
    "block_shadow": "none",
    "block_label_background_fill": "transparent",
    "block_label_text_color": "var(--sp-muted)",
    "block_label_border_width": "0px",
    "block_title_text_color": "var(--sp-muted)",
    "block_info_text_color": "var(--sp-muted)",
    "panel_background_fill": "transparent",
    "panel_border_color": "transparent",
    "accordion_text_color": "var(--sp-text)",
    "input_background_fill": "var(--sp-well)",
    "input_background_fill_focus": "var(--sp-well)",
    "input_border_color": "var(--sp-line)",
    "input_border_color_focus": "var(--sp-accent)",
    "input_shadow": "none",
    "input_shadow_focus": "none",
    "checkbox_background_color": "var(--sp-well)",
    "checkbox_background_color_selected": "var(--sp-accent)",
    "checkbox_border_color": "var(--sp-muted)",
    "checkbox_border_color_selected": "var(--sp-accent)",
    "checkbox_label_background_fill": "var(--sp-well)",
    "checkbox_label_background_fill_hover": "var(--sp-hover)",
    "checkbox_label_background_fill_selected": "var(--sp-hover)",
    "checkbox_label_border_color": "transparent",
    "checkbox_label_text_color": "var(--sp-text)",
    "checkbox_label_text_color_selected": "var(--sp-text)",
    "checkbox_label_shadow": "none",
    "button_primary_background_fill": "var(--sp-accent)",
    "button_primary_background_fill_hover": "var(--sp-accent-hot)",
    "button_primary_text_color": "#1b1c1f",
    "button_primary_border_color": "transparent",
    "button_primary_border_color_hover": "transparent",
    "button_secondary_border_color_hover": "var(--sp-muted)",
    "button_cancel_border_color_hover": "var(--sp-bad)",
    "button_secondary_background_fill": "var(--sp-raised)",
    "button_secondary_background_fill_hover": "var(--sp-hover)",
    "button_secondary_text_color": "var(--sp-text)",
    "button_secondary_border_color": "var(--sp-line)",
    "button_cancel_background_fill": "var(--sp-raised)",
    "button_cancel_background_fill_hover": "var(--sp-hover)",
    "button_cancel_text_color": "var(--sp-bad)",
    "button_cancel_border_color": "var(--sp-line)",
    "error_background_fill": "var(--sp-raised)",
    "error_text_color": "var(--sp-text)",
    "error_border_color": "var(--sp-bad)",
    "table_border_color": "var(--sp-line)",
}
_ONE = {
    "color_accent": "var(--sp-accent)",
    "slider_color": "var(--sp-accent)",
    "loader_color": "var(--sp-accent)",
    "block_padding": "0px",
    "block_radius": "8px",
    "block_title_text_weight": "500",
    "block_title_text_size": "13px",
    "block_label_text_size": "13px",
    "layout_gap": "12px",
    "input_padding": "7px 10px",
    "button_border_width": "1px",
    "button_large_padding": "8px 16px",
    "button_large_text_size": "15px",
    "button_large_text_weight": "600",
    "button_small_text_weight": "500",
}


def theme() -> gr.themes.Base:
    """Neutral, with every colour taken from `style.css`, which holds a dark and a light set."""
    both = {f"{name}{end}": value for name, value in _BOTH.items() for end in ("", "_dark") if _known(name + end)}
    base = gr.themes.Base(
        neutral_hue="zinc", text_size="md", spacing_size="md", radius_size="md", font=_SANS, font_mono=_MONO
    )
    return base.set(**both, **{name: value for name, value in _ONE.items() if _known(name)})


def _known(name: str) -> bool:
    return name in gr.themes.Base.set.__code__.co_varnames


def launch_options() -> dict[str, Any]:
    """Keyword arguments for `mount_gradio_app` that belong to this page."""
    script = "\n".join(source(name) for name in ("core.js", "player.js", "figure.js"))
    style = (Path(__file__).parent / "style.css").read_text(encoding="utf-8")
    return {
        "theme": theme(),
        "css": f':root {{ --sp-word-drop: "{WORDS["drop_files"]}"; }}\n{style}',
        "head": f"<script>window.SprightlyWords = {json.dumps(SCRIPT_WORDS)};\n{script}</script>",
        "footer_links": ["api"],
        "run_history": False,
    }
