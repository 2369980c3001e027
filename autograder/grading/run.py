"""Grades a class: who has handed in what, what of it is done, and each student's row."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from nbformat.v4 import new_notebook
from nbgrader.preprocessors import AssignLatePenalties
from sqlalchemy.exc import SQLAlchemyError

from autograder.grading.cluster import ClusterPool
from autograder.grading.course import Course
from autograder.grading.gradebook import Book
from autograder.grading.sandbox.levels import Level
from autograder.grading.workers import Job, Outcome, Pool


@dataclass(frozen=True)
class Row:
    """What a student gets: a score (and a reason why it is 0, if nothing could be run), or only a reason.

    `again` says that the grade is from an earlier run. `fault` is ours: the next run tries once more.
    """

    student: str
    score: float | None = None
    max_score: float = 0.0
    needs_person: tuple[str, ...] = ()
    reason: str = ""
    fault: str = ""
    again: bool = False
    isolation: str = ""
    cells: tuple[dict[str, Any], ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Return the row as the object that `autograder grade --json` prints."""
        return {**vars(self), "needs_person": list(self.needs_person), "cells": list(self.cells)}


@dataclass
class Summary:
    """The rows of a run, and how long it took."""

    assignment: str
    level: Level
    rows: list[Row] = field(default_factory=list)
    seconds: float = 0.0


class ClassRun:
    """One run over a class, graded by a pool: iterate over `rows`, as long as you like.

    Raises WrongAssignment if the assignment cannot be graded. `students` restricts the run, and `folder`
    takes the submissions from elsewhere than submitted/.
    """

    def __init__(
        self,
        course: Course,
        assignment: str,
        pool: Pool | ClusterPool,
        students: Sequence[str] = (),
        folder: Path | None = None,
    ) -> None:
        self._course = course
        self._folder = folder
        self._pool = pool
        self._book, self._assignments = course.open(assignment)
        self._places = course.submissions(assignment, folder)
        self.summary = Summary(assignment, pool.level)
        everybody = sorted({*self._places, *self._book.roster()})
        self.students = [s for s in everybody if s in students] if students else everybody
        self.unknown = sorted(set(students) - set(everybody))

    def rows(self) -> Iterator[Row]:
        """Yield the row of each student when it is there; what is finished already comes first."""
        start = time.monotonic()
        with self._book as book:
            waiting = []
            finished = book.finished()
            for student in self.students:
                if student not in self._places:
                    yield self._add(Row(student, reason="Nothing was handed in."))
                elif student in finished and self._is_current(student):
                    yield self._add(Row(student, again=True, reason="", **self._known(book, student)))
                else:
                    waiting.append(student)
            for outcome in self._pool.grade(self._assignments, (self._job(student) for student in waiting)):
                yield self._add(self._record(book, outcome))
                self.summary.seconds = time.monotonic() - start
        self.summary.seconds = time.monotonic() - start

    def _add(self, row: Row) -> Row:
        self.summary.rows.append(row)
        return row

    def _job(self, student: str) -> Job:
        place = self._places[student]
        return Job(
            student, {name: self._course.hand_in(place, self._folder, name) for name in self._assignments}
        )

    def _is_current(self, student: str) -> bool:
        """Return whether autograded/ has the grade of these very bytes, checks and isolation."""
        job = self._job(student)
        for name, assignment in self._assignments.items():
            given = job.handed_in[name]
            key = assignment.key(given.content + given.reason.encode(), self.summary.level)
            if self._course.autograded_key(student, assignment.name, name) != key:
                return False
        return True

    def _known(self, book: Book, student: str) -> dict[str, Any]:
        score, max_score, undecided = book.standing(student)
        return {"score": score, "max_score": max_score, "needs_person": undecided}

    def _record(self, book: Book, outcome: Outcome) -> Row:
        """Write the gradebook first and autograded/ last: that a notebook is there says that all is done."""
        student = outcome.student
        if outcome.fault:
            return Row(student, fault=outcome.fault)
        stamp, timestamp = self._course.timestamp(self._places[student])
        try:
            book.record(student, outcome.graded, timestamp)
            _assign_penalty(self._course, book, student, list(outcome.graded))
            for graded in outcome.graded.values():
                self._course.write_autograded(student, graded, stamp, book.assignment)
        except SQLAlchemyError as error:
            return Row(student, fault=f"The gradebook cannot be written: {str(error).splitlines()[0]}")
        except OSError as error:
            return Row(student, fault=f"autograded/ cannot be written: {error}")
        notebooks = outcome.graded.values()
        cells = [cell for graded in notebooks for cell in graded.cells]
        return Row(
            student,
            sum(cell.score for cell in cells),
            sum(cell.max_score for cell in cells),
            tuple(cell.exercise for cell in cells if cell.needs_person),
            " ".join(graded.reason for graded in notebooks if graded.reason),
            isolation=self.summary.level,
            cells=tuple({"grade_id": cell.grade_id, **cell.result} for cell in cells),
        )


def _assign_penalty(course: Course, book: Book, student: str, notebooks: Sequence[str]) -> None:
    """Set the penalties of a late submission in the gradebook, as `nbgrader autograde` would."""
    if book.seconds_late(student) <= 0:
        return
    for name in notebooks:
        facts = {
            "notebook": name,
            "assignment": book.assignment,
            "student": student,
            "db_url": course.directory.db_url,
        }
        AssignLatePenalties(parent=course.app).preprocess(new_notebook(), {"nbgrader": facts})
