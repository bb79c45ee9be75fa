"""The one place that turns our errors into the page's."""

from __future__ import annotations

import functools
import logging
from collections.abc import Callable
from html import escape
from typing import ParamSpec, TypeVar

import gradio as gr

from pipelines.errors import UserError

from .words import WORDS

P = ParamSpec("P")
R = TypeVar("R")
log = logging.getLogger(__name__)


def friendly(handler: Callable[P, R]) -> Callable[P, R]:
    """Shows a `UserError` as it is written. Anything else is a bug: its traceback goes to the log, the artist gets
    one general sentence, and no path or internal text reaches the page."""

    @functools.wraps(handler)
    def handled(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return handler(*args, **kwargs)
        except gr.Error:
            raise
        except UserError as error:
            # The page renders the text as HTML: a name with angle brackets must stay text.
            raise gr.Error(
                escape(str(error), quote=False), title=WORDS["not_yet"], duration=12, print_exception=False
            ) from error
        except Exception as error:
            log.exception("%s failed", handler.__qualname__)
            raise gr.Error(WORDS["bug"], title=WORDS["sorry"], print_exception=False) from error

    return handled
