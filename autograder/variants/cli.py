"""The commands `autograder variant` and `autograder handout`."""

from __future__ import annotations

import argparse
import re
from pathlib import Path
from typing import TYPE_CHECKING

from autograder.grading.cli import DONE, Commands, add_assignment, add_command, counted, say
from autograder.refusal import refusing_files

if TYPE_CHECKING:
    from autograder.grading.course import Course

SEED = re.compile(r"[A-Za-z0-9]{1,20}")


def add_parsers(commands: Commands) -> None:
    """Add the commands to the others."""
    summary = "make a new assignment with other functions, axes and constants"
    variant = add_command(commands, "variant", _variant, summary)
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
    summary = "pack what students get: the course without solutions, tests and answers"
    handout = add_command(commands, "handout", _handout, summary)
    handout.add_argument("folder", metavar="FOLDER", help="a folder of exercises/, such as 04-first-function")
    handout.add_argument(
        "--per-student",
        action="store_true",
        help="pack each student's own variant, in FOLDER-students/ID/FOLDER.zip",
    )
    to = handout.add_mutually_exclusive_group()
    to.add_argument(
        "--moodle",
        metavar="WORKSHEET.csv",
        type=Path,
        help="pack these for Moodle's upload of feedback files, too",
    )
    to.add_argument(
        "--canvas",
        metavar="DOWNLOAD.zip",
        type=Path,
        help="pack these for Canvas, which takes files for students who have handed in some file, too",
    )
    to.add_argument(
        "--exchange", metavar="DIR", type=Path, help="copy each student's notebook to DIR/ID/FOLDER, too"
    )


def _seed(text: str) -> str:
    if not SEED.fullmatch(text):
        raise argparse.ArgumentTypeError("1 to 20 letters and digits")
    return text


@refusing_files()
def _variant(options: argparse.Namespace) -> int:
    """Draw each exercise from its family; write solutions/ASSIGNMENT-SEED and exercises/ASSIGNMENT-SEED.

    The same seed draws the same exercises. Run it in the course folder. Exit status: 0 done, 2 nothing was
    made.
    """
    from autograder.grading.course import Course
    from autograder.variants.make import Variant
    from autograder.variants.students import students

    roster = [] if options.roster is None else students(options.roster)
    made = Variant(Course.here(), options.assignment, options.seed)
    for path in made.write():
        say(str(_shown(path)))
    for _ in counted(made.write_for(roster), len(roster), "students"):
        pass
    if roster:
        say(f"{made.folder}: a folder for each of {len(roster)} students")
    for exercise in [] if roster else made.members():
        say(f"  {exercise.id:<24} {exercise.object_name} {exercise.signature}: {exercise.summary}")
    if made.unchanged:
        say(f"As in {options.assignment}, because there is no family: {', '.join(made.unchanged)}")
    return DONE


@refusing_files()
def _handout(options: argparse.Namespace) -> int:
    """Write FOLDER.zip. Exit status: 0 done, 2 nothing was written."""
    from autograder.grading.course import Course
    from autograder.variants.handout import write

    if options.per_student or options.moodle or options.canvas or options.exchange:
        return _handout_each(Course.here(), options)
    path = write(Course.here(), options.folder)
    say(f"{_shown(path)}: what students get, without solutions, tests and answers")
    return DONE


def _handout_each(course: Course, options: argparse.Namespace) -> int:
    from autograder.variants import handout

    name = options.folder
    own = handout.own_notebooks(course, name)
    zips = [*counted(handout.write_each(own, name), len(own), "students")]
    say(f"{name}-students: a zip for each of {len(zips)} students")
    if options.exchange:
        copied = [*handout.copy_each(own, name, options.exchange)]
        say(f"{options.exchange}: a folder for each of {len(copied)} students")
    elif options.moodle or options.canvas:
        pack = handout.pack_for_moodle if options.moodle else handout.pack_for_canvas
        archive, without = pack(zips, name, options.moodle or options.canvas)
        say(f"{archive}: the zips, under the names that the platform gives to students")
        if without:
            say(f"In the platform's file or in variants/{name}, but not in both: {', '.join(without)}")
    return DONE


def _shown(path: Path) -> Path:
    return path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path
