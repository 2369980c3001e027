"""The one writer into nbgrader's gradebook: one transaction a submission."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from types import TracebackType
from typing import Any

from nbgrader.api import (
    Comment,
    Grade,
    Gradebook,
    MissingEntry,
    Student,
    SubmittedAssignment,
    SubmittedNotebook,
)
from sqlalchemy.exc import ArgumentError, DBAPIError

from autograder.grading.assignment import Source, WrongAssignment
from autograder.grading.graded import Graded


def open_gradebook(db_url: str, course_id: str) -> Gradebook:
    """Open nbgrader's gradebook, which is made if there is none.

    Raises NoGradebook if the database cannot be reached or its driver is not installed.
    """
    try:
        return Gradebook(db_url, course_id)
    except (ArgumentError, ImportError, DBAPIError) as error:
        address = str(db_url).split("@")[-1]  # without a password
        raise NoGradebook(f"The gradebook {address} cannot be opened: {str(error).splitlines()[0]}") from None


class NoGradebook(WrongAssignment):
    """There is no database, or no way to it; the message says why."""


class NotRegistered(Exception):  # noqa: N818 - the course registers it, and tries again
    """The gradebook does not know the assignment, or knows other cells of it."""


class Book:
    """The gradebook, as far as one assignment goes.

    Raises NotRegistered if it does not know the assignment, and NoGradebook if it cannot be opened.
    """

    def __init__(self, db_url: str, course_id: str, assignment: str) -> None:
        self._book = open_gradebook(db_url, course_id)
        self.assignment = assignment
        try:
            found = self._book.find_assignment(assignment)
        except MissingEntry:
            self._book.close()
            raise NotRegistered(assignment) from None
        self._id = found.id
        # names by id, asked once: a row's own name is a query for each
        self._notebooks = {notebook.id: notebook.name for notebook in found.notebooks}
        self._graded = {n.id: {c.id: c.name for c in n.grade_cells} for n in found.notebooks}
        self._solved = {n.id: {c.id: c.name for c in n.solution_cells} for n in found.notebooks}
        self.released = {
            notebook.name: {c.name: Source(c.source or "", c.checksum) for c in notebook.source_cells}
            for notebook in found.notebooks
        }
        self.points = {n.name: {c.name: float(c.max_score) for c in n.grade_cells} for n in found.notebooks}
        self._book.db.remove()

    def __enter__(self) -> Book:
        return self

    def __exit__(self, kind: type[BaseException] | None, value: object, trace: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """End the connection."""
        self._book.close()

    def roster(self) -> list[str]:
        """Return the ids of all students."""
        found = [id_ for (id_,) in self._book.db.query(Student.id).order_by(Student.id)]
        self._book.db.remove()
        return found

    def finished(self) -> set[str]:
        """Return the students with a grade from the autograder in every graded cell."""
        rows = (
            self._book.db.query(SubmittedAssignment.student_id, Grade.auto_score)
            .join(SubmittedNotebook, SubmittedNotebook.assignment_id == SubmittedAssignment.id)
            .join(Grade, Grade.notebook_id == SubmittedNotebook.id)
            .filter(SubmittedAssignment.assignment_id == self._id)
            .all()
        )
        self._book.db.remove()
        return {student for student, _ in rows} - {student for student, score in rows if score is None}

    def record(self, student: str, graded: Mapping[str, Graded], timestamp: datetime | None) -> None:
        """Write one student's grades and comments, all or nothing; a grade by hand stays.

        `graded` has one entry a notebook, by its name. If it raises sqlalchemy's errors nothing is written.
        """
        db = self._book.db
        try:
            if db.get(Student, student) is None:
                db.add(Student(id=student))
            submission = self._submission(db, student)
            if timestamp is not None:
                submission.timestamp = timestamp
            for notebook in submission.notebooks:
                result = graded.get(self._notebooks.get(notebook.notebook_id, ""))
                if result is not None:
                    self._write(notebook, result)
            db.commit()
        except BaseException:
            db.rollback()
            raise
        finally:
            db.remove()

    def standing(self, student: str) -> tuple[float, float, tuple[str, ...]]:
        """Return the score, the maximum, and the cells that wait for a person."""
        try:
            submission = self._book.find_submission(self.assignment, student)
            undecided = tuple(g.name for n in submission.notebooks for g in n.grades if g.needs_manual_grade)
            return float(submission.score), float(submission.max_score), undecided
        finally:
            self._book.db.remove()

    def seconds_late(self, student: str) -> float:
        """Return by how much the submission is late."""
        try:
            return float(self._book.find_submission(self.assignment, student).total_seconds_late)
        except MissingEntry:
            return 0.0
        finally:
            self._book.db.remove()

    def _submission(self, db: Any, student: str) -> Any:
        """Return the row of the submission, made with rows for all its cells where it is not there yet."""
        found = (
            db.query(SubmittedAssignment).filter_by(assignment_id=self._id, student_id=student).one_or_none()
        )
        if found is not None:
            return found
        submission = SubmittedAssignment(assignment_id=self._id, student_id=student)
        for id_ in self._notebooks:
            notebook = SubmittedNotebook(notebook_id=id_, assignment=submission)
            for cell in self._graded[id_]:
                Grade(cell_id=cell, notebook=notebook)
            for cell in self._solved[id_]:
                Comment(cell_id=cell, notebook=notebook)
        db.add(submission)
        return submission

    def _write(self, notebook: Any, graded: Graded) -> None:
        cells = {cell.grade_id: cell for cell in graded.cells}
        comments = {cell.solution_id: cell.comment for cell in graded.cells}
        graded_cells, solved_cells = self._graded[notebook.notebook_id], self._solved[notebook.notebook_id]
        for grade in notebook.grades:
            cell = cells.get(graded_cells.get(grade.cell_id, ""))
            if cell is None:
                continue
            grade.auto_score = cell.score
            grade.needs_manual_grade = cell.needs_person or grade.manual_score is not None
        for comment in notebook.comments:
            name = solved_cells.get(comment.cell_id, "")
            if name in comments:
                comment.auto_comment = " ".join(filter(None, [graded.reason, comments[name]]))
