"""Grades a class: finds the submissions, grades those without a current grade, yields a row per student."""

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from sqlalchemy.exc import OperationalError, SQLAlchemyError

from autograder.exercises import family_of
from autograder.grading import exchange
from autograder.grading.assignment import Assignment, WrongAssignment
from autograder.grading.cluster import ClusterPool
from autograder.grading.course import Course, EarlierGrade
from autograder.grading.gradebook import Book, database_message
from autograder.grading.gradebook_queries import Timing, names, timing, totals_of
from autograder.grading.jobs import Job, Outcome
from autograder.grading.late_penalty import LatePenalties, PluginFailed
from autograder.grading.notebook_grade import NotebookGrade
from autograder.grading.refused import reasons
from autograder.grading.submission import Submission
from autograder.grading.summary import Row, Summary
from autograder.grading.workers import Pool
from autograder.grading.zero_grade import give_zeros

OUR_FAULT = (OSError, OperationalError, PluginFailed)  # a full disk, a database that is locked or away
NOTHING = "Nothing was handed in."
NO_LONGER_THERE = "The submission is no longer there; its grade stands."


class ClassRun:
    """One run over a class, graded by a pool: iterate over `rows`, and stop whenever you like.

    Raises WrongAssignment if the assignment cannot be graded. `students` restricts the run, `folder` replaces
    submitted/, and `regrade` grades again submissions that have a grade.
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
        with self._book.session() as db:
            named = names(db)
        remarks = self._book.remarks
        self.summary = Summary(assignment, pool.level, named, () if students else misnamed, remarks)
        self._refused = reasons(assignment) if folder is None else {}
        everybody = sorted({*self._places, *self._book.roster(), *self._refused})
        self.students = [s for s in everybody if s in students] if students else everybody
        self.unknown = sorted(set(students) - set(everybody))

    @property
    def started(self) -> bool:
        """Return whether all workers grade."""
        return self._pool.started

    def rows(self) -> Iterator[Row]:
        """Yield each student's row as soon as it is ready; students with a grade come first."""
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
        """Return the row of a student without new work to grade; None if there is some."""
        if student not in self._places:
            if student not in finished:
                return Row(student, reason=self._refused.get(student, NOTHING))
            row = self._row_of_gradebook(book, student, list(self._earlier(student).values()))
            return replace(row, notes=(*row.notes, *[NO_LONGER_THERE][: self._folder is None]), again=True)
        if fault := self._without_variant(student):
            return Row(student, fault=fault)
        if self._regrade or student not in finished:
            return None
        earlier = self._earlier(student)
        job = self._job(student)
        for name, assignment in (job.own or self._assignments).items():
            key = assignment.key(job.submissions[name].whole, self.summary.level)
            if earlier[name].facts.get("key") != key:
                return None
        return self._row_of_earlier_grade(book, student, earlier, times.get(student))

    def _row_of_earlier_grade(
        self, book: Book, student: str, earlier: Mapping[str, EarlierGrade], times: Timing | None
    ) -> Row:
        """Return the row of an earlier grade; update its penalty, as the due date may have changed."""
        place = self._places[student]
        timestamp = exchange.timestamp(place)
        moved = times is None or (timestamp is not None and timestamp != times.timestamp)
        try:
            exchange.carry(place, self._course.folder("autograded", student, book.assignment))
            if times is None or moved or times.late or times.has_penalty:
                self._late.assign(book, student, timestamp)
        except OUR_FAULT as error:
            return Row(student, fault=_reason_of(error))
        return replace(self._row_of_gradebook(book, student, list(earlier.values())), again=True)

    def _row_of_gradebook(self, book: Book, student: str, earlier: Sequence[EarlierGrade]) -> Row:
        """Return a student's row from the gradebook and autograded/, of this run or an earlier one."""
        totals = totals_of(book, student)
        tasks = [task for assignment in self._assignments.values() for task in assignment.tasks]
        notebooks = [one.facts for one in earlier]
        return Row(
            student,
            totals.score,
            totals.max_score,
            totals.late_penalty,
            tuple(family_of(task.exercise) for task in tasks if task.grade_id in totals.undecided),
            " ".join(facts["reason"] for facts in notebooks if facts.get("reason")),
            tuple(note for facts in notebooks for note in facts.get("notes", [])),
            isolation=next((str(facts["isolation"]) for facts in notebooks if "isolation" in facts), ""),
            cells=tuple(cell for one in earlier for cell in one.cells),
        )

    def _earlier(self, student: str) -> dict[str, EarlierGrade]:
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
        notebooks = self._course.own(student, self._assignments)
        own = {} if notebooks is self._assignments else notebooks
        return Job(student, {name: self._submission(student, name, notebooks) for name in notebooks}, own)

    def _submission(self, student: str, notebook: str, assignments: Mapping[str, Assignment]) -> Submission:
        try:
            return self._course.read_submission(self._places[student], self._folder, assignments, notebook)
        except (OSError, ValueError) as error:  # a name that no file can have, say
            return Submission(reason=f"What was handed in cannot be read ({type(error).__name__}).")

    def _record(self, book: Book, outcome: Outcome) -> Row:
        """Write the gradebook, then autograded/: a notebook there means that its grade is recorded."""
        student = outcome.student
        if outcome.fault:
            return Row(student, fault=outcome.fault)
        try:
            return self._write(book, student, outcome.graded)
        except OUR_FAULT as error:
            return Row(student, fault=_reason_of(error))
        except Exception as error:  # a part of the grade cannot be written, so nothing of it was written
            why = f"Its grade could not be written ({type(error).__name__})."
        try:
            job = self._job(student)
            return self._write(book, student, give_zeros(self._assignments, job, self.summary.level, why))
        except Exception as error:
            return Row(student, fault=_reason_of(error))

    def _write(self, book: Book, student: str, grades: Mapping[str, NotebookGrade]) -> Row:
        place = self._places[student]
        timestamp = exchange.timestamp(place)
        late = book.record(student, grades, timestamp, self._same_work(student, grades))
        for graded in grades.values():
            self._course.write_autograded(student, graded, place, book.assignment)
        if late:
            self._late.assign(book, student, timestamp)
        grade_facts = [
            EarlierGrade(graded.facts, tuple({"grade_id": c.grade_id, **c.result} for c in graded.cells))
            for graded in grades.values()
        ]
        return self._row_of_gradebook(book, student, grade_facts)

    def _same_work(self, student: str, grades: Mapping[str, NotebookGrade]) -> dict[str, Mapping[str, Any]]:
        """Return the earlier facts, by name, of each notebook that was graded before and has not changed."""
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
