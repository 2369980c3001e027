"""Runs a rebuilt notebook's cells in order, and judges each exercise at its graded cell.

The first run has guards that refuse what course work does not need: see `guards`. If something was refused
and points are missing, a second run has none; a person decides on the points that it adds.
"""

from __future__ import annotations

from collections.abc import Mapping, Set
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from autograder.check import judge, refused
from autograder.exercise import Exercise
from autograder.exercises import find
from autograder.grading.assignment import Assignment, Task
from autograder.grading.rebuild import Notebook
from autograder.grading.sandbox.client import Loss, SandboxProbe, Session, StoppedAtLimit
from autograder.grading.sandbox.sandbox import Sandbox
from autograder.guards.allowed import MayUse
from vjpcheck.result import CannotRun, Result

STARTS = 3  # a notebook that ends its process is started again, without the cell that ended it


class WithheldPoints(NamedTuple):
    """What a task uses that no exercise needs, and the score without it."""

    beyond: str
    score: float


class RunResults(NamedTuple):
    """A notebook's results by grade_id, and by place what cells printed and what stopped them.

    `withheld` has the tasks, by grade_id, that get more points with what the guards refuse. `at_limit`
    has, by place, the limit that stopped a cell.
    """

    results: dict[str, Result]
    outputs: dict[int, tuple[str, str]]
    withheld: dict[str, WithheldPoints]
    at_limit: dict[int, str]


class NotebookRun:
    """One rebuilt notebook in a sandbox."""

    def __init__(self, assignment: Assignment, rebuilt: Notebook, sandbox: Sandbox) -> None:
        self._rebuilt = rebuilt
        self._sandbox = sandbox
        self._seed = assignment.seed
        released = {cell["source"] for cell in assignment.cells}
        self._sources = {
            place: cell["source"]
            for place, cell in enumerate(rebuilt.cells)
            if cell["cell_type"] == "code" and place not in rebuilt.tasks
        }
        self._students = {place for place, source in self._sources.items() if source not in released}
        self._at_limit: dict[int, str] = {}
        self._places = {_grade_id(cell): place for place, cell in enumerate(rebuilt.cells)}

    def run(self) -> RunResults:
        """Judge every task; raises SandboxFailed if no process can be isolated."""
        ran = RunResults({}, {}, {}, self._at_limit)
        refused: dict[str, dict[int, str]] = {}  # by grade_id of a task, and by place
        for may_use, tasks in self._groups().items():
            # the first process runs the remaining cells too, for their output
            end = max(tasks) if ran.outputs else len(self._rebuilt.cells)
            one = self._one_run({p: s for p, s in self._sources.items() if p < end}, tasks, may_use)
            results, outputs = one.run()
            ran.results.update(results)
            ran.outputs.update({place: out for place, out in outputs.items() if place not in ran.outputs})
            for place, task in tasks.items():
                refused[task.grade_id] = {p: what for p, what in one.refused.items() if p <= place}
        lacking = {
            place: task
            for place, task in self._rebuilt.tasks.items()
            if ran.results[task.grade_id].score < task.points and refused[task.grade_id]
        }
        if lacking:
            self._run_without_guards(lacking, refused, ran)
        else:
            _note(refused, ran)
        return ran

    def _run_without_guards(
        self, lacking: Mapping[int, Task], refused: Mapping[str, Mapping[int, str]], ran: RunResults
    ) -> None:
        """Judge tasks with all that they use; what they gain is withheld until a person has decided."""
        results, outputs = self._one_run(self._sources, lacking, None).run()
        ran.outputs.update(outputs)
        for place, task in lacking.items():
            of_task, solution = refused[task.grade_id], self._places.get(task.solution_id)
            own = next((of_task[p] for p in (solution, place) if p is not None and p in of_task), "")
            better = results[task.grade_id].score > ran.results[task.grade_id].score
            if better and not results[task.grade_id].for_a_person:  # else its check withholds the points
                without = ran.results[task.grade_id].score
                beyond = own or next(iter(of_task.values()))
                ran.withheld[task.grade_id] = WithheldPoints(beyond, without)
            if better or own:
                ran.results[task.grade_id] = results[task.grade_id]

    def _one_run(
        self, sources: Mapping[int, str], tasks: Mapping[int, Task], may_use: tuple[MayUse, ...] | None
    ) -> _OneRun:
        guarded = self._students if may_use is not None else set()
        return _OneRun(
            self._rebuilt, self._sandbox, self._seed, sources, tasks, guarded, may_use or (), self._at_limit
        )

    def _groups(self) -> dict[tuple[MayUse, ...], dict[int, Task]]:
        """Return the tasks by what their texts let the work use."""
        groups: dict[tuple[MayUse, ...], dict[int, Task]] = {}
        for place, task in self._rebuilt.tasks.items():
            groups.setdefault(find(task.exercise).may_use, {})[place] = task
        return groups


