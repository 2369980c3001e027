"""Grades one submitted notebook: rebuilt, run in a sandbox, judged here."""

import time
from collections.abc import Mapping, Sequence

from autograder.check import refused
from autograder.exercises import FAMILIES, family_of, find
from autograder.grading.assignment import GRADED, Assignment, Task
from autograder.grading.memory import at_most
from autograder.grading.notebook_grade import CellGrade, NotebookGrade
from autograder.grading.notebook_run import NotebookRun, RunResults
from autograder.grading.output_limits import bound_result, cut
from autograder.grading.output_notebook import graded_cell, graded_notebook
from autograder.grading.rebuild import Notebook, rebuild
from autograder.grading.sandbox.budget import MIB
from autograder.grading.sandbox.sandbox import Sandbox, SandboxFailed
from autograder.grading.signatures import defines
from autograder.grading.submission import CannotRead, Cell, Submission, cells_of
from autograder.grading.zero_grade import give_zero
from autograder.other_variant import handed_in_for_other, is_of_other_variant
from vjpcheck.result import Result

FOR_A_PERSON = "autograd-in-backward"
FOR_OTHER = "handed in for another variant of the exercise."
NEVER_RAN = "Not tried by any check"  # begins the instructor's note on lines; it takes no points


def grade_one(assignment: Assignment, submission: Submission, sandbox: Sandbox) -> NotebookGrade:
    """Grade one submission; an error of the submission becomes part of its result.

    The submission is tried with numbers that it cannot know. Raises SandboxFailed; then there is no grade.
    """
    start = time.perf_counter()
    limit, unread = sandbox.limits.grader_memory, False
    try:
        if submission.reason:
            raise CannotRead(submission.reason)
        with at_most(limit):
            return _grade(assignment, submission, sandbox, start)
    except SandboxFailed:
        raise
    except CannotRead as refusal:
        reason, unread = str(refusal), True
    except MemoryError:
        reason = f"Judging this submission takes more than {limit // MIB} MB of memory."
    except Exception as error:
        reason = f"The autograder itself failed on this submission with {type(error).__name__}."
    return give_zero(assignment, submission, sandbox.level, reason, unread, time.perf_counter() - start)


def _grade(assignment: Assignment, submission: Submission, sandbox: Sandbox, start: float) -> NotebookGrade:
    if sandbox.level.weak:  # a submission could store the numbers for the next one
        assignment = assignment.drawn_again()
    submitted = cells_of(submission.content)
    rebuilt = rebuild(assignment, submitted)
    run = NotebookRun(assignment, rebuilt, sandbox).run()
    results = {grade_id: bound_result(result) for grade_id, result in run.results.items()}
    for task in assignment.tasks:
        if why := rebuilt.refused.get(task.solution_id or ""):
            results[task.grade_id] = refused(find(task.exercise), why)
        elif other := _other_variant(task, submitted, results[task.grade_id]):
            results[task.grade_id] = refused(find(task.exercise), other)
    run = run._replace(results=results)
    first = assignment.tasks[0].solution_id or ""
    if mismatched := [task for task in assignment.tasks if is_of_other_variant(results[task.grade_id])]:
        named = ", ".join(family_of(task.exercise) for task in mismatched)
        rebuilt.notes.append(f"{named}: {FOR_OTHER}")
    for place, why in run.at_limit.items():
        rebuilt.notes.append(f"{_called(rebuilt, place)}: {why}")
    if submission.remark:
        rebuilt.notes.insert(0, submission.remark)
        noted = rebuilt.cell_notes.get(first)
        rebuilt.cell_notes[first] = f"{noted} {submission.remark}" if noted else submission.remark
    if rebuilt.left_out:
        rebuilt.cell_notes[first] = " ".join(filter(None, [rebuilt.cell_notes.get(first), rebuilt.left_out]))
    cells = tuple(_graded_cell(task, rebuilt, run, sandbox, assignment.seed) for task in assignment.tasks)
    seconds = time.perf_counter() - start
    return graded_notebook(
        assignment, submission, rebuilt, cells, results, run.outputs, sandbox.level, seconds
    )


def _other_variant(task: Task, submitted: Sequence[Cell], result: Result) -> str:
    """Return in a sentence that wrong work was handed in for another variant, or ''.

    A name that the work defines shows it, or the graded cell that the student received.
    """
    exercise, family = find(task.exercise), FAMILIES.get(family_of(task.exercise))
    if family is None or result.score >= task.points or is_of_other_variant(result):
        return ""
    code = [cell.source for cell in submitted if cell.kind == "code"]
    own, names = exercise.object_name, (family.work_name, family.shipped.object_name)
    defined = [name for name in names if any(defines(source, name) for source in code)]
    if defined and own not in defined:
        return handed_in_for_other(exercise, f"it defines {defined[0]}, and no {own}")
    received = [id_ for source in code for id_ in GRADED.findall(source) if family_of(id_) == family.id]
    if received and task.exercise not in received:
        return handed_in_for_other(exercise, f"its graded cell names {received[0]}")
    return ""


def grade_all(
    assignments: Mapping[str, Assignment], submissions: Mapping[str, Submission], sandbox: Sandbox
) -> dict[str, NotebookGrade]:
    """Return the grade of each of a student's notebooks, by name; raises SandboxFailed.

    Together they count as one submission and share its limits.
    """
    with sandbox.submission():
        return {name: grade_one(assignments[name], one, sandbox) for name, one in submissions.items()}


def _called(rebuilt: Notebook, place: int) -> str:
    """Return the name of the exercise that a cell answers or grades."""
    if place in rebuilt.tasks:
        return family_of(rebuilt.tasks[place].exercise)
    return str(rebuilt.cells[place]["metadata"].get("nbgrader", {}).get("grade_id", "an added cell"))


def _graded_cell(task: Task, rebuilt: Notebook, run: RunResults, sandbox: Sandbox, seed: int) -> CellGrade:
    result = run.results[task.grade_id]
    reasons = [
        f"{finding.message} The points are withheld; please decide."
        for finding in result.findings
        if finding.mistake == FOR_A_PERSON
    ]
    score = min(result.score, task.points)
    reasons += [f"It was {FOR_OTHER} Please decide."] if is_of_other_variant(result) else []
    withheld = run.withheld.get(task.grade_id)
    if withheld:
        sentence = f"The work has {score:g} points with {withheld.beyond}, which no exercise needs, and "
        score = min(withheld.score, task.points)
        reasons.append(f"{sentence}{score:g} points without. The difference is withheld; please decide.")
    reasons += filter(None, [rebuilt.for_a_person.get(task.solution_id or "")])
    comment = cut(rebuilt.cell_notes.get(task.solution_id or "", ""))
    untried = f"{NEVER_RAN}: {'; '.join(result.never_ran)}." if result.never_ran else ""
    noted = cut(" ".join(filter(None, [*reasons, untried])))
    return graded_cell(task, result, sandbox.level, noted, score, bool(reasons), comment, seed=seed)
