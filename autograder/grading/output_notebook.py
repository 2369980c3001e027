"""Composes the notebook for autograded/, from which nbgrader makes its pages; student text is escaped."""

import json
from collections.abc import Iterable, Mapping
from typing import Any

from autograder.grading.assignment import Assignment, Task
from autograder.grading.notebook_grade import FOR_INSTRUCTOR, METADATA, MIME, CellGrade, NotebookGrade
from autograder.grading.output_limits import PRINTED_AT_MOST, SOURCES_AT_MOST, bound_source, cut
from autograder.grading.rebuild import Notebook
from autograder.grading.sandbox.levels import Level
from autograder.grading.submission import Submission
from vjpcheck.escaping import for_html, visible
from vjpcheck.render.html import as_html
from vjpcheck.render.text import as_text
from vjpcheck.result import Result


def graded_cell(
    task: Task,
    result: Result,
    level: Level,
    reasons: str,
    score: float = 0.0,
    needs_person: bool = True,
    comment: str = "",
    **facts: Any,
) -> CellGrade:
    """Return the grade of a cell; the remark has the reasons to look at it, and a weak isolation."""
    weak = f"Isolation: {level}. {level.meaning}" if level.weak else ""
    remark = " ".join(filter(None, [reasons, weak]))
    shown = {**result.to_json(), "isolation": str(level), **facts, FOR_INSTRUCTOR: remark}
    names = task.grade_id, task.solution_id, task.exercise
    return CellGrade(*names, score, task.points, needs_person, comment, remark, shown)


def graded_notebook(
    assignment: Assignment,
    submission: Submission,
    rebuilt: Notebook,
    cells: tuple[CellGrade, ...],
    results: Mapping[str, Result],
    printed: Mapping[int, tuple[str, str]],
    level: Level,
    seconds: float,
    reason: str = "",
    **further: bool,
) -> NotebookGrade:
    """Return the grade of a notebook, with the facts of its grading: see `NotebookGrade`."""
    facts = {
        "key": assignment.key(submission.whole, level),
        "content": submission.digest,
        "points": assignment.points,
        "asked": [cell.grade_id for cell in cells if cell.needs_person],
        "isolation": str(level),
        "reason": reason,
        "notes": list(rebuilt.notes),
        **further,
    }
    text = _composed(assignment, rebuilt, cells, results, printed, facts)
    return NotebookGrade(
        assignment.notebook, facts, level, cells, text, reason, tuple(rebuilt.notes), seconds
    )


def _composed(
    assignment: Assignment,
    rebuilt: Notebook,
    graded: Iterable[CellGrade],
    results: Mapping[str, Result],
    printed: Mapping[int, tuple[str, str]],
    facts: Mapping[str, Any],
) -> str:
    """Return the notebook for autograded/ as JSON.

    A graded cell has these outputs: the result as text, HTML and JSON; a remark for the instructor if there
    is one, which the formgrader shows and feedback leaves out; the score, which nbgrader reads as points.
    The output of other cells is plain text: `printed` has what each cell printed and what stopped it. The
    student's code and output are cut to a bounded length; submitted/ has all of it.
    """
    by_id = {cell.grade_id: cell for cell in graded}
    cells = []
    room, room_for_source = PRINTED_AT_MOST, SOURCES_AT_MOST
    released = {cell["source"] for cell in assignment.cells}
    for place, cell in enumerate(rebuilt.cells):
        task = rebuilt.tasks.get(place)
        if cell["source"] not in released:
            cell = {**cell, "source": bound_source(cell["source"], max(0, room_for_source))}
            room_for_source -= len(cell["source"])
        if task is not None:
            outputs = _verdict(by_id[task.grade_id], results[task.grade_id])
        else:
            output = _printed(*printed.get(place, ("", "")), room)
            room -= len(output)
            outputs = [{"output_type": "stream", "name": "stdout", "text": output}] if output else []
        cells.append({**cell, "outputs": outputs} if cell["cell_type"] == "code" else cell)
    notebook = {
        "cells": cells,
        "metadata": {**assignment.metadata, METADATA: facts},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    # without indent: with it the encoder takes three times as long
    return json.dumps(notebook, sort_keys=True, ensure_ascii=False) + "\n"


def _verdict(graded: CellGrade, result: Result) -> list[dict[str, Any]]:
    data = {"text/plain": as_text(result), "text/html": as_html(result), MIME: graded.result}
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
        {"output_type": "display_data", "data": data, "metadata": {}},
        *[remark][: bool(graded.remark)],
        {"output_type": "execute_result", "data": points, "metadata": {}, "execution_count": None},
    ]


def _printed(printed: str, stopped: str, room: int) -> str:
    """Return what a cell printed and what stopped it, in at most `room` characters."""
    output = f"{printed.rstrip()}\n" if printed.strip() else ""
    output += f"This cell raised an error: {stopped}\n" if stopped else ""
    return visible(cut(output, max(0, room))) if output else ""
