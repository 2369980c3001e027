"""The command `autograder feedback`."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from contextlib import closing

from autograder.grading.cli import DONE, INCOMPLETE, NOT_RUN, add_assignment, add_jobs, say
from autograder.grading.names import called


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command to the others."""
    parser = commands.add_parser(
        "feedback",
        help="write a page of feedback for each student",
        description=(
            "Writes feedback/STUDENT/ASSIGNMENT/ from autograded/ and the gradebook, as nbgrader "
            "generate_feedback does, in several processes. A page that would be the same is left as it is. "
            "Exit status: 0 everybody who is graded has a page, 1 some pages failed, 2 nothing was written."
        ),
    )
    add_assignment(parser)
    add_jobs(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Write the pages and return the exit status."""
    from autograder.feedback.read import read_marks
    from autograder.feedback.write import State, Task, write_all
    from autograder.grading.assignment import WrongAssignment
    from autograder.grading.course import Course
    from autograder.grading.gradebook import open_gradebook
    from autograder.grading.gradebook_queries import names

    try:
        course = Course.here()
        with closing(open_gradebook(course.directory.db_url, course.directory.course_id)) as book:
            marks, named = read_marks(book.db, options.assignment), names(book.db)
    except WrongAssignment as refusal:
        say(f"autograder: {refusal}", sys.stderr)
        return NOT_RUN
    if not marks:
        message = f"autograder: there are no grades of {options.assignment} yet: "
        say(f"{message}run `autograder grade {options.assignment}`.", sys.stderr)
        return NOT_RUN
    tasks = []
    for (student, notebook), mark in sorted(marks.items()):
        source = course.folder("autograded", student, options.assignment) / f"{notebook}.ipynb"
        target = course.folder("feedback", student, options.assignment) / f"{notebook}.html"
        tasks.append(Task(student, source, target, mark))
    counts: Counter[State] = Counter()
    terminal = sys.stderr.isatty()
    for task, state, why in write_all(tasks, options.jobs):
        counts[state] += 1
        if why:
            say(f"{called(task.student, named)}: {why}", sys.stderr, start="\r" * terminal)
        elif terminal:
            say(f"{counts.total()} of {len(tasks)} pages", sys.stderr, start="\r", end="")
    if terminal:
        print(file=sys.stderr)
    unchanged = f", {counts[State.KEPT]} unchanged" if counts[State.KEPT] else ""
    failed = f", {counts[State.FAILED]} failed" if counts[State.FAILED] else ""
    say(f"{counts[State.WRITTEN]} pages of feedback written{unchanged}{failed}.")
    return INCOMPLETE if counts[State.FAILED] else DONE
