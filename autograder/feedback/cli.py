"""The command `autograder feedback`."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from contextlib import closing

from autograder.grading.cli import add_assignment, add_jobs, say

DONE, SOME_LEFT, NOT_RUN = 0, 1, 2


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
    from autograder.feedback.write import Done, Task, write_all
    from autograder.grading.assignment import WrongAssignment
    from autograder.grading.course import Course
    from autograder.grading.gradebook import open_gradebook

    try:
        course = Course.here()
        with closing(open_gradebook(course.directory.db_url, course.directory.course_id)) as book:
            marks = read_marks(book.db, options.assignment)
    except WrongAssignment as refusal:
        say(f"autograder: {refusal}", sys.stderr)
        return NOT_RUN
    if not marks:
        told = f"autograder: there are no grades of {options.assignment} yet: "
        say(f"{told}run `autograder grade {options.assignment}`.", sys.stderr)
        return NOT_RUN
    tasks = []
    for (student, notebook), mark in sorted(marks.items()):
        source = course.folder("autograded", student, options.assignment) / f"{notebook}.ipynb"
        target = course.folder("feedback", student, options.assignment) / f"{notebook}.html"
        tasks.append(Task(student, source, target, mark))
    counts: Counter[Done] = Counter()
    terminal = sys.stderr.isatty()
    for task, done, why in write_all(tasks, options.jobs):
        counts[done] += 1
        if why:
            say(f"{task.student}: {why}", sys.stderr, start="\r" * terminal)
        elif terminal:
            say(f"{counts.total()} of {len(tasks)} pages", sys.stderr, start="\r", end="")
    if terminal:
        print(file=sys.stderr)
    kept = f", {counts[Done.KEPT]} unchanged" if counts[Done.KEPT] else ""
    failed = f", {counts[Done.FAILED]} failed" if counts[Done.FAILED] else ""
    say(f"{counts[Done.WRITTEN]} pages of feedback written{kept}{failed}.")
    return SOME_LEFT if counts[Done.FAILED] else DONE
