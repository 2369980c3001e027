"""Penalties for late submissions, by nbgrader's own preprocessor and whatever plugin the course has."""

from __future__ import annotations

from collections.abc import Sequence

from nbformat.v4 import new_notebook
from nbgrader.preprocessors import AssignLatePenalties

from autograder.grading.course import Course
from autograder.grading.gradebook import Book


def assign_penalty(course: Course, book: Book, student: str, notebooks: Sequence[str]) -> None:
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
