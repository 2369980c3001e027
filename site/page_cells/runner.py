"""Runs a reader's cell of a lesson after the cells that it needs: pyodide does so in the page."""

from __future__ import annotations

import ast
import io
import json
import traceback
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from typing import Any

CELL = "<your cell>"
MOST = 20_000  # characters: a cell that prints without end must not fill the page


def run(request: str, write: Callable[[str], object]) -> str:
    """Run the cell of a request, passing on line by line what it prints, and return its outcome.

    The request has in JSON the `imports` of the lesson, the cells `before`, and the `cell`. Each cell before
    has `tries`: the first that raises nothing counts, and the last is the lesson's own. Of a cell that the
    reader may write it has the `name`.

    The outcome has in JSON the names `from_answers` for which the lesson's own code ran; the cell's value as
    `html` or `text`, if it has one; `right`, if the value is a verdict; and `error`, if the cell raised one.
    """
    asked = json.loads(request)
    names: dict[str, Any] = {"__name__": "__main__"}
    with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
        exec(asked["imports"], names)
        tried = [(cell, _first_that_runs(cell["tries"], names)) for cell in asked["before"]]
    outcome: dict[str, Any] = {
        "from_answers": [
            cell["name"] for cell, place in tried if "name" in cell and place == len(cell["tries"]) - 1
        ]
    }
    printed = _Lines(write)
    try:
        with redirect_stdout(printed), redirect_stderr(printed):
            outcome |= _shown(_value(asked["cell"], names))
    except BaseException as error:  # a cell may also raise SystemExit
        outcome["error"] = _told(error, asked["cell"].splitlines())
    printed.flush()
    return json.dumps(outcome)


def _first_that_runs(tries: list[str], names: dict[str, Any]) -> int:
    """Execute the first source that raises nothing and return its place; the last may raise."""
    for place, source in enumerate(tries[:-1]):
        try:
            exec(compile(source, CELL, "exec"), names)
            return place
        except Exception:
            continue
    exec(compile(tries[-1], "<lesson>", "exec"), names)
    return len(tries) - 1


def _value(source: str, names: dict[str, Any]) -> Any:
    """Execute a cell and return the value of its last line, if that is an expression."""
    tree = ast.parse(source, CELL)
    last = tree.body[-1] if tree.body else None
    if not isinstance(last, ast.Expr):
        exec(compile(tree, CELL, "exec"), names)
        return None
    exec(compile(ast.Module(tree.body[:-1], []), CELL, "exec"), names)
    return eval(compile(ast.Expression(last.value), CELL, "eval"), names)


def _shown(value: Any) -> dict[str, Any]:
    if value is None:
        return {}
    shown = {"html": value._repr_html_()} if hasattr(value, "_repr_html_") else {"text": repr(value)}
    return shown | ({"right": value.right} if hasattr(value, "right") else {})


def _told(error: BaseException, source: list[str]) -> dict[str, Any]:
    """Say in a sentence what a cell raised and in which line; then list the reader's lines that led there."""
    if isinstance(error, SyntaxError) and error.filename == CELL:
        places, message = [(error.lineno or 1, "")], error.msg
    else:
        frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename == CELL]
        places = [(f.lineno or 1, "" if f.name == "<module>" else f" in {f.name}") for f in frames]
        message = str(error)
    where = f" in line {places[-1][0]}" if places else ""
    lines = [
        f"line {number}{inside}: {source[number - 1].strip() if number <= len(source) else ''}"
        for number, inside in places
    ]
    return {
        "sentence": f"{type(error).__name__}{where}{': ' if message else ''}{message}",
        "lines": lines if len(lines) <= 10 else [*lines[:5], "…", *lines[-4:]],
    }


class _Lines(io.TextIOBase):
    """Passes on what is printed when a line is complete, up to a limit."""

    def __init__(self, write: Callable[[str], object]) -> None:
        self._write, self._kept, self._left = write, "", MOST

    def write(self, text: str) -> int:
        self._kept += text
        if "\n" in self._kept:
            self.flush()
        return len(text)

    def flush(self) -> None:
        text, self._kept = self._kept, ""
        if text and self._left > 0:
            self._write(text[: self._left] + "\n… The rest is left out." * (len(text) >= self._left))
        self._left -= len(text)
