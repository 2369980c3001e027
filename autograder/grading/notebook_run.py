"""Runs a rebuilt notebook's cells in order, and judges each exercise at its graded cell.

The first run leaves out code that course work does not need: see `review`. If something was left out and
points are missing, a second run has all code; a person decides on the points that it adds.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from autograder.check import judge, refused
from autograder.exercise import Exercise
from autograder.exercises import find
from autograder.grading.assignment import Assignment, Task
from autograder.grading.rebuild import Notebook
from autograder.grading.review.review import Review
from autograder.grading.sandbox.client import Loss, SandboxProbe, Session, StoppedAtLimit
from autograder.grading.sandbox.sandbox import Sandbox
from vjpcheck.result import CannotRun, Result

STARTS = 3  # a notebook that ends its process is started again, without the cell that ended it


class WithheldPoints(NamedTuple):
    """A description of code that a task uses but no exercise needs, and the score without that code."""

    beyond: str
    score: float


class RunResults(NamedTuple):
    """A notebook's results by grade_id, and by place what cells printed and what stopped them.

    `withheld` has the tasks, by grade_id, that get more points with code that no exercise needs. `at_limit`
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
        students = {place: source for place, source in self._sources.items() if source not in released}
        self._students = list(students)
        instructors = (source for place, source in self._sources.items() if place not in students)
        self._review = Review(instructors, students)
        self._at_limit: dict[int, str] = {}
        self._places = {_grade_id(cell): place for place, cell in enumerate(rebuilt.cells)}
        # by grade_id of a task: the cells before it that are not run as a whole, and the part left out
        self._omissions = {
            task.grade_id: {
                cell: trimmed.beyond
                for cell in self._students
                if cell < place and (trimmed := self._review.trimmed(cell, find(task.exercise))).beyond
            }
            for place, task in rebuilt.tasks.items()
        }

    def run(self) -> RunResults:
        """Judge every task; raises SandboxFailed if no process can be isolated."""
        ran = RunResults({}, {}, {}, self._at_limit)
        for group in self._groups():
            results, outputs = self._one_run(group.sources, group.tasks).run()
            ran.results.update(results)
            ran.outputs.update(
                {place: output for place, output in outputs.items() if place not in ran.outputs}
            )
        lacking = {
            place: task
            for place, task in self._rebuilt.tasks.items()
            if ran.results[task.grade_id].score < task.points and self._omissions[task.grade_id]
        }
        if not lacking:
            self._note_omissions(ran)
            return ran
        results, outputs = self._one_run(self._sources, lacking).run()
        ran.outputs.update(outputs)
        for task in lacking.values():
            better = results[task.grade_id].score > ran.results[task.grade_id].score
            if better and not results[task.grade_id].for_a_person:  # else its check withholds the points
                without = ran.results[task.grade_id].score
                ran.withheld[task.grade_id] = WithheldPoints(self._beyond(task), without)
            if better or self._places.get(task.solution_id) in self._omissions[task.grade_id]:
                ran.results[task.grade_id] = results[task.grade_id]
        return ran

    def _one_run(self, sources: Mapping[int, str], tasks: Mapping[int, Task]) -> _OneRun:
        return _OneRun(self._rebuilt, self._sandbox, self._seed, sources, tasks, self._at_limit)

    def _groups(self) -> list[_Group]:
        """Return the tasks in groups; those of a group have the same parts of cells left out before them."""
        groups: list[_Group] = []
        for place, task in self._rebuilt.tasks.items():
            exercise = find(task.exercise)
            before = [cell for cell in self._students if cell < place]
            trimmed = {cell: self._review.trimmed(cell, exercise).source for cell in before}
            fitting = (
                g for g in groups if all(g.sources.get(c, text) == text for c, text in trimmed.items())
            )
            group = next(fitting, None)
            if group is None:
                group = _Group()
                groups.append(group)
            group.sources.update(trimmed)
            group.tasks[place] = task
        for number, group in enumerate(groups):
            # the first process runs the remaining cells too, for their output
            end = max(group.tasks) if number else len(self._rebuilt.cells)
            group.sources = {
                cell: group.sources.get(cell, source) for cell, source in self._sources.items() if cell < end
            }
        return groups

    def _beyond(self, task: Task) -> str:
        """Return a description of the code left out before a task, of its own cell if there is any."""
        omissions = self._omissions[task.grade_id]
        solution = self._places.get(task.solution_id)
        return omissions[solution] if solution in omissions else next(iter(omissions.values()))

    def _note_omissions(self, ran: RunResults) -> None:
        for omissions in self._omissions.values():
            for cell, beyond in omissions.items():
                printed, stopped = ran.outputs.get(cell, ("", ""))
                note = f"Not run, as no exercise needs it: {beyond}\n"
                if note not in printed:
                    ran.outputs[cell] = printed + note, stopped


@dataclass
class _Group:
    """Tasks that are judged in one process, and the sources of the cells that run there."""

    sources: dict[int, str] = field(default_factory=dict)
    tasks: dict[int, Task] = field(default_factory=dict)


class _OneRun:
    """Runs these sources in the places of their cells, and judges some of the tasks."""

    def __init__(
        self,
        rebuilt: Notebook,
        sandbox: Sandbox,
        seed: int,
        sources: Mapping[int, str],
        tasks: Mapping[int, Task],
        at_limit: dict[int, str],
    ) -> None:
        self._seed = seed
        self._rebuilt = rebuilt
        self._sandbox = sandbox
        self._sources = sources
        self._tasks = tasks
        self._at_limit = at_limit  # filled in for all processes of the notebook
        self._results: dict[str, Result] = {}
        self._outputs: dict[int, tuple[str, str]] = {}
        self._losses: dict[int, str] = {}  # by cell: how it ended the process

    def run(self) -> tuple[dict[str, Result], dict[int, tuple[str, str]]]:
        """Return the results by grade_id, and by place what a cell printed and what stopped it."""
        why = ""
        for _ in range(STARTS):
            with self._sandbox.session() as session:
                why = self._run_cells(session)
            if not why:
                break
        for task in self._tasks.values():
            if task.grade_id not in self._results:
                self._results[task.grade_id] = refused(find(task.exercise), why)
        return self._results, self._outputs

    def _run_cells(self, session: Session) -> str:
        """Run the remaining cells; return why the process ended, or ''."""
        for place in sorted([*self._sources, *self._tasks]):
            task = self._tasks.get(place)
            if place in self._losses or (task is None and not self._sources[place].strip()):
                continue
            try:
                if task is None:
                    (self._outputs[place],) = session.run([self._sources[place]])
                elif task.grade_id not in self._results:
                    self._results[task.grade_id] = self._judge(session, task)
            except Loss as loss:
                self._losses[place] = str(loss)
                if isinstance(loss, StoppedAtLimit):
                    self._at_limit[place] = str(loss)
                if task is None:
                    self._outputs[place] = "", str(loss)
                else:
                    self._results[task.grade_id] = refused(find(task.exercise), str(loss))
                return str(loss)
            except CannotRun as refusal:  # the reply to a cell is invalid
                self._outputs[place] = "", str(refusal)
        return ""

    def _judge(self, session: Session, task: Task) -> Result:
        exercise = find(task.exercise)
        try:
            probe = _open(session, exercise, task.expression)
            result = judge(exercise, probe, self._seed)
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
            (w for p, w in self._losses.items() if _grade_id(self._rebuilt.cells[p]) == task.solution_id), ""
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
