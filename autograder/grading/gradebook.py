"""The one writer into nbgrader's gradebook: one transaction a submission."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime, timedelta
from types import TracebackType
from typing import Any

from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from nbgrader.api import (
    Assignment,
    Base,
    Comment,
    Grade,
    Gradebook,
    MissingEntry,
    Student,
    SubmittedAssignment,
    SubmittedNotebook,
)
from nbgrader.dbutil import ALEMBIC_DIR
from sqlalchemy import create_engine, inspect
from sqlalchemy.exc import ArgumentError, DBAPIError

from autograder.grading.assignment import Source, WrongAssignment
from autograder.grading.notebook_grade import CellGrade, NotebookGrade
from vjpcheck.escaping import for_markdown


def open_gradebook(db_url: str, course_id: str) -> Gradebook:
    """Open nbgrader's gradebook, and make it if there is none.

    Raises NoGradebook if the database cannot be reached or its driver is not installed.
    """
    try:
        _make(db_url)
        return Gradebook(db_url, course_id)
    except (ArgumentError, ImportError, DBAPIError) as error:
        address = str(db_url).split("@")[-1]  # without a password
        raise NoGradebook(f"The gradebook {address} cannot be opened: {database_message(error)}.") from None


def _make(db_url: str) -> None:
    """Make nbgrader's tables if there are none.

    nbgrader itself would start a program that asks for their version, which takes a second or more.
    """
    engine = create_engine(db_url)
    with engine.begin() as connection:
        if not inspect(connection).get_table_names():
            Base.metadata.create_all(connection)
            MigrationContext.configure(connection).stamp(ScriptDirectory(ALEMBIC_DIR), "head")
    engine.dispose()


def database_message(error: Exception) -> str:
    """Return a database's message, without the class names and links that SQLAlchemy adds."""
    message = str(getattr(error, "orig", None) or error).strip() or type(error).__name__
    return message.splitlines()[0].rstrip(".")


class NoGradebook(WrongAssignment):
    """The database does not exist or cannot be reached; the message says why."""


class NotRegistered(Exception):  # noqa: N818 - the course registers it, and tries again
    """The gradebook does not have the assignment, or has other cells of it."""


