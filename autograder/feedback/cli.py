"""The command `autograder feedback`."""

import argparse
import sys
from collections import Counter
from contextlib import closing

from autograder.grading.cli import DONE, INCOMPLETE, Commands, add_assignment, add_command, add_jobs, say
from autograder.grading.names import called
from autograder.refusal import Refusal


def add_parser(commands: Commands) -> None:
    """Add the command to the others."""
    parser = add_command(commands, "feedback", run, "write a page of feedback for each student")
    add_assignment(parser)
    add_jobs(parser)


def run(options: argparse.Namespace) -> int:
    """Write feedback/STUDENT/ASSIGNMENT/ from autograded/ and the gradebook, in several processes.

    The pages take the place of those of nbgrader generate_feedback. A page that would be the same is left as
    it is. Exit status: 0 everybody who is graded has a page, 1 some pages failed, 2 nothing was written.
    """
    from autograder.feedback.read import read_marks
    from autograder.feedback.write import State, Task, write_all
    from autograder.grading.course import Course
    from autograder.grading.gradebook import open_gradebook
    from autograder.grading.gradebook_queries import names

    course = Course.here()
    with closing(open_gradebook(course.directory.db_url, course.directory.course_id)) as book:
        marks, named = read_marks(book.db, options.assignment), names(book.db)
    if not marks:
        message = f"there are no grades of {options.assignment} yet: run `autograder grade"
        raise Refusal(f"{message} {options.assignment}`.")
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
