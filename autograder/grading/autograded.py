"""Composes the notebook for autograded/, from which nbgrader makes its pages; student text is escaped."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from autograder.grading.assignment import Assignment
from autograder.grading.bounded import PRINTED_AT_MOST, SOURCES_AT_MOST, cut, shown
from autograder.grading.graded import FOR_INSTRUCTOR, METADATA, MIME, GradedCell
from autograder.grading.rebuild import Rebuilt
from autograder.grading.submission import HandedIn
from vjpcheck.escaping import for_html, visible
from vjpcheck.render.html import as_html
from vjpcheck.render.text import as_text
from vjpcheck.result import Result


def compose(
    assignment: Assignment,
    rebuilt: Rebuilt,
    graded: Iterable[GradedCell],
    results: Mapping[str, Result],
    said: Mapping[int, tuple[str, str]],
    facts: Mapping[str, Any],
) -> str:
    """Return the notebook for autograded/ as JSON.

    A graded cell has these outputs: the result as text, HTML and JSON; a remark for the instructor if there
    A graded cell has these outputs: the result as text, HTML and JSON; a remark for the instructor if there
    is one, which the formgrader shows and feedback leaves out; the score, which nbgrader reads as points.
    What other cells printed is plain text. What the student wrote and printed is shown in bounded length;
    submitted/ has all of it.
    """
    by_id = {cell.grade_id: cell for cell in graded}
    cells = []
    left, left_of_source = PRINTED_AT_MOST, SOURCES_AT_MOST
    given = {cell["source"] for cell in assignment.cells}
    for place, cell in enumerate(rebuilt.cells):
        task = rebuilt.tasks.get(place)
        if cell["source"] not in given:
            cell = {**cell, "source": shown(cell["source"], max(0, left_of_source))}
            left_of_source -= len(cell["source"])
        if task is not None:
            outputs = _verdict(by_id[task.grade_id], results[task.grade_id])
        else:
            told = _printed(*said.get(place, ("", "")), left)
            left -= len(told)
            outputs = [{"output_type": "stream", "name": "stdout", "text": told}] if told else []
        cells.append({**cell, "outputs": outputs} if cell["cell_type"] == "code" else cell)
    notebook = {
        "cells": cells,
        "metadata": {**assignment.metadata, METADATA: facts},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    # not indented: the encoder takes three times as long for that
    return json.dumps(notebook, sort_keys=True, ensure_ascii=False) + "\n"


def facts_of(
    assignment: Assignment,
    handed_in: HandedIn,
    graded: Iterable[GradedCell],
    level: str,
    notes: Sequence[str],
    reason: str = "",
) -> dict[str, Any]:
    """Return what is kept of a grading beside its results: see `Graded`."""
    return {
        "key": assignment.key(handed_in.whole, level),
        "content": handed_in.digest,
        "points": assignment.points,
        "asked": [cell.grade_id for cell in graded if cell.needs_person],
        "isolation": str(level),
        "reason": reason,
        "notes": list(notes),
    }


def _verdict(graded: GradedCell, result: Result) -> list[dict[str, Any]]:
    shown = {"text/plain": as_text(result), "text/html": as_html(result), MIME: graded.result}
    points = {"text/plain": repr(graded.score)}
    remark = {
        "output_type": "display_data",
        "data": {
            "text/plain": visible(f"For the instructor: {graded.remark}"),
            "text/html": f"<p><b>For the instructor:</b> {for_html(graded.remark)}</p>",
        },
        "metadata": {METADATA: FOR_INSTRUCTOR},
    }
    return [
        {"output_type": "display_data", "data": shown, "metadata": {}},
        *[remark][: bool(graded.remark)],
        {"output_type": "execute_result", "data": points, "metadata": {}, "execution_count": None},
    ]


def _printed(printed: str, stopped: str, left: int) -> str:
    """Return what a cell printed and what stopped it, in no more characters than are left for all cells."""
    told = f"{printed.rstrip()}\n" if printed.strip() else ""
    told += f"This cell raised an error: {stopped}\n" if stopped else ""
    return visible(cut(told, max(0, left))) if told else ""
