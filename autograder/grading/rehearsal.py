"""Goes through an assignment with the instructor's own solutions, to learn what right work will be asked."""

from __future__ import annotations

from contextlib import suppress

from autograder.exercises import find
from autograder.grading.ahead import Script
from autograder.grading.assignment import Assignment
from autograder.grading.sandbox import Sandbox
from autograder.grading.session import Session
from autograder.result import CannotRun


def rehearse(assignment: Assignment, sandbox: Sandbox, seed: int) -> dict[str, Script]:
    """Return a script for each graded cell by its grade_id: what is asked of the solution, check by check.

    Only requests are kept, and they follow from the seed. A solution that fails has a shorter script.
    """
    scripts = {task.grade_id: Script() for task in assignment.tasks}
    by_place = {task.cell: task for task in assignment.tasks}
    with suppress(CannotRun), sandbox.session() as session:
        for place, cell in enumerate(assignment.cells):
            task = by_place.get(place)
            if task is not None:
                with suppress(Exception):  # whatever it is, it costs time and no grade
                    _record(session, task.exercise, task.expression, seed, scripts[task.grade_id])
            elif cell["cell_type"] == "code":
                session.run([cell["source"]])
    return scripts


def _record(session: Session, exercise_id: str, expression: str, seed: int, script: Script) -> None:
    probe = session.open(exercise_id, expression, record=script)
    for _ in find(exercise_id).judge(probe, seed):
        script.end_section()
