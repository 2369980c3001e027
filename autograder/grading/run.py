"""Grades a class: who has handed in what, what of it is done, and each student's row."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from sqlalchemy.exc import OperationalError, SQLAlchemyError

from autograder.exercises import family_of
from autograder.grading.assignment import Assignment, WrongAssignment
from autograder.grading.cluster import ClusterPool
from autograder.grading.course import Course, Earlier
from autograder.grading.given_up import give_up_all
from autograder.grading.gradebook import Book, database_message
from autograder.grading.graded import Graded
from autograder.grading.jobs import Job, Outcome
from autograder.grading.late import LatePenalties, PluginFailed
from autograder.grading.standing import Timing, standing, timing
from autograder.grading.submission import HandedIn
from autograder.grading.summary import Row, Summary
from autograder.grading.workers import Pool

OUR_FAULT = (OSError, OperationalError, PluginFailed)  # a full disk, a database that is locked or away
GONE = "The submission is no longer there; its grade stands."


class ClassRun:
    """One run over a class, graded by a pool: iterate over `rows`, as long as you like.

    Raises WrongAssignment if the assignment cannot be graded. `students` restricts the run, `folder` takes
    the submissions from elsewhere than submitted/, and `regrade` grades again what has a grade.
    """

    def __init__(
        self,
        course: Course,
        assignment: str,
        pool: Pool | ClusterPool,
        students: Sequence[str] = (),
        folder: Path | None = None,
        regrade: bool = False,
    ) -> None:
        self._course = course
        self._folder = folder
        self._pool = pool
        self._regrade = regrade
        self._late = LatePenalties(course.app)
        self._book, self._assignments = course.open(assignment)
        self._places, misnamed = course.submissions(assignment, folder)
        self.summary = Summary(assignment, pool.level, () if students else misnamed, self._book.remarks)
        everybody = sorted({*self._places, *self._book.roster()})
        self.students = [s for s in everybody if s in students] if students else everybody
        self.unknown = sorted(set(students) - set(everybody))

    def rows(self) -> Iterator[Row]:
        """Yield the row of each student when it is there; what is finished already comes first."""
        start = time.monotonic()
        with self._book as book:
            waiting = []
            finished, times = book.finished(), timing(book)
            for student in self.students:
                row = self._without_grading(book, student, finished, times)
                if row is None:
                    waiting.append(student)
                else:
                    yield self.summary.add(row)
            for outcome in self._pool.grade(self._assignments, (self._job(student) for student in waiting)):
                yield self.summary.add(self._record(book, outcome))
                self.summary.seconds = time.monotonic() - start
        self.summary.seconds = time.monotonic() - start

    def _without_grading(
        self, book: Book, student: str, finished: set[str], times: Mapping[str, Timing]
    ) -> Row | None:
        """Return the row of a student for whom nothing is to be graded, None for one who is to be graded."""
        if student not in self._places:
            if student not in finished:
                return Row(student, reason="Nothing was handed in.")
            row = self._standing(book, student, list(self._earlier(student).values()))
            return replace(row, notes=(*row.notes, *[GONE][: self._folder is None]), again=True)
        if fault := self._without_variant(student):
            return Row(student, fault=fault)
        if self._regrade or student not in finished:
            return None
        earlier = self._earlier(student)
        job = self._job(student)
        for name, assignment in (job.own or self._assignments).items():
            key = assignment.key(job.handed_in[name].whole, self.summary.level)
            if earlier[name].facts.get("key") != key:
                return None
        return self._done_before(book, student, earlier, times.get(student))

    def _done_before(
        self, book: Book, student: str, earlier: Mapping[str, Earlier], known: Timing | None
    ) -> Row:
        """Return the row of an earlier grade: the due date or the time of the submission may have changed."""
        _, timestamp = self._course.timestamp(self._places[student])
        moved = known is None or (timestamp is not None and timestamp != known.timestamp)
        try:
            if known is None or moved or known.late or known.has_penalty:
                self._late.assign(book, student, timestamp)
        except OUR_FAULT as error:
            return Row(student, fault=_reason_of(error))
        return replace(self._standing(book, student, list(earlier.values())), again=True)

    def _standing(self, book: Book, student: str, earlier: Sequence[Earlier]) -> Row:
        """Return the row that gradebook and autograded/ have: of this run or of an earlier one."""
        found = standing(book, student)
        tasks = [task for assignment in self._assignments.values() for task in assignment.tasks]
        said = [one.facts for one in earlier]
        return Row(
            student,
            found.score,
            found.max_score,
            found.late_penalty,
            tuple(family_of(task.exercise) for task in tasks if task.grade_id in found.undecided),
            " ".join(facts["reason"] for facts in said if facts.get("reason")),
            tuple(note for facts in said for note in facts.get("notes", [])),
            isolation=next((str(facts["isolation"]) for facts in said if "isolation" in facts), ""),
            cells=tuple(cell for one in earlier for cell in one.cells),
        )

    def _earlier(self, student: str) -> dict[str, Earlier]:
        return {
            name: self._course.autograded(student, assignment.name, name)
            for name, assignment in self._assignments.items()
        }

    def _without_variant(self, student: str) -> str:
        """Return why a student's own variant cannot be graded, or ''."""
        try:
            self._course.own(student, self._assignments)
        except WrongAssignment as refusal:
            return str(refusal)
        return ""

    def _job(self, student: str) -> Job:
        given = self._course.own(student, self._assignments)
        own = {} if given is self._assignments else given
        return Job(student, {name: self._hand_in(student, name, given) for name in given}, own)

    def _hand_in(self, student: str, notebook: str, assignments: Mapping[str, Assignment]) -> HandedIn:
        try:
            return self._course.hand_in(self._places[student], self._folder, assignments, notebook)
        except (OSError, ValueError) as error:  # a name that no file can have, say
            return HandedIn(reason=f"What was handed in cannot be read ({type(error).__name__}).")

    def _record(self, book: Book, outcome: Outcome) -> Row:
        """Write the gradebook first and autograded/ then: that a notebook is there says that it is graded."""
        student = outcome.student
        if outcome.fault:
            return Row(student, fault=outcome.fault)
        try:
            return self._written(book, student, outcome.graded)
        except OUR_FAULT as error:
            return Row(student, fault=_reason_of(error))
        except Exception as error:  # something in the grade cannot be written: nothing of it is, then
            why = f"Its grade could not be written ({type(error).__name__})."
        try:
            job = self._job(student)
            return self._written(book, student, give_up_all(self._assignments, job, self.summary.level, why))
        except Exception as error:
            return Row(student, fault=_reason_of(error))

    def _written(self, book: Book, student: str, grades: Mapping[str, Graded]) -> Row:
        stamp, timestamp = self._course.timestamp(self._places[student])
        late = book.record(student, grades, timestamp, self._same_work(student, grades))
        for graded in grades.values():
            self._course.write_autograded(student, graded, stamp, book.assignment)
        if late:
            self._late.assign(book, student, timestamp)
        said = [
            Earlier(graded.facts, tuple({"grade_id": c.grade_id, **c.result} for c in graded.cells))
            for graded in grades.values()
        ]
        return self._standing(book, student, said)

    def _same_work(self, student: str, grades: Mapping[str, Graded]) -> dict[str, Mapping[str, Any]]:
        """Return what was said of each notebook that has been graded before as it is now, by name."""
        earlier = {name: one.facts for name, one in self._earlier(student).items()}
        return {
            name: earlier[name]
            for name, graded in grades.items()
            if earlier[name].get("content") == graded.facts["content"]
        }


def _reason_of(error: Exception) -> str:
    if isinstance(error, PluginFailed):
        return str(error)
    if isinstance(error, SQLAlchemyError):
        return f"The gradebook cannot be written: {database_message(error)}."
    return f"autograded/ cannot be written: {[*str(error).splitlines(), ''][0]}"
