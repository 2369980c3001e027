"""The commands `autograder report ASSIGNMENT` and `autograder similar ASSIGNMENT`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from autograder.grading.cli import add_assignment, counted, say

LISTED_AT_MOST = 40  # members of a group


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the commands to the command line."""
    similar = commands.add_parser(
        "similar",
        help="list hand-ins that are more alike than their tasks explain",
        description=(
            "Compares the code in submitted/ with each other and with solutions/; names, comments and the "
            "order of methods do not hide a copy. It changes no points. Exit status: 0 compared, 2 nothing "
            "to compare."
        ),
    )
    add_assignment(similar)
    similar.set_defaults(run=_similar)
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


def _similar(options: argparse.Namespace) -> int:
    from autograder.grading.assignment import WrongAssignment
    from autograder.grading.course import Course
    from autograder.report.similar import MARK, find

    try:
        groups, marked = find(
            Course.here(), options.assignment, lambda names: counted(names, len(names), "hand-ins")
        )
    except WrongAssignment as refusal:
        say(f"autograder: {refusal}", sys.stderr)
        return 2
    for group in groups:
        say(f"{_listed(group.members)}: {group.words}")
    if marked:
        say(f"{_listed(marked)}: the code has lines {MARK}, as in solutions/")
    if groups or marked:
        say("No points depend on this. Read the work before you decide.")
    else:
        say("No hand-ins are more alike than their tasks explain.")
    return 0


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - LISTED_AT_MOST} more" if len(names) > LISTED_AT_MOST else ""
    return ", ".join(names[:LISTED_AT_MOST]) + more


def run(options: argparse.Namespace) -> int:
    """Write the report and print where it is; the exit status is 2 if there is nothing to report on."""
    from autograder.grading.assignment import WrongAssignment
    from autograder.grading.course import Course
    from autograder.report import tables  # not at the top: nbgrader takes a second to import
    from autograder.report.item_analysis import analyse
    from autograder.report.mistakes import rank
    from autograder.report.page import page
    from autograder.report.read import read
    from autograder.report.similar import find

    try:
        course = Course.here()
        classroom = read(course.directory, options.assignment)
    except (WrongAssignment, ValueError) as error:
        say(f"autograder: {error}", sys.stderr)
        return 2
    into: Path = options.into or Path("reports") / options.assignment
    items, ranked = analyse(classroom), rank(classroom)
    if not options.for_class:
        with suppress(WrongAssignment):  # grades without hand-ins or sources: nothing can be compared
            classroom = replace(classroom, alike=find(course, options.assignment))
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