class Book:
    """The gradebook of one assignment.

    Raises NotRegistered if the gradebook does not have it, and NoGradebook if the database cannot be opened.
    """

    def __init__(self, db_url: str, course_id: str, assignment: str) -> None:
        self._book = open_gradebook(db_url, course_id)
        self.assignment = assignment
        try:
            row = self._book.find_assignment(assignment)
        except MissingEntry:
            self._book.close()
            raise NotRegistered(assignment) from None
        self.id = row.id
        self.remarks: list[str] = []  # on the instructor's changes
        # names by id, read once: reading a row's own name is a query each time
        self._notebooks = {notebook.id: notebook.name for notebook in row.notebooks}
        self.graded = {n.id: {c.id: c.name for c in n.grade_cells} for n in row.notebooks}
        self._solved = {n.id: {c.id: c.name for c in n.solution_cells} for n in row.notebooks}
        self.released = {
            notebook.name: {c.name: Source(c.source or "", c.checksum) for c in notebook.source_cells}
            for notebook in row.notebooks
        }
        self.points = {n.name: {c.name: float(c.max_score) for c in n.grade_cells} for n in row.notebooks}
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
        ids = [id_ for (id_,) in self._book.db.query(Student.id).order_by(Student.id)]
        self._book.db.remove()
        return ids

    def finished(self) -> set[str]:
        """Return the students with a grade from the autograder in every graded cell."""
        rows = (
            self._book.db.query(SubmittedAssignment.student_id, Grade.auto_score)
            .join(SubmittedNotebook, SubmittedNotebook.assignment_id == SubmittedAssignment.id)
            .join(Grade, Grade.notebook_id == SubmittedNotebook.id)
            .filter(SubmittedAssignment.assignment_id == self.id)
            .all()
        )
        self._book.db.remove()
        return {student for student, _ in rows} - {student for student, score in rows if score is None}

    def record(
        self,
        student: str,
        graded: Mapping[str, NotebookGrade],
        timestamp: datetime | None,
        earlier: Mapping[str, Mapping[str, Any]] | None = None,
    ) -> bool:
        """Write one student's grades and comments, all or nothing; a grade by hand stays.

        Returns whether the submission is late or has a penalty, which `late_penalty` must then assign anew.

        `graded` has one entry for each notebook, by its name. `earlier` has the facts of an earlier grading
        of the same work, by name too: a person's decision on it stays. If sqlalchemy raises an error, nothing
        is written.
        """
        with self.session() as db:
            if db.get(Student, student) is None:
                db.add(Student(id=student))
            submission = self.submission(db, student)
            if timestamp is not None:
                submission.timestamp = timestamp
            for notebook in submission.notebooks:
                result = graded.get(self._notebooks.get(notebook.notebook_id, ""))
                if result is not None:
                    self._write(notebook, result, (earlier or {}).get(result.notebook, {}))
            # without a due date nothing is late; a new row has its assignment only by its id
            due = db.get(Assignment, self.id).duedate
            when = submission.timestamp
            late = bool(due and when and when > due + (submission.extension or timedelta()))
            late = late or any(notebook.late_submission_penalty for notebook in submission.notebooks)
            db.commit()
            return late

    @property
    def max_score(self) -> float:
        """Return the points of all cells."""
        return sum(points for cells in self.points.values() for points in cells.values())

    @contextmanager
    def session(self) -> Iterator[Any]:
        """Yield the database's session for one transaction, which the caller commits; undo it at an error."""
        db = self._book.db
        try:
            yield db
        except BaseException:
            db.rollback()
            raise
        finally:
            db.remove()

    def submission(self, db: Any, student: str) -> Any:
        """Return the row of the submission; make it, with rows for all its cells, if it is missing."""
        row = db.query(SubmittedAssignment).filter_by(assignment_id=self.id, student_id=student).one_or_none()
        if row is not None:
            return row
        submission = SubmittedAssignment(assignment_id=self.id, student_id=student)
        for id_ in self._notebooks:
            notebook = SubmittedNotebook(notebook_id=id_, assignment=submission)
            for cell in self.graded[id_]:
                Grade(cell_id=cell, notebook=notebook)
            for cell in self._solved[id_]:
                Comment(cell_id=cell, notebook=notebook)
        db.add(submission)
        return submission

    def _write(self, notebook: Any, graded: NotebookGrade, earlier: Mapping[str, Any]) -> None:
        cells = {cell.grade_id: cell for cell in graded.cells}
        comments = {cell.solution_id: cell.comment for cell in graded.cells}
        graded_cells, solved_cells = self.graded[notebook.notebook_id], self._solved[notebook.notebook_id]
        for grade in notebook.grades:
            cell = cells.get(graded_cells.get(grade.cell_id, ""))
            if cell is None:
                continue
            decided = _is_decided(grade, cell, earlier)
            grade.auto_score = cell.score
            grade.needs_manual_grade = not decided and (cell.needs_person or grade.manual_score is not None)
        for comment in notebook.comments:
            name = solved_cells.get(comment.cell_id, "")
            if name in comments:
                comment_text = " ".join(filter(None, [graded.reason, comments[name]]))
                comment.auto_comment = for_markdown(comment_text)  # as which nbgrader's feedback shows it


def _is_decided(grade: Any, cell: CellGrade, earlier: Mapping[str, Any]) -> bool:
    """Return whether a person has decided on the same work, with the same score and the same maximum."""
    undecided = cell.grade_id in earlier.get("asked", ()) or grade.manual_score is not None
    same = grade.auto_score == cell.score and earlier.get("points", {}).get(cell.grade_id) == cell.max_score
    return undecided and same and not grade.needs_manual_grade
