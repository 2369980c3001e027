"""The command `autograder report ASSIGNMENT`."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from autograder.grading.cli import add_assignment, say


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command to the command line."""
    parser = commands.add_parser(
        "report",
        help="report on the class: scores, mistakes, what to teach again",
        description="Reads the gradebook and autograded/; writes a page and CSV files to reports/ASSIGNMENT.",
    )
    add_assignment(parser)
    parser.add_argument("--into", type=Path, metavar="DIR", help="write there instead")
    parser.add_argument(
        "--for-class",
        action="store_true",
        help="write class.html instead: a page that names no student, without tables",
    )
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Write the report and print where it is; the exit status is 2 if there is nothing to report on."""
    from autograder.grading.assignment import WrongAssignment
    from autograder.grading.course import Course
    from autograder.report import tables  # not at the top: nbgrader takes a second to import
    from autograder.report.item_analysis import analyse
    from autograder.report.mistakes import rank
    from autograder.report.page import page
    from autograder.report.read import read

    try:
        classroom = read(Course.here().directory, options.assignment)
    except (WrongAssignment, ValueError) as error:
        say(f"autograder: {error}", sys.stderr)
        return 2
    into: Path = options.into or Path("reports") / options.assignment
    items, ranked = analyse(classroom), rank(classroom)
    try:
        into.mkdir(parents=True, exist_ok=True)
        path = into / ("class.html" if options.for_class else "index.html")
        path.write_text(page(classroom, items, ranked, options.for_class), encoding="utf-8")
        if not options.for_class:
            tables.write(into, classroom, items, ranked)
    except OSError as error:
        problem = f"{into} cannot be written: {error.strerror}. --into names another folder."
        say(f"autograder: {problem}", sys.stderr)
        return 2
    say(str(path))
    return 0
