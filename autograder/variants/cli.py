"""The commands `autograder variant` and `autograder handout`."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterable
from pathlib import Path

from autograder.grading.cli import add_assignment, say

DONE, NOT_RUN = 0, 2
SEED = re.compile(r"[A-Za-z0-9]{1,20}")


def add_parsers(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the commands to the others."""
    variant = commands.add_parser(
        "variant",
        help="make a new assignment with other functions, axes and constants",
        description=(
            "Draws each exercise from its family, and writes solutions/ASSIGNMENT-SEED and "
            "exercises/ASSIGNMENT-SEED. The same seed draws the same exercises. Run it in the course folder. "
            "Exit status: 0 done, 2 nothing was made."
        ),
    )
    add_assignment(variant)
    variant.add_argument(
        "--seed", required=True, type=_seed, help="letters and digits, such as 2027; part of the new name"
    )
    variant.add_argument(
        "--per-student",
        dest="roster",
        metavar="ROSTER.csv",
        type=Path,
        help="make another variant for each student of this roster, in variants/",
    )
    variant.set_defaults(run=_variant)
    handout = commands.add_parser(
        "handout",
        help="pack what students get: the course without solutions, tests and answers",
        description="Writes FOLDER.zip. Exit status: 0 done, 2 nothing was written.",
    )
    handout.add_argument("folder", metavar="FOLDER", help="a folder of exercises/, such as 04-first-function")
    handout.set_defaults(run=_handout)


def _seed(text: str) -> str:
    if not SEED.fullmatch(text):
        raise argparse.ArgumentTypeError("1 to 20 letters and digits")
    return text


def _variant(options: argparse.Namespace) -> int:
    from autograder.grading.course import Course
    from autograder.variants.assignment import CannotVary
    from autograder.variants.make import Variant
    from autograder.variants.students import students

    try:
        roster = [] if options.roster is None else students(options.roster)
        made = Variant(Course.here(), options.assignment, options.seed)
        for path in made.write():
            say(str(_shown(path)))
        _progress(made.write_for(roster), len(roster))
        if roster:
            say(f"{made.folder}: a folder for each of {len(roster)} students")
    except (CannotVary, OSError) as refusal:
        say(f"autograder: {refusal}", sys.stderr)
        return NOT_RUN
    for exercise in [] if roster else made.members():
        say(f"  {exercise.id:<24} {exercise.object_name} {exercise.signature}: {exercise.summary}")
    if made.unchanged:
        say(f"As in {options.assignment}, because there is no family: {', '.join(made.unchanged)}")
    return DONE


def _handout(options: argparse.Namespace) -> int:
    from autograder.grading.course import Course
    from autograder.variants.handout import CannotPack, write

    try:
        path = write(Course.here(), options.folder)
    except (CannotPack, OSError) as refusal:
        say(f"autograder: {refusal}", sys.stderr)
        return NOT_RUN
    say(f"{_shown(path)}: what students get, without solutions, tests and answers")
    return DONE


def _progress(written: Iterable[Path], total: int) -> None:
    """Wait until all are written; on a terminal, say how far it is."""
    terminal = sys.stderr.isatty()
    for number, _ in enumerate(written, 1):
        if terminal:
            print(f"\r{number} of {total} students", end="", file=sys.stderr, flush=True)
    if terminal and total:
        print(file=sys.stderr)


def _shown(path: Path) -> Path:
    return path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path
