"""Grades one submitted notebook: rebuilt, run in a sandbox, judged here."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import replace

from autograder.exercises import find
from autograder.feedback import judge, refused
from autograder.grading import notebook
from autograder.grading.ahead import Script
from autograder.grading.assignment import Assignment, Task
from autograder.grading.graded import Graded, GradedCell
from autograder.grading.rebuild import Rebuilt, rebuild
from autograder.grading.sandbox import Sandbox
from autograder.grading.session import Lost, Session
from autograder.grading.submitted import CannotRead, HandedIn, cells_of
from autograder.grading.suspicion import suspicion
from autograder.result import CannotRun, Result

STARTS = 3  # a notebook that ends its process is started again without what ended it
FOR_A_PERSON = "autograd-in-backward"


def grade_one(
    assignment: Assignment,
    handed_in: HandedIn,
    sandbox: Sandbox,
    seed: int,
    scripts: Mapping[str, Script] | None = None,
) -> Graded:
    """Grade one submission; whatever is wrong with it is its result.

    It is tried with the numbers of a seed that it cannot know. `scripts` says by grade_id what right work is
    asked with this seed. Raises SandboxFailed, and nothing else, where the fault is ours: then there is no
    grade.
    """
    start = time.perf_counter()
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
        results, said = _Trial(rebuilt, sandbox, seed, scripts or {}).run()
    given = {cell["source"] for cell in assignment.cells}
    code = (cell["source"] for cell in rebuilt.cells if cell["cell_type"] == "code")
    doubt = "" if reason else suspicion(source for source in code if source not in given)
    cells = [
        _graded_cell(task, rebuilt, results[task.grade_id], sandbox, seed, doubt) for task in assignment.tasks
    ]
    key = assignment.key(handed_in.content + handed_in.reason.encode(), sandbox.level)
    return Graded(
        notebook=assignment.notebook,
        key=key,
        level=sandbox.level,
        cells=tuple(cells),
        text=notebook.compose(assignment, rebuilt, cells, results, said, key, sandbox.level, reason),
        reason=reason,
        notes=tuple(rebuilt.notes),
        seconds=time.perf_counter() - start,
    )


def _graded_cell(
    task: Task, rebuilt: Rebuilt, result: Result, sandbox: Sandbox, seed: int, doubt: str
) -> GradedCell:
    reasons = [
        f"{finding.message} Its points are withheld; please decide."
        for finding in result.findings
        if finding.mistake == FOR_A_PERSON
    ]
    if doubt and result.score:  # where points are at stake
        reasons.append(doubt)
    noted = rebuilt.cell_notes.get(task.solution_id or "", "")
    weak = f" {sandbox.level.told}" if sandbox.level.weak else ""
    comment = " ".join(
        [*filter(None, [noted, rebuilt.left_out, *reasons]), f"Isolation: {sandbox.level}.{weak}"]
    )
    facts = {**result.to_json(), "isolation": str(sandbox.level), "seed": seed}
    score = min(result.score, task.points)
    return GradedCell(
        task.grade_id, task.solution_id, task.exercise, score, task.points, bool(reasons), comment, facts
    )


class _Trial:
    """Runs the cells in their order and judges each piece of work where its graded cell stands."""

    def __init__(self, rebuilt: Rebuilt, sandbox: Sandbox, seed: int, scripts: Mapping[str, Script]) -> None:
        self._seed = seed
        self._scripts = scripts
        self._rebuilt = rebuilt
        self._sandbox = sandbox
        self._results: dict[str, Result] = {}
        self._said: dict[int, tuple[str, str]] = {}
        self._lost: dict[int, str] = {}  # where the process ended, and how

    def run(self) -> tuple[dict[str, Result], dict[int, tuple[str, str]]]:
        """Return the results by grade_id, and by cell what it printed and what stopped it."""
        why = ""
        for _ in range(STARTS):
            with self._sandbox.session() as session:
                why = self._walk(session)
            if not why:
                break
        for task in self._rebuilt.tasks.values():
            if task.grade_id not in self._results:
                self._results[task.grade_id] = refused(find(task.exercise), why)
        return self._results, self._said

    def _walk(self, session: Session) -> str:
        """Go through the cells as far as the process lives; return why it does not, or ''."""
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
            except CannotRun as refusal:  # a cell whose answer is no answer
                self._said[place] = "", str(refusal)
        return ""

    def _judge(self, session: Session, task: Task) -> Result:
        exercise = find(task.exercise)
        try:
            probe = session.open(exercise.id, task.expression, self._scripts.get(task.grade_id))
            result = judge(exercise, probe, self._seed)
            return replace(result, printed=probe.printed())
        except Lost:
            raise
        except CannotRun as refusal:
            return refused(exercise, self._how_it_was_lost(task) or str(refusal))
        except Exception as error:
            # the verdict trips over nothing that an honest probe sends: the work has tampered with its own
            told = f"The work gives answers that make no sense to the autograder ({type(error).__name__})."
            return refused(exercise, told)

    def _how_it_was_lost(self, task: Task) -> str:
        """Return why the work is missing, if its own cell ended the process."""
        for place, why in self._lost.items():
            marked = self._rebuilt.cells[place]["metadata"].get("nbgrader", {})
            if marked.get("grade_id") == task.solution_id:
                return why
        return ""
