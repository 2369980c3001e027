"""Makes the grade of a submission that is not judged: the reason, and 0 points until a person decides."""

from collections.abc import Mapping
from dataclasses import replace

from autograder.check import refused
from autograder.exercises import find
from autograder.grading.assignment import Assignment
from autograder.grading.jobs import Job
from autograder.grading.notebook_grade import NotebookGrade
from autograder.grading.output_notebook import graded_cell, graded_notebook
from autograder.grading.rebuild import rebuild
from autograder.grading.sandbox.levels import Level
from autograder.grading.submission import Submission

FOR_A_PERSON = "Please look at the submission and decide on the points."


def give_zero(
    assignment: Assignment,
    submission: Submission,
    level: Level,
    reason: str,
    unread: bool = False,
    seconds: float = 0.0,
) -> NotebookGrade:
    """Return 0 points for every task, with the reason in a sentence, and leave the points to a person.

    The notebook for autograded/ is the released one. The submission is not read; `unread` notes that it
    cannot be.
    """
    sentence = f"{submission.remark} {reason}".strip()
    reason = sentence.encode("utf-8", "replace").decode()  # no file can have half of a surrogate pair
    rebuilt = replace(rebuild(assignment, []), notes=[], cell_notes={})
    results = {task.grade_id: refused(find(task.exercise), reason) for task in assignment.tasks}
    cells = tuple(
        graded_cell(task, results[task.grade_id], level, f"{reason} {FOR_A_PERSON}")
        for task in assignment.tasks
    )
    return graded_notebook(
        assignment, submission, rebuilt, cells, results, {}, level, seconds, reason, unread=unread
    )


def give_zeros(
    assignments: Mapping[str, Assignment], job: Job, level: Level, reason: str
) -> dict[str, NotebookGrade]:
    """Return 0 points for each of a student's notebooks, by name, and leave the points to a person."""
    return {
        name: give_zero((job.own or assignments)[name], submission, level, reason)
        for name, submission in job.submissions.items()
    }
