"""The commands `autograder roster`, `autograder collect` and `autograder export`."""

from __future__ import annotations

import argparse
import sys
from contextlib import closing
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from autograder.gradescope import cli as gradescope
from autograder.grading.cli import add_assignment, say
from vjpcheck import escaping

if TYPE_CHECKING:
    from autograder.grading.course import Course
    from autograder.platforms.people import Person
    from autograder.platforms.roster import Roster

DONE, INCOMPLETE, NOT_RUN = 0, 1, 2
LISTED_AT_MOST = 20


def add_parsers(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the commands to the others."""
    roster = commands.add_parser(
        "roster",
        help="enrol the students of Canvas or Moodle",
        description=(
            "Reads the students from an exported gradebook of Canvas or grading worksheet of Moodle. Writes "
            "roster.csv and nbgrader's gradebook. Exit status: 0 done, 2 nothing was changed."
        ),
    )
    roster.add_argument(
        "tables", metavar="TABLE.csv", nargs="+", type=Path, help="the file exported by the platform"
    )
    roster.set_defaults(run=_checked(_roster))
    collect = commands.add_parser(
        "collect",
        help="collect the submissions from a download of Canvas or Moodle",
        description=(
            "Copies the notebooks of a download to submitted/, and lists the files that it did not copy. "
            "Exit status: 0 all were copied, 1 some were not, 2 none."
        ),
    )
    add_assignment(collect)
    collect.add_argument("downloads", metavar="DOWNLOAD", nargs="+", type=Path, help="a zip or a folder")
    collect.add_argument("--create", action="store_true", help="enrol students who are not on the roster")
    collect.add_argument(
        "--timezone",
        metavar="ZONE",
        help="the time zone of Moodle's times, such as Asia/Hong_Kong; default: that of this machine",
    )
    collect.set_defaults(run=_checked(_collect))
    export = commands.add_parser(
        "export",
        help="grades and feedback for Canvas or Moodle, an autograder for Gradescope",
        description=(
            "Writes the grades into the platform's own table, and packs the feedback for its bulk upload. "
            "Exit status: 0 everybody in the table has a grade, 1 some have none, 2 nothing was written."
        ),
    )
    to = export.add_mutually_exclusive_group(required=True)
    to.add_argument("--canvas", metavar="GRADEBOOK.csv", type=Path, help="the gradebook, as exported")
    to.add_argument(
        "--moodle", metavar="WORKSHEET.csv", type=Path, help="the grading worksheet, as downloaded"
    )
    to.add_argument("--gradescope", action="store_true", help="write ASSIGNMENT-gradescope.zip")
    add_assignment(export)
    export.add_argument("--column", metavar="TITLE", help="the assignment's title or number in Canvas")
    export.add_argument(
        "--allow-weak-isolation",
        action="store_true",
        help="for Gradescope: grade even if submissions cannot be isolated; each result says so",
    )
    export.set_defaults(run=_checked(_export))


def _checked(command: Any) -> Any:
    """Return the command, which then prints a refusal as a sentence."""

    def run(options: argparse.Namespace) -> int:
        from autograder.grading.assignment import WrongAssignment
        from autograder.platforms.people import NotUsable

        try:
            return int(command(options))
        except (NotUsable, WrongAssignment) as refusal:
            say(f"autograder: {refusal}", sys.stderr)
        except OSError as error:
            say(f"autograder: {error.filename or 'A file'} cannot be written: {error.strerror}.", sys.stderr)
        return NOT_RUN

    return run


def _roster(options: argparse.Namespace) -> int:
    from autograder.grading.course import Course
    from autograder.platforms import table
    from autograder.platforms.roster import Roster, enrol

    roster, people = Roster(), []
    for path in options.tables:
        read = table.read(path).people
        say(f"{path}: {len(read)} students")
        people += read
    roster.add(people)
    with _gradebook(Course.here()) as gradebook:
        new = enrol(gradebook, people)
    roster.save()
    say(f"{len({person.student for person in people})} students enrolled, {new} of them new.")
    return DONE


def _collect(options: argparse.Namespace) -> int:
    from autograder.grading.course import Course
    from autograder.platforms import collect, origins
    from autograder.platforms.people import NotUsable
    from autograder.platforms.roster import Roster, enrol

    zone, zone_name = _zone(options.timezone)
    course, roster = Course.here(), Roster()
    course.open(options.assignment)[0].close()  # refuses an assignment that does not exist
    if not roster.people and not options.create:
        raise NotUsable(
            "There is no roster yet. Read it from the platform's table with `autograder roster TABLE.csv`, "
            "or add --create to enrol all students who have handed in work."
        )
    collection, new = collect.find(options.downloads, roster, options.create)
    with _gradebook(course) as gradebook:
        _enrol_new(gradebook, roster, new, enrol)
        due = gradebook.find_assignment(options.assignment).duedate
    folders = {s: course.folder("submitted", s, options.assignment) for s in collection.counting}
    collect.write(collection, folders, due, zone)
    if any(one.person.submitted for notebooks in collection.counting.values() for one in notebooks):
        say(f"Moodle's times are read in the zone {zone_name}.")
    origins.add(
        options.assignment,
        [
            origins.Origin(student, one.claim.platform, one.claim.number, one.claim.part, one.name)
            for student, notebooks in collection.counting.items()
            for one in notebooks
        ],
    )
    _list("Remarks", collection.remarks)
    _list("Not on the roster and not copied (--create enrols them)", collection.strangers)
    _list("Could not be read", collection.troubles)
    with_work = sum(bool(notebooks) for notebooks in collection.counting.values())
    say(f"{with_work} students have handed in work; {len(collection.strangers)} files were not copied.")
    return INCOMPLETE if collection.strangers or collection.troubles else DONE


def _zone(name: str | None) -> tuple[ZoneInfo | None, str]:
    """Return a zone and its name; None is the zone of this machine. Raises NotUsable if it is unknown."""
    from autograder.platforms.people import NotUsable

    if name is None:
        return None, f"of this machine, {datetime.now().astimezone():%Z (UTC%z)}; --timezone names another"
    try:
        return ZoneInfo(name), name
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise NotUsable(
            f"There is no time zone {escaping.name(name)}: name it by continent and city, such as "
            "Asia/Hong_Kong, or UTC."
        ) from None


def _enrol_new(gradebook: Any, roster: Roster, new: list[Person], enrol: Any) -> None:
    if new:
        roster.add(new)
        enrol(gradebook, new)
        roster.save()
        _list("Enrolled", [person.student for person in new])


def _export(options: argparse.Namespace) -> int:
    if options.gradescope:
        return gradescope.run(options)
    from autograder.grading.course import Course
    from autograder.platforms import origins, post, table
    from autograder.platforms.people import NotUsable
    from autograder.platforms.roster import Roster

    path = options.canvas or options.moodle
    name = "canvas" if options.canvas else "moodle"
    read, roster = table.read(path), Roster()
    if read.platform.name != name:
        raise NotUsable(f"{path} is a table of {read.platform.name}, not of {name}.")
    students = {number: p.student for (platform, number), p in roster.people.items() if platform == name}
    course = Course.here()
    course.open(options.assignment)[0].close()
    with _gradebook(course) as gradebook:
        graded = post.scores(gradebook, options.assignment)
    filled = post.fill(read, students, graded, options.column)
    grades = Path(f"{options.assignment}-{name}.csv")
    grades.write_text(read.text(), encoding="utf-8", newline="")
    say(f"{grades}: {filled.count} grades in the column {filled.column}")
    rows = [row for row in origins.load(options.assignment) if row.platform == name]
    pages = {
        row.student: sorted(course.folder("feedback", row.student, options.assignment).glob("*.html"))
        for row in rows
    }
    archive = Path(f"{options.assignment}-{name}-feedback.zip")
    packed = post.pack(rows, pages, archive)
    say(f"{archive}: {packed} pages of feedback")
    if not packed:
        archive.unlink()
        say("There is no feedback yet: run `autograder feedback`.")
    _list("You still have to decide on", graded.undecided)
    _list("Without a grade", [student for student in filled.without if student not in graded.undecided])
    return INCOMPLETE if filled.without else DONE


def _gradebook(course: Course) -> Any:
    from autograder.grading.gradebook import open_gradebook

    return closing(open_gradebook(course.directory.db_url, course.directory.course_id))


def _list(title: str, lines: list[str]) -> None:
    if lines:
        say(f"{title}:")
        for line in lines[:LISTED_AT_MOST]:
            say(f"  {line}")
        if len(lines) > LISTED_AT_MOST:
            say(f"  and {len(lines) - LISTED_AT_MOST} more")
