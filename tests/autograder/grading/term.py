"""What an instructor does with an assignment in the course of a term."""

import json

from made_course import ASSIGNMENT, run
from nbgrader.api import Gradebook

from .conftest import NOTEBOOK, ACourse

A_POINT_AN_HOUR = """
from nbgrader.plugins import BasePlugin


class SubMarks(BasePlugin):
    def late_submission_penalty(self, student_id, score, total_seconds_late):
        return round(total_seconds_late / 3600, 0)
"""


def take_a_point_an_hour(course: ACourse) -> None:
    """Install a plugin as nbgrader's documentation has it."""
    (course.path / "late.py").write_text(A_POINT_AN_HOUR)
    with open(course.path / "nbgrader_config.py", "a") as config:
        config.write("c.AssignLatePenalties.plugin_class = 'late.SubMarks'\n")


def due(course: ACourse, when: str, assignment: str = ASSIGNMENT) -> None:
    run(course.path, "nbgrader", "db", "assignment", "add", assignment, f"--duedate={when}")


def gradebook(course: ACourse) -> Gradebook:
    return Gradebook(f"sqlite:///{course.path / 'gradebook.db'}", "write-your-own-backward")


def grade(
    course: ACourse, *options: str, expect: int = 0, assignment: str = ASSIGNMENT
) -> tuple[dict[str, dict], str]:
    """Grade; return the row of each student and what else was said."""
    one = ("--jobs", "1")
    done = run(course.path, "autograder", "grade", assignment, "--json", *one, *options, expect=expect)
    return {row["student"]: row for row in map(json.loads, done.stdout.splitlines())}, done.stderr


def decide(course: ACourse, student: str, grade_id: str, points: float, assignment: str = ASSIGNMENT) -> None:
    """Give points as the formgrader does."""
    with gradebook(course) as book:
        found = book.find_grade(grade_id, NOTEBOOK, assignment, student)
        found.manual_score, found.needs_manual_grade = points, False
        book.db.commit()


def waits(course: ACourse, student: str, grade_id: str) -> bool:
    with gradebook(course) as book:
        return bool(book.find_grade(grade_id, NOTEBOOK, ASSIGNMENT, student).needs_manual_grade)
