"""Queries of the gradebook: points, lateness and grades by hand. Every summary reads them from here."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from nbgrader.api import Assignment, BaseCell, Grade, Student, SubmittedAssignment, SubmittedNotebook
from sqlalchemy import func, select

from autograder.grading.gradebook import Book
from autograder.grading.names import called
from autograder.grading.submission_query import of_cells


@dataclass(frozen=True)
class Totals:
    """A student's points: `score` is what remains after the late penalty.

    `undecided` are the graded cells, by grade_id, that wait for a person.
    """

    score: float
    max_score: float
    late_penalty: float
    undecided: frozenset[str]


@dataclass(frozen=True)
class Timing:
    """The time of a submission, and whether it is late and has a penalty."""

    timestamp: datetime | None
    late: bool
    has_penalty: bool


PENALTY = func.coalesce(func.sum(SubmittedNotebook.late_submission_penalty), 0.0)


def totals_of(book: Book, student: str) -> Totals:
    """Return the points of a student who has been graded."""
    mine = (
        select(SubmittedNotebook.id)
        .join(SubmittedAssignment, SubmittedNotebook.assignment_id == SubmittedAssignment.id)
        .where(SubmittedAssignment.assignment_id == book.id, SubmittedAssignment.student_id == student)
    )
    grades = select(Grade.cell_id, Grade.score, Grade.needs_manual_grade).where(Grade.notebook_id.in_(mine))
    with book.session() as db:
        rows = db.execute(grades).all()
        penalty = float(db.execute(select(PENALTY).where(SubmittedNotebook.id.in_(mine))).scalar_one())
    names = {id_: name for cells in book.graded.values() for id_, name in cells.items()}
    score = sum(float(score or 0.0) for _, score, _ in rows)
    undecided = frozenset(names[cell] for cell, _, waits in rows if waits and cell in names)
    return Totals(max(0.0, score - penalty), book.max_score, penalty, undecided)


def names(db: Any) -> dict[str, str]:
    """Return the name of each student who has one, by id."""
    rows = db.execute(select(Student.id, Student.first_name, Student.last_name))
    joined = ((student, " ".join(filter(None, parts))) for student, *parts in rows)
    return {student: name for student, name in joined if name}


def timing(book: Book) -> dict[str, Timing]:
    """Return the timing of each submission, by student."""
    submitted = SubmittedAssignment
    query = (
        select(submitted.student_id, submitted.timestamp, submitted.extension, PENALTY)
        .join(SubmittedNotebook, SubmittedNotebook.assignment_id == submitted.id)
        .where(submitted.assignment_id == book.id)
        .group_by(submitted.id)
    )
    with book.session() as db:
        due = db.execute(select(Assignment.duedate).where(Assignment.id == book.id)).scalar_one()
        rows = db.execute(query).all()
    return {
        student: Timing(when, bool(when and due and when > due + (extension or timedelta())), penalty > 0)
        for student, when, extension, penalty in rows
    }


def decided_by_hand(book: Book) -> list[tuple[str, str, float]]:
    """Return student, with the name, cell and points of each grade by hand."""
    query = (
        of_cells(book.assignment, Grade, BaseCell.name, Grade.manual_score)
        .where(Grade.manual_score.is_not(None))
        .order_by(SubmittedAssignment.student_id, BaseCell.name)
    )
    with book.session() as db:
        named = names(db)
        return [(called(student, named), cell, float(points)) for student, cell, points in db.execute(query)]


def submissions(book: Book) -> int:
    """Return how many students have grades."""
    query = select(func.count()).select_from(SubmittedAssignment).filter_by(assignment_id=book.id)
    with book.session() as db:
        return int(db.execute(query).scalar_one())
