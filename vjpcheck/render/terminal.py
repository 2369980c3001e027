"""Prints a result, or the reason why there is none: as text, as JSON, for a report or for GitHub."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from dataclasses import replace

from vjpcheck.escaping import visible
from vjpcheck.render.as_json import as_json
from vjpcheck.render.markdown import as_annotations, as_markdown
from vjpcheck.render.text import as_text
from vjpcheck.result import Result

# by option: what its help says, and the function from a result and its place to what is printed
FORMATS: dict[str, tuple[str, Callable[[Result, str], str]]] = {
    "json": ("print one JSON object", as_json),
    "markdown": ("print a report for an issue, with code that repeats the finding", as_markdown),
    "github": ("print annotations for a workflow on GitHub", as_annotations),
}


def print_result(result: Result, where: str, how: str | None) -> None:
    """Print the result for work in the file `where`, in one of the FORMATS or as text."""
    if how is not None:
        print(FORMATS[how][1](result, where), flush=True)
        return
    colour = sys.stdout.isatty() and "NO_COLOR" not in os.environ
    print(f"{visible(where)}\n{as_text(result, colour)}\n", flush=True)


def print_error(nothing: Result, where: str, error: str, how: str | None) -> None:
    """Print why work in a file could not be run; `nothing` is a result without outcomes."""
    if how is not None:
        print(FORMATS[how][1](replace(nothing, refusal=error), where), flush=True)
    else:
        print(visible(f"{where}\n{nothing.name}: could not be run. {error}\n"), flush=True)
