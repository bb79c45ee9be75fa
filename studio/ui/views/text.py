"""Small pieces of escaped HTML for the panels."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

_WARN = (
    '<svg viewBox="0 0 24 24" width="15" height="15" fill="currentColor" aria-hidden="true">'
    '<path d="M12 3L1.500 21h21zm-1 6.500h2v6h-2zm0 7.500h2v2h-2z"/></svg>'
)


def heading(text: str) -> str:
    return f'<h3 class="sp-heading">{escape(text)}</h3>'


def lead(text: str) -> str:
    return f'<p class="sp-lead">{escape(text)}</p>'


def tip(text: str) -> str:
    return f'<p class="sp-tip">{escape(text)}</p>' if text else ""


def note(text: str) -> str:
    """A sentence to look at, with a shape beside its colour."""
    return f'<p class="sp-note-line">{_WARN}<span>{escape(text)}</span></p>' if text else ""


def facts(rows: Iterable[tuple[str, str]]) -> str:
    """Name and number, one row each."""
    body = "".join(f"<dt>{escape(name)}</dt><dd>{escape(value)}</dd>" for name, value in rows)
    return f'<dl class="sp-facts">{body}</dl>'


def empty(title: str, text: str, picture: str = "") -> str:
    """What will be here: a picture (our own SVG), a line, a sentence."""
    return f'<div class="sp-empty">{picture}<h2>{escape(title)}</h2><p>{escape(text)}</p></div>'


def seconds(value: float) -> str:
    """A rough time as people say it."""
    if value < 90:
        return f"{max(5, round(value / 5) * 5)} s"
    return f"{round(value / 60)} min" if value < 5400 else f"{value / 3600:.1f} h"
