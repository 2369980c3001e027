"""Reads points and comments from the gradebook."""

from collections import defaultdict

from nbgrader.api import BaseCell, Comment, Grade, Notebook, SubmittedNotebook
from sqlalchemy import func
from sqlalchemy.orm import Session

from autograder.feedback.marks import Marks
from autograder.grading.submission_query import of_cells, of_notebooks


def read_marks(db: Session, assignment: str) -> dict[tuple[str, str], Marks]:
    """Return the marks of an assignment by student and notebook."""
    marks: defaultdict[tuple[str, str], Marks] = defaultdict(Marks)
    penalties = of_notebooks(assignment, Notebook.name, SubmittedNotebook.late_submission_penalty)
    for student, notebook, penalty in db.execute(penalties):
        marks[student, notebook].late_penalty = float(penalty or 0.0)
    grades = of_cells(assignment, Grade, Notebook.name, BaseCell.name, Grade.score, Grade.max_score)
    for student, notebook, cell, points, at_most in db.execute(grades):
        marks[student, notebook].points[cell] = float(points or 0.0), float(at_most)
    comment = func.coalesce(Comment.manual_comment, Comment.auto_comment, "")
    for student, notebook, cell, text in db.execute(
        of_cells(assignment, Comment, Notebook.name, BaseCell.name, comment)
    ):
        marks[student, notebook].comments[cell] = text
    return dict(marks)
