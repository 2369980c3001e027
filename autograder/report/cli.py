"""The commands `autograder report ASSIGNMENT` and `autograder similar ASSIGNMENT`."""

import argparse
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from autograder.grading.cli import Commands, add_assignment, add_command, counted, say
from autograder.refusal import Refusal

LISTED_AT_MOST = 40  # members of a group


def add_parser(commands: Commands) -> None:
    """Add the commands to the others."""
    summary = "list hand-ins that are more alike than their tasks explain"
    add_assignment(add_command(commands, "similar", _similar, summary))
    summary = "report on the class: scores, mistakes, what to teach again"
    parser = add_command(commands, "report", run, summary)
    add_assignment(parser)
    parser.add_argument("--into", type=Path, metavar="DIR", help="write there instead")
    parser.add_argument(
        "--for-class",
        action="store_true",
        help="write class.html instead: a page that names no student, without tables",
    )


def _similar(options: argparse.Namespace) -> int:
    """Compare the code in submitted/ with each other and with solutions/.

    Names, comments and the order of methods do not hide a copy. It changes no points. Exit status: 0
    compared, 2 nothing to compare.
    """
    from autograder.grading.course import Course
    from autograder.report.similar import MARK, find

    groups, marked = find(
        Course.here(), options.assignment, lambda names: counted(names, len(names), "hand-ins")
    )
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
    """Write a page and CSV files to reports/ASSIGNMENT, from the gradebook and autograded/."""
    from autograder.grading.assignment import WrongAssignment
    from autograder.grading.course import Course
    from autograder.report import tables  # not at the top: nbgrader takes a second to import
    from autograder.report.item_analysis import analyse
    from autograder.report.mistakes import rank
    from autograder.report.page import page
    from autograder.report.read import read
    from autograder.report.similar import find

    course = Course.here()
    classroom = read(course.directory, options.assignment)
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
        raise Refusal(f"{into} cannot be written: {error.strerror}. --into names another folder.") from error
    say(str(path))
    return 0