def _note(refused: Mapping[str, Mapping[int, str]], ran: RunResults) -> None:
    """Add to the output of a cell what of it was not run."""
    for of_task in refused.values():
        for cell, what in of_task.items():
            printed, stopped = ran.outputs.get(cell, ("", ""))
            note = f"Not run, as no exercise needs it: {what}\n"
            if note not in printed and cell in ran.outputs:
                ran.outputs[cell] = printed + note, stopped


@dataclass
class _OneRun:
    """Runs these sources in the places of their cells, and judges some of the tasks.

    `refused` has by place the first of what the guards refused there. `at_limit` is filled in for all
    processes of the notebook; `losses` says by place how a cell ended the process.
    """

    rebuilt: Notebook
    sandbox: Sandbox
    seed: int
    sources: Mapping[int, str]
    tasks: Mapping[int, Task]
    guarded: Set[int]
    may_use: tuple[MayUse, ...]
    at_limit: dict[int, str]
    refused: dict[int, str] = field(default_factory=dict)
    results: dict[str, Result] = field(default_factory=dict)
    outputs: dict[int, tuple[str, str]] = field(default_factory=dict)
    losses: dict[int, str] = field(default_factory=dict)

    def run(self) -> tuple[dict[str, Result], dict[int, tuple[str, str]]]:
        """Return the results by grade_id, and by place what a cell printed and what stopped it."""
        why = ""
        for _ in range(STARTS):
            with self.sandbox.session() as session:
                why = self._run_cells(session)
            if not why:
                break
        for task in self.tasks.values():
            if task.grade_id not in self.results:
                self.results[task.grade_id] = refused(find(task.exercise), why)
        return self.results, self.outputs

    def _run_cells(self, session: Session) -> str:
        """Run the remaining cells; return why the process ended, or ''."""
        for place in sorted([*self.sources, *self.tasks]):
            task = self.tasks.get(place)
            if place in self.losses or (task is None and not self.sources[place].strip()):
                continue
            try:
                if task is None:
                    may_use = self.may_use if place in self.guarded else None
                    (self.outputs[place],) = session.run([self.sources[place]], may_use)
                elif task.grade_id not in self.results:
                    self.results[task.grade_id] = self._judge(session, task)
                if self.guarded and (lines := session.refused()):
                    self.refused.setdefault(place, lines[0])
            except Loss as loss:
                self.losses[place] = str(loss)
                if isinstance(loss, StoppedAtLimit):
                    self.at_limit[place] = str(loss)
                if task is None:
                    self.outputs[place] = "", str(loss)
                else:
                    self.results[task.grade_id] = refused(find(task.exercise), str(loss))
                return str(loss)
            except CannotRun as refusal:  # the reply to a cell is invalid
                self.outputs[place] = "", str(refusal)
        return ""

    def _judge(self, session: Session, task: Task) -> Result:
        exercise = find(task.exercise)
        try:
            probe = _open(session, exercise, task.expression)
            result = judge(exercise, probe, self.seed)
            return replace(result, printed=probe.printed())
        except Loss:
            raise
        except CannotRun as refusal:
            return refused(exercise, self._reason_for_loss(task) or str(refusal))
        except Exception as error:
            # an unchanged probe never makes the verdict raise: treat the error as tampering
            reason = f"The answers of the work to the autograder are invalid ({type(error).__name__})."
            return refused(exercise, reason)

    def _reason_for_loss(self, task: Task) -> str:
        """Return how the task's own solution cell ended the process, or ''."""
        return next(
            (w for p, w in self.losses.items() if _grade_id(self.rebuilt.cells[p]) == task.solution_id), ""
        )


def _open(session: Session, exercise: Exercise, expression: str) -> SandboxProbe:
    """Return a probe of the work; for a variant, try the name of the course's own exercise too.

    The verdict then names what that work computes. Raises CannotRun if there is neither name.
    """
    try:
        return session.open(exercise.subject, expression)
    except Loss:
        raise
    except CannotRun as refusal:
        if exercise.family:
            with suppress(CannotRun):
                return session.open(exercise.subject, find(exercise.family).object_name)
        raise refusal


def _grade_id(cell: Mapping[str, Mapping[str, Mapping[str, str]]]) -> str | None:
    return cell["metadata"].get("nbgrader", {}).get("grade_id")
