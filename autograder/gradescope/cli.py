"""Runs `autograder export --gradescope`."""

import argparse
import sys
from pathlib import Path

from vjpcheck.escaping import visible


def run(options: argparse.Namespace) -> int:
    """Write the zip and print its name; the exit status is 2 if it cannot be made."""
    from autograder.gradescope import export  # not at the top: nbgrader takes a second to import
    from autograder.gradescope.bundle import Bundle
    from autograder.grading.assignment import WrongAssignment
    from autograder.grading.course import Course

    course, path = Course.here(), Path(f"{options.assignment}-gradescope.zip")
    try:
        book, assignments = course.open(options.assignment)
        book.close()
        export.write(path, Bundle(assignments, options.allow_weak_isolation))
    except (WrongAssignment, ValueError, OSError) as error:
        print(visible(f"autograder: {error}"), file=sys.stderr)
        return 2
    print(path)
    return 0
