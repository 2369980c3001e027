"""Runs `autograder export --gradescope`."""

import argparse
from pathlib import Path


def run(options: argparse.Namespace) -> int:
    """Write the zip and print its name."""
    from autograder.gradescope import export  # not at the top: nbgrader takes a second to import
    from autograder.gradescope.bundle import Bundle
    from autograder.grading.course import Course

    course, path = Course.here(), Path(f"{options.assignment}-gradescope.zip")
    book, assignments = course.open(options.assignment)
    book.close()
    export.write(path, Bundle(assignments, options.allow_weak_isolation))
    print(path)
    return 0
