"""Grades one submitted notebook: rebuilt, run in a sandbox, judged here."""

from __future__ import annotations

import secrets
import time
from collections.abc import Mapping
from dataclasses import replace

from autograder.check import judge, refused
from autograder.exercises import find
from autograder.grading.assignment import Assignment, Task
from autograder.grading.autograded import compose
from autograder.grading.graded import Graded, GradedCell
from autograder.grading.rebuild import Rebuilt, rebuild
from autograder.grading.sandbox.client import Lost, Session
from autograder.grading.sandbox.sandbox import Sandbox
from autograder.grading.static_scan import flagged
from autograder.grading.submission import CannotRead, HandedIn, cells_of
from autograder.result import CannotRun, Result

STARTS = 3  # a notebook that ends its process is started again, without the cell that did
FOR_A_PERSON = "autograd-in-backward"


def grade_one(assignment: Assignment, handed_in: HandedIn, sandbox: Sandbox) -> Graded:
    """Grade one submission; whatever is wrong with it becomes part of its result.

    It is tried with numbers that it cannot know. Raises SandboxFailed, and then there is no grade.
    """
    start = time.perf_counter()
    seed = secrets.randbits(63)
    try:
        if handed_in.reason:
            raise CannotRead(handed_in.reason)
        rebuilt = rebuild(assignment, cells_of(handed_in.content))
    except CannotRead as refusal:
        rebuilt, reason = rebuild(assignment, []), str(refusal)
        rebuilt = replace(rebuilt, notes=[], cell_notes={})
        results = {task.grade_id: refused(find(task.exercise), reason) for task in assignment.tasks}
        said: dict[int, tuple[str, str]] = {}
    else:
        reason = ""
        results, said = _NotebookRun(rebuilt, sandbox, seed).run()
    given = {cell["source"] for cell in assignment.cells}
    code = (cell["source"] for cell in rebuilt.cells if cell["cell_type"] == "code")
    flag = "" if reason else flagged(source for source in code if source not in given)
    cells = [
        _graded_cell(task, rebuilt, results[task.grade_id], sandbox, seed, flag) for task in assignment.tasks
    ]
    key = assignment.key(handed_in.content + handed_in.reason.encode(), sandbox.level)
    return Graded(
        notebook=assignment.notebook,
        key=key,
        level=sandbox.level,
        cells=tuple(cells),
        text=compose(assignment, rebuilt, cells, results, said, key, sandbox.level, reason),
        reason=reason,
        notes=tuple(rebuilt.notes),
        seconds=time.perf_counter() - start,
    )


def grade_all(
    assignments: Mapping[str, Assignment], handed_in: Mapping[str, HandedIn], sandbox: Sandbox
) -> dict[str, Graded]:
    """Return the grade of each of a student's notebooks, by name; raises SandboxFailed."""
    return {name: grade_one(assignments[name], given, sandbox) for name, given in handed_in.items()}


def _graded_cell(
    task: Task, rebuilt: Rebuilt, result: Result, sandbox: Sandbox, seed: int, flag: str
) -> GradedCell:
    reasons = [
        f"{finding.message} Its points are withheld; please decide."
        for finding in result.findings
        if finding.mistake == FOR_A_PERSON
    ]
    if flag and result.score:
        reasons.append(flag)
    noted = rebuilt.cell_notes.get(task.solution_id or "", "")
    weak = f" {sandbox.level.meaning}" if sandbox.level.weak else ""
    comment = " ".join(
        [*filter(None, [noted, rebuilt.left_out, *reasons]), f"Isolation: {sandbox.level}.{weak}"]
    )
    facts = {**result.to_json(), "isolation": str(sandbox.level), "seed": seed}
    score = min(result.score, task.points)
    return GradedCell(
        task.grade_id, task.solution_id, task.exercise, score, task.points, bool(reasons), comment, facts
    )


class _NotebookRun:
    """Runs the cells in order and judges each exercise where its graded cell stands."""

    def __init__(self, rebuilt: Rebuilt, sandbox: Sandbox, seed: int) -> None:
        self._seed = seed
        self._rebuilt = rebuilt
        self._sandbox = sandbox
        self._results: dict[str, Result] = {}
        self._said: dict[int, tuple[str, str]] = {}
        self._lost: dict[int, str] = {}  # by cell: how it ended the process

    def run(self) -> tuple[dict[str, Result], dict[int, tuple[str, str]]]:
        """Return the results by grade_id, and by cell what it printed and what stopped it."""
        why = ""
        for _ in range(STARTS):
            with self._sandbox.session() as session:
                why = self._run_cells(session)
            if not why:
                break
        for task in self._rebuilt.tasks.values():
            if task.grade_id not in self._results:
                self._results[task.grade_id] = refused(find(task.exercise), why)
        return self._results, self._said

    def _run_cells(self, session: Session) -> str:
        """Run the remaining cells; return why the process ended, or ''."""
        for place, cell in enumerate(self._rebuilt.cells):
            if cell["cell_type"] != "code" or place in self._lost:
                continue
            task = self._rebuilt.tasks.get(place)
            try:
                if task is None:
                    (self._said[place],) = session.run([cell["source"]])
                elif task.grade_id not in self._results:
                    self._results[task.grade_id] = self._judge(session, task)
            except Lost as loss:
                self._lost[place] = str(loss)
                if task is None:
                    self._said[place] = "", str(loss)
                else:
                    self._results[task.grade_id] = refused(find(task.exercise), str(loss))
                return str(loss)
            except CannotRun as refusal:  # a cell whose reply makes no sense
                self._said[place] = "", str(refusal)
        return ""

    def _judge(self, session: Session, task: Task) -> Result:
        exercise = find(task.exercise)
        try:
            probe = session.open(exercise.id, task.expression)
            result = judge(exercise, probe, self._seed)
            return replace(result, printed=probe.printed())
        except Lost:
            raise
        except CannotRun as refusal:
            return refused(exercise, self._reason_for_loss(task) or str(refusal))
        except Exception as error:
            # an honest probe never makes the verdict raise: treat it as tampering
            told = f"The work gives answers that make no sense to the autograder ({type(error).__name__})."
            return refused(exercise, told)

    def _reason_for_loss(self, task: Task) -> str:
        """Return how the work's own cell ended the process, if it did."""
        for place, why in self._lost.items():
            marked = self._rebuilt.cells[place]["metadata"].get("nbgrader", {})
            if marked.get("grade_id") == task.solution_id:
                return why
        return ""
