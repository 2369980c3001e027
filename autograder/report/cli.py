"""`autograder report ASSIGNMENT`."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command to the command line."""
    parser = commands.add_parser(
        "report",
        help="show how the class did: scores, mistakes, what to teach again",
        description="Reads the gradebook and autograded/; writes a page and CSV files to reports/ASSIGNMENT.",
    )
    parser.add_argument("assignment", metavar="ASSIGNMENT", help="such as 04-first-function")
    parser.add_argument("--into", type=Path, metavar="DIR", help="write there instead")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Write the report and print where it is; the exit status is 2 if there is nothing to report on."""
    from autograder.grading.course import Course
    from autograder.grading.gradebook import NoGradebook
    from autograder.report import tables  # not at the top: nbgrader takes a second to import
    from autograder.report.item_analysis import analyse
    from autograder.report.mistakes import rank
    from autograder.report.page import page
    from autograder.report.read import read

    try:
        classroom = read(Course.here().directory, options.assignment)
    except (NoGradebook, ValueError) as error:
        print(f"autograder: {error}", file=sys.stderr)
        return 2
    into: Path = options.into or Path("reports") / options.assignment
    items, ranked = analyse(classroom), rank(classroom)
    into.mkdir(parents=True, exist_ok=True)
    (into / "index.html").write_text(page(classroom, items, ranked), encoding="utf-8")
    tables.write(into, classroom, items, ranked)
    print(into / "index.html")
    return 0
