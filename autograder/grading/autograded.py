"""Composes the notebook for autograded/, from which nbgrader makes its pages; student text is escaped."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from autograder.grading.assignment import Assignment
from autograder.grading.graded import METADATA, MIME, GradedCell
from autograder.grading.rebuild import Rebuilt
from autograder.render.html import as_html
from autograder.render.text import as_text
from autograder.result import Result


def compose(
    assignment: Assignment,
    rebuilt: Rebuilt,
    graded: Iterable[GradedCell],
    results: Mapping[str, Result],
    said: Mapping[int, tuple[str, str]],
    key: str,
    level: str,
    reason: str,
) -> str:
    """Return the notebook for autograded/ as JSON.

    A graded cell has two outputs: the result as text, HTML and JSON, then the score, which nbgrader reads as
    points. What other cells printed is plain text.
    """
    by_id = {cell.grade_id: cell for cell in graded}
    cells = []
    for place, cell in enumerate(rebuilt.cells):
        task = rebuilt.tasks.get(place)
        if task is not None:
            outputs = _verdict(by_id[task.grade_id], results[task.grade_id])
        else:
            outputs = list(_printed(*said.get(place, ("", ""))))
        cells.append({**cell, "outputs": outputs} if cell["cell_type"] == "code" else cell)
    facts = {"key": key, "isolation": level, "reason": reason, "notes": rebuilt.notes}
    notebook = {
        "cells": cells,
        "metadata": {**assignment.metadata, METADATA: facts},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    # not indented: the encoder takes three times as long for that
    return json.dumps(notebook, sort_keys=True, ensure_ascii=False) + "\n"


def _verdict(graded: GradedCell, result: Result) -> list[dict[str, Any]]:
    shown = {"text/plain": as_text(result), "text/html": as_html(result), MIME: graded.result}
    points = {"text/plain": repr(graded.score)}
    return [
        {"output_type": "display_data", "data": shown, "metadata": {}},
        {"output_type": "execute_result", "data": points, "metadata": {}, "execution_count": None},
    ]


def _printed(printed: str, stopped: str) -> Iterable[dict[str, Any]]:
    told = f"{printed.rstrip()}\n" if printed.strip() else ""
    told += f"This cell stopped: {stopped}\n" if stopped else ""
    if told:
        yield {"output_type": "stream", "name": "stdout", "text": told}
