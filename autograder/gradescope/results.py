"""Writes grades in Gradescope's format: the content of results.json."""

import json
from collections.abc import Iterable, Iterator
from typing import Any

from autograder.grading.notebook_grade import CellGrade, NotebookGrade
from autograder.grading.sandbox.levels import Level
from vjpcheck import escaping

PERSON_LOOKS = "A person will look at this exercise."


def results(notebooks: Iterable[NotebookGrade]) -> dict[str, Any]:
    """Return the object for results.json: one test per graded cell, and notes on the whole submission."""
    graded = list(notebooks)
    return {
        "output": "\n".join(_remarks(graded)),
        "output_format": "text",
        "visibility": "visible",
        "stdout_visibility": "hidden",
        "execution_time": round(sum(one.seconds for one in graded)),
        "extra_data": {
            "isolation": [one.level for one in graded],
            "keys": [one.facts["key"] for one in graded],
        },
        "tests": [*(test for one in graded for test in _tests(one)), *_for_instructor(graded)],
    }


def _remarks(graded: list[NotebookGrade]) -> Iterator[str]:
    for one in graded:
        yield from map(escaping.visible, filter(None, [one.reason, *one.notes]))


def _tests(graded: NotebookGrade) -> Iterator[dict[str, Any]]:
    explanations = _explanations(graded.text)
    for number, cell in enumerate(graded.cells, start=1):
        yield {
            "name": cell.exercise,
            "number": str(number),
            "score": cell.score,
            "max_score": cell.max_score,
            "status": "passed" if cell.score >= cell.max_score else "failed",
            "output": _note(cell) + explanations.get(cell.grade_id, ""),
            "output_format": "html",
            "visibility": "visible",
        }


def _for_instructor(graded: list[NotebookGrade]) -> Iterator[dict[str, Any]]:
    """Yield a test without points that Gradescope shows to instructors alone."""
    lines = [f"{cell.exercise}: {cell.remark}" for one in graded for cell in one.cells if cell.remark]
    levels = dict.fromkeys(one.level for one in graded)
    lines += [f"Isolation: {level}. {Level(level).meaning}" for level in levels]
    yield {
        "name": "For the instructor",
        "output": "\n".join(map(escaping.visible, lines)),
        "output_format": "text",
        "visibility": "hidden",
    }


def _note(cell: CellGrade) -> str:
    sentences = [cell.comment, PERSON_LOOKS if cell.needs_person else ""]
    return "".join(f"<p><strong>{escaping.for_html(one)}</strong></p>" for one in sentences if one)


def _explanations(notebook: str) -> dict[str, str]:
    """Return the autograder's explanation of each graded cell as HTML; students' text in it is escaped."""
    explanations = {}
    for cell in json.loads(notebook)["cells"]:
        marked = cell["metadata"].get("nbgrader", {})
        if marked.get("grade"):
            htmls = (
                output["data"]["text/html"] for output in cell["outputs"] if "text/html" in output["data"]
            )
            explanations[marked["grade_id"]] = next(htmls, "")
    return explanations
