"""The command `autograder export --gradescope`."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command to the others."""
    parser = commands.add_parser(
        "export",
        help="make an autograder for Gradescope",
        description="Writes ASSIGNMENT-gradescope.zip, to be uploaded as an assignment's autograder.",
    )
    parser.add_argument("--gradescope", action="store_true", required=True, help="for Gradescope")
    parser.add_argument(
        "assignment", metavar="ASSIGNMENT", help="its folder's name, such as 04-first-function"
    )
    parser.add_argument(
        "--allow-weak-isolation",
        action="store_true",
        help="grade there too if the container cannot isolate submissions; each result says so",
    )
    parser.set_defaults(run=run)


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
        print(f"autograder: {error}", file=sys.stderr)
        return 2
    print(path)
    return 0
