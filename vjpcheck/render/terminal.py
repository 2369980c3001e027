"""Prints a result, or the reason why there is none, as text or as a line of JSON."""

from __future__ import annotations

import json
import os
import sys
from dataclasses import replace
from typing import Any

from vjpcheck.escaping import visible
from vjpcheck.render.text import as_text
from vjpcheck.result import Result


def print_result(result: Result, where: str, as_json: bool) -> None:
    """Print the result for a Function in the file `where`."""
    if as_json:
        _print({**result.to_json(), "file": where})
    else:
        colour = sys.stdout.isatty() and "NO_COLOR" not in os.environ
        _print(f"{visible(where)}\n{as_text(result, colour)}\n")


def print_error(nothing: Result, where: str, error: str, as_json: bool) -> None:
    """Print why a Function in a file could not be run; `nothing` is a result without outcomes."""
    if as_json:
        _print({**replace(nothing, refusal=error).to_json(), "file": where, "error": error})
    else:
        _print(visible(f"{where}\n{nothing.name}: could not be run. {error}\n"))


def _print(what: dict[str, Any] | str) -> None:
    print(json.dumps(what) if isinstance(what, dict) else what, flush=True)
