"""Reads the rows of the gradebook for the report."""

from typing import Any

from nbgrader.api import BaseCell, Comment, Grade, Gradebook, SubmittedAssignment, SubmittedNotebook
from sqlalchemy import func

from autograder.grading.submission_query import of_cells, of_notebooks


def grades(book: Gradebook, assignment: str) -> dict[tuple[str, str], Any]:
    """Return the points, and whether a person must decide, by student and cell."""
    columns = (BaseCell.name, Grade.score, Grade.manual_score, Grade.needs_manual_grade)
    rows = book.db.execute(of_cells(assignment, Grade, *columns))
    return {(row[0], row[1]): row for row in rows}


def penalties(book: Gradebook, assignment: str) -> dict[str, float]:
    """Return the late penalties above 0, by student."""
    penalty = SubmittedNotebook.late_submission_penalty
    query = of_notebooks(assignment, func.sum(penalty)).where(penalty > 0)
    rows = book.db.execute(query.group_by(SubmittedAssignment.student_id))
    return {student: float(points) for student, points in rows}


def comments(book: Gradebook, assignment: str) -> dict[tuple[str, str], str]:
    """Return the autograder's comments, by student and solution cell."""
    rows = book.db.execute(of_cells(assignment, Comment, BaseCell.name, Comment.auto_comment))
    return {(student, cell): comment or "" for student, cell, comment in rows}
