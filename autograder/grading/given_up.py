"""The grade of a submission that is not judged: 0 points and the reason, without reading the submission."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from autograder.check import refused
from autograder.exercises import find
from autograder.grading.assignment import Assignment
from autograder.grading.autograded import compose, facts_of
from autograder.grading.graded import FOR_INSTRUCTOR, Graded, GradedCell
from autograder.grading.jobs import Job
from autograder.grading.rebuild import rebuild
from autograder.grading.sandbox.levels import Level
from autograder.grading.submission import HandedIn

FOR_A_PERSON = "Please look at the submission and decide on the points."


def give_up(
    assignment: Assignment, handed_in: HandedIn, level: Level, reason: str, ask: bool, seconds: float = 0.0
) -> Graded:
    """Return 0 points for every task, with the reason in a sentence; `ask` leaves them for a person.

    The notebook for autograded/ is the released one: nothing of the submission is in it.
    """
    told = f"{handed_in.remark} {reason}".strip()
    reason = told.encode("utf-8", "replace").decode()  # half of a surrogate pair can be in no file
    rebuilt = replace(rebuild(assignment, []), notes=[], cell_notes={})
    results = {task.grade_id: refused(find(task.exercise), reason) for task in assignment.tasks}
    remark = note_for_the_instructor(level, f"{reason} {FOR_A_PERSON}" if ask else "")
    cells = tuple(
        GradedCell(
            task.grade_id,
            task.solution_id,
            task.exercise,
            0.0,
            task.points,
            ask,
            "",
            remark,
            {**results[task.grade_id].to_json(), "isolation": str(level), FOR_INSTRUCTOR: remark},
        )
        for task in assignment.tasks
    )
    facts = facts_of(assignment, handed_in, cells, level, (), reason)
    return Graded(
        notebook=assignment.notebook,
        facts=facts,
        level=level,
        cells=cells,
        text=compose(assignment, rebuilt, cells, results, {}, facts),
        reason=reason,
        notes=(),
        seconds=seconds,
    )


def note_for_the_instructor(level: Level, reasons: str) -> str:
    """Return what the instructor is told of a cell: the reasons to look at it, and a weak isolation."""
    weak = f"Isolation: {level}. {level.meaning}" if level.weak else ""
    return " ".join(filter(None, [reasons, weak]))


def give_up_all(
    assignments: Mapping[str, Assignment], job: Job, level: Level, reason: str
) -> dict[str, Graded]:
    """Return 0 points for each of a student's notebooks, by name, and leave them for a person."""
    return {
        name: give_up((job.own or assignments)[name], given, level, reason, ask=True)
        for name, given in job.handed_in.items()
    }
