"""The command `autograder decide`: undecided work in groups, each of which one decision settles."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from autograder.grading.cli import Commands, add_assignment, add_command, say
from autograder.grading.names import called
from autograder.refusal import Refusal
from autograder.report.classroom import Work
from autograder.report.groups import Group, group

if TYPE_CHECKING:
    from autograder.grading.gradebook import Book

LISTED_AT_MOST = 8  # students of a group


def add_parser(commands: Commands) -> None:
    """Add the command to the others."""
    summary = "decide on the points of work that waits for a person, many at once"
    parser = add_command(commands, "decide", run, summary)
    add_assignment(parser)
    parser.add_argument("group", metavar="GROUP", nargs="?", help="the name of a group from the list")
    parser.add_argument(
        "--points",
        metavar="N",
        help="a number, or 'full' for all points, or 'now' for those that are in the table",
    )


def run(options: argparse.Namespace) -> int:
    """List the undecided work of an assignment in groups that share exercise and reason.

    With GROUP and --points, give points to all of a group, as the formgrader would. Exit status: 0 nothing is
    left to decide, 1 something is, 2 nothing was changed.
    """
    from autograder.grading.course import Course
    from autograder.report.read import read

    course = Course.here()
    classroom = read(course.directory, options.assignment)
    groups = group(classroom.works)
    if (options.group is None) != (options.points is None):
        raise Refusal("GROUP and --points belong together: say both, or neither for the list.")
    if options.group is not None:
        chosen = _chosen(groups, options.group)
        points = _points(chosen, options.points)
        with course.book(options.assignment) as book:
            _give(book, chosen, points)
        groups.remove(chosen)
        say(f"Decided for {len(chosen.students)} students.")
    names = {student.id: student.name for student in classroom.students}
    for line in _lines(groups, options.assignment, names):
        say(line)
    return 1 if groups else 0


def _chosen(groups: list[Group], name: str) -> Group:
    for one in groups:
        if one.name == name:
            return one
    names = ", ".join(one.name for one in groups) or "none"
    raise Refusal(f"There is no group {name}; groups to decide on: {names}.")


def _points(chosen: Group, argument: str) -> dict[tuple[str, str], float]:
    """Return the points by student and cell; raises Refusal for a number that cannot be given."""
    if argument in ("now", "full"):
        return {_key(w): w.points if argument == "now" else w.task.points for w in chosen.works}
    try:
        points = float(argument)
    except ValueError:
        raise Refusal(f"--points {argument}: a number, 'full' or 'now' is needed.") from None
    smallest = min((work.task for work in chosen.works), key=lambda task: task.points)
    if not 0 <= points <= smallest.points:
        raise Refusal(f"--points {argument}: {smallest.exercise} has 0 to {smallest.points:g} points.")
    return {_key(work): points for work in chosen.works}


def _key(work: Work) -> tuple[str, str]:
    return work.student, work.task.grade_id


def _give(book: Book, chosen: Group, points: Mapping[tuple[str, str], float]) -> None:
    """Write points as the formgrader does: by hand, and decided; all or nothing."""
    with book.session() as db:
        for student in chosen.students:
            for notebook in book.submission(db, student).notebooks:
                cells = book.graded.get(notebook.notebook_id, {})
                for grade in notebook.grades:
                    if (key := (student, cells.get(grade.cell_id, ""))) in points:
                        grade.manual_score, grade.needs_manual_grade = points[key], False
        db.commit()


def _lines(groups: list[Group], assignment: str, names: Mapping[str, str]) -> Iterable[str]:
    if not groups:
        yield f"{assignment}: nothing is left to decide."
        return
    undecided = sum(len(one.students) for one in groups)
    yield f"{assignment}: {undecided} left to decide, in {len(groups)} groups"
    for one in groups:
        students = [called(student, names) for student in one.students]
        more = len(students) - LISTED_AT_MOST
        listed = ", ".join(students[:LISTED_AT_MOST]) + (f" and {more} more" if more > 0 else "")
        yield f"{one.name}  {one.exercise}, {len(students)} students: {listed}"
        yield f"        {one.why}"
    yield f"To decide on a group: autograder decide {assignment} {groups[0].name} --points full"
    yield "(or --points now: those in the table; or a number)"
