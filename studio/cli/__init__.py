"""The command line: the same flow and the same tasks as the page, done at once in this process."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence

from .parser import build_parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command. Progress goes to stderr, the result to stdout; see `EXIT_CODES`."""
    options = build_parser().parse_args(arguments)
    from pipelines.errors import Cancelled, MissingWeightsError, UserError

    from .commands import COMMANDS

    try:
        result, text = COMMANDS[options.command](options)
    except MissingWeightsError as error:
        print(error, file=sys.stderr)
        return 4
    except UserError as error:
        print(error, file=sys.stderr)
        return 3
    except (Cancelled, KeyboardInterrupt):
        print("Stopped; what was finished is kept.", file=sys.stderr)
        return 5
    print(json.dumps(result, indent=1, default=str) if options.json else text)
    return 0
