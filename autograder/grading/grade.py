"""Grades one submitted notebook: rebuilt, run in a sandbox, judged here."""

from __future__ import annotations

import time
from collections.abc import Mapping

from autograder.check import refused
from autograder.exercises import family_of, find
from autograder.grading.assignment import Assignment, Task
from autograder.grading.autograded import compose, facts_of
from autograder.grading.bounded import bounded, cut
from autograder.grading.given_up import give_up, note_for_the_instructor
from autograder.grading.graded import FOR_INSTRUCTOR, Graded, GradedCell
from autograder.grading.memory import at_most
from autograder.grading.notebook_run import NotebookRun, Ran
from autograder.grading.rebuild import Rebuilt, rebuild
from autograder.grading.sandbox.budget import MIB
from autograder.grading.sandbox.sandbox import Sandbox, SandboxFailed
from autograder.grading.submission import CannotRead, HandedIn, cells_of
from autograder.other_variant import is_of_other_variant

FOR_A_PERSON = "autograd-in-backward"
NEVER_RAN = "Not tried by any check"  # begins what the instructor is told of lines; it takes no points


def grade_one(assignment: Assignment, handed_in: HandedIn, sandbox: Sandbox) -> Graded:
    """Grade one submission; whatever is wrong with it becomes part of its result.

    It is tried with numbers that it cannot know. Raises SandboxFailed, and then there is no grade.
    """
    start = time.perf_counter()
    limit = sandbox.limits.grader_memory
    try:
        if handed_in.reason:
            raise CannotRead(handed_in.reason)
        with at_most(limit):
            return _grade(assignment, handed_in, sandbox, start)
    except SandboxFailed:
        raise
    except CannotRead as refusal:
        reason, ask = str(refusal), False
    except MemoryError:
        reason = f"Judging this submission takes more than {limit // MIB} MB of memory."
        ask = True
    except Exception as error:
        reason = f"The autograder itself failed on this submission with {type(error).__name__}."
        ask = True
    return give_up(assignment, handed_in, sandbox.level, reason, ask, time.perf_counter() - start)


def _grade(assignment: Assignment, handed_in: HandedIn, sandbox: Sandbox, start: float) -> Graded:
    if sandbox.level.weak:  # a submission could leave the numbers behind for the next one
        assignment = assignment.drawn_again()
    rebuilt = rebuild(assignment, cells_of(handed_in.content))
    run = NotebookRun(assignment, rebuilt, sandbox).run()
    results = {grade_id: bounded(result) for grade_id, result in run.results.items()}
    for task in assignment.tasks:
        if why := rebuilt.refused.get(task.solution_id or ""):
            results[task.grade_id] = refused(find(task.exercise), why)
    run = run._replace(results=results)
    first = assignment.tasks[0].solution_id or ""
    if others := [task for task in assignment.tasks if is_of_other_variant(results[task.grade_id])]:
        named = ", ".join(family_of(task.exercise) for task in others)
        rebuilt.notes.append(f"{named}: handed in for another variant of the exercise.")
    for place, why in run.at_limit.items():
        rebuilt.notes.append(f"{_called(rebuilt, place)}: {why}")
    if handed_in.remark:
        rebuilt.notes.insert(0, handed_in.remark)
        noted = rebuilt.cell_notes.get(first)
        rebuilt.cell_notes[first] = f"{noted} {handed_in.remark}" if noted else handed_in.remark
    if rebuilt.left_out:
        rebuilt.cell_notes[first] = " ".join(filter(None, [rebuilt.cell_notes.get(first), rebuilt.left_out]))
    cells = tuple(_graded_cell(task, rebuilt, run, sandbox, assignment.seed) for task in assignment.tasks)
    facts = facts_of(assignment, handed_in, cells, sandbox.level, rebuilt.notes)
    return Graded(
        notebook=assignment.notebook,
        facts=facts,
        level=sandbox.level,
        cells=cells,
        text=compose(assignment, rebuilt, cells, results, run.outputs, facts),
        reason="",
        notes=tuple(rebuilt.notes),
        seconds=time.perf_counter() - start,
    )


def grade_all(
    assignments: Mapping[str, Assignment], handed_in: Mapping[str, HandedIn], sandbox: Sandbox
) -> dict[str, Graded]:
    """Return the grade of each of a student's notebooks, by name; raises SandboxFailed.

    Together they are one submission, and have what the limits give to one.
    """
    with sandbox.submission():
        return {name: grade_one(assignments[name], given, sandbox) for name, given in handed_in.items()}


def _called(rebuilt: Rebuilt, place: int) -> str:
    """Return the name of the exercise that a cell answers or grades."""
    if place in rebuilt.tasks:
        return family_of(rebuilt.tasks[place].exercise)
    return str(rebuilt.cells[place]["metadata"].get("nbgrader", {}).get("grade_id", "an added cell"))


def _graded_cell(task: Task, rebuilt: Rebuilt, run: Ran, sandbox: Sandbox, seed: int) -> GradedCell:
    result = run.results[task.grade_id]
    reasons = [
        f"{finding.message} The points are withheld; please decide."
        for finding in result.findings
        if finding.mistake == FOR_A_PERSON
    ]
    score = min(result.score, task.points)
    withheld = run.withheld.get(task.grade_id)
    if withheld:
        told = f"The work has {score:g} points with {withheld.beyond}, which no exercise needs, and "
        score = min(withheld.score, task.points)
        reasons.append(f"{told}{score:g} points without. The difference is withheld; please decide.")
    reasons += filter(None, [rebuilt.for_a_person.get(task.solution_id or "")])
    comment = cut(rebuilt.cell_notes.get(task.solution_id or "", ""))
    untried = f"{NEVER_RAN}: {'; '.join(result.never_ran)}." if result.never_ran else ""
    remark = note_for_the_instructor(sandbox.level, cut(" ".join(filter(None, [*reasons, untried]))))
    facts = {**result.to_json(), "isolation": str(sandbox.level), "seed": seed, FOR_INSTRUCTOR: remark}
    return GradedCell(
        task.grade_id,
        task.solution_id,
        task.exercise,
        score,
        task.points,
        bool(reasons),
        comment,
        remark,
        facts,
    )
