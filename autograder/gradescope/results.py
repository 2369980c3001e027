"""Grades in Gradescope's words: the content of results.json."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from html import escape
from typing import Any

from autograder.grading.graded import Graded, GradedCell
from autograder.grading.sandbox.levels import Level


def results(notebooks: Iterable[Graded]) -> dict[str, Any]:
    """Return the object for results.json: one test a graded cell, and what concerns the whole submission."""
    graded = list(notebooks)
    return {
        "output": "\n".join(_said(graded)),
        "output_format": "text",
        "visibility": "visible",
        "stdout_visibility": "hidden",
        "execution_time": round(sum(one.seconds for one in graded)),
        "extra_data": {"isolation": [one.level for one in graded], "keys": [one.key for one in graded]},
        "tests": [test for one in graded for test in _tests(one)],
    }


def _said(graded: list[Graded]) -> Iterator[str]:
    for one in graded:
        yield from filter(None, [one.reason, *one.notes])
    for level in dict.fromkeys(one.level for one in graded):
        yield f"Isolation: {level}. {Level(level).meaning}"


def _tests(graded: Graded) -> Iterator[dict[str, Any]]:
    shown = _shown(graded.text)
    for number, cell in enumerate(graded.cells, start=1):
        yield {
            "name": cell.exercise,
            "number": str(number),
            "score": cell.score,
            "max_score": cell.max_score,
            "status": "passed" if cell.score >= cell.max_score else "failed",
            "output": _note(cell) + shown.get(cell.grade_id, ""),
            "output_format": "html",
            "visibility": "visible",
        }


def _note(cell: GradedCell) -> str:
    return f"<p><strong>{escape(cell.comment)}</strong></p>" if cell.needs_person else ""


def _shown(notebook: str) -> dict[str, str]:
    """Return the autograder's explanation of each graded cell as HTML; what is a student's is escaped."""
    shown = {}
    for cell in json.loads(notebook)["cells"]:
        marked = cell["metadata"].get("nbgrader", {})
        if marked.get("grade"):
            found = (
                output["data"]["text/html"] for output in cell["outputs"] if "text/html" in output["data"]
            )
            shown[marked["grade_id"]] = next(found, "")
    return shown
