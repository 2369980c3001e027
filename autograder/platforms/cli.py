"""The commands `autograder roster`, `autograder collect` and `autograder export`."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Mapping
from contextlib import closing
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from autograder.gradescope import cli as gradescope
from autograder.grading.cli import DONE, INCOMPLETE, Commands, add_assignment, add_command, say
from autograder.grading.names import called
from autograder.refusal import Refusal, refusing_files
from vjpcheck import escaping

if TYPE_CHECKING:
    from autograder.grading.course import Course
    from autograder.platforms.people import Person
    from autograder.platforms.roster import Roster

LISTED_AT_MOST = 20


def add_parsers(commands: Commands) -> None:
    """Add the commands to the others."""
    roster = add_command(commands, "roster", _roster, "enrol the students of Canvas or Moodle")
    roster.add_argument(
        "tables", metavar="TABLE.csv", nargs="+", type=Path, help="the file exported by the platform"
    )
    summary = "collect the submissions from a download of Canvas or Moodle"
    collect = add_command(commands, "collect", _collect, summary)
    add_assignment(collect)
    collect.add_argument("downloads", metavar="DOWNLOAD", nargs="+", type=Path, help="a zip or a folder")
    collect.add_argument("--create", action="store_true", help="enrol students who are not on the roster")
    collect.add_argument(
        "--timezone",
        metavar="ZONE",
        help="the time zone of Moodle's times, such as Asia/Hong_Kong; default: that of this machine",
    )
    summary = "grades and feedback for Canvas or Moodle, an autograder for Gradescope"
    export = add_command(commands, "export", _export, summary)
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


@refusing_files()
def _roster(options: argparse.Namespace) -> int:
    """Write the students of Canvas or Moodle into roster.csv and nbgrader's gradebook.

    They are read from an exported gradebook of Canvas or grading worksheet of Moodle, and their groups from
    Canvas's table of groups. Exit status: 0 done, 1 some members of groups are not on the roster, 2 nothing
    was changed.
    """
    from autograder.grading.course import Course
    from autograder.platforms import table
    from autograder.platforms.roster import Roster, enrol

    roster, tables = Roster(), [table.read(path) for path in options.tables]
    people = [person for one in tables for person in one.people]
    for one in tables:
        if one.groups:
            say(f"{one.path}: {len({group for _, group in one.groups})} groups")
        else:
            say(f"{one.path}: {len({person.student for person in one.people})} students")
    roster.add(people)
    groups = [member for one in tables for member in one.groups]
    strangers = roster.put_in_groups(groups) if groups else []
    with _gradebook(Course.here()) as gradebook:
        new = enrol(gradebook, people)
    roster.save()
    say(f"{len({person.student for person in people})} students enrolled, {new} of them new.")
    _list("In a group, and not on the roster", strangers)
    return INCOMPLETE if strangers else DONE


@refusing_files()
def _collect(options: argparse.Namespace) -> int:
    """Copy the notebooks of a download to submitted/, and list the files that were not copied.

    Those of students are kept in downloaded/ASSIGNMENT/refused/. Exit status: 0 all were copied, 1 some were
    not, 2 none.
    """
    from autograder.grading import refused
    from autograder.grading.course import Course
    from autograder.grading.gradebook_queries import names
    from autograder.platforms import collect, origins
    from autograder.platforms.roster import Roster, enrol

    zone, zone_name = _zone(options.timezone)
    course, roster = Course.here(), Roster()
    course.open(options.assignment)[0].close()  # refuses an assignment that does not exist
    if not roster.people and not options.create:
        raise Refusal(
            "There is no roster yet. Read it from the platform's table with `autograder roster TABLE.csv`, "
            "or add --create to enrol all students who have handed in work."
        )
    collection, new = collect.find(options.downloads, roster, options.create)
    with _gradebook(course) as gradebook:
        _enrol_new(gradebook, roster, new, enrol)
        due = gradebook.find_assignment(options.assignment).duedate
        named = names(gradebook.db)
    folders = {s: course.folder("submitted", s, options.assignment) for s in collection.counting}
    course.folder("submitted", ".", ".").mkdir(parents=True, exist_ok=True)
    collect.write(collection, folders, due, zone)
    place = refused.folder(options.assignment)
    refused.add(options.assignment, collect.keep(collection, place))
    if any(one.person.submitted for notebooks in collection.counting.values() for one in notebooks):
        say(f"Moodle's times are read in the zone {zone_name}.")
    origins.add(
        options.assignment,
        [
            origins.Origin(student, one.claim.platform, one.claim.number, one.claim.part, one.name)
            for student, notebooks in collection.counting.items()
            for one in notebooks
            if one.person.student == student  # feedback on a group's work goes back once
        ],
    )
    _list("Remarks", _told(collection.remarks, named))
    _list("Not on the roster and not copied (--create enrols them)", collection.strangers)
    _list(
        "Anonymous and not copied (post the grades on Canvas or add a column Anonymous ID to its gradebook, "
        "then read the gradebook again with `autograder roster`)",
        collection.anonymous,
    )
    _list(f"Not collected; what can be read is kept in {place}", _told(collection.troubles, named))
    with_work = sum(bool(notebooks) for notebooks in collection.counting.values())
    left = len(collection.strangers) + len(collection.anonymous) + len(collection.refused)
    say(f"{with_work} students have handed in work; {left} files were not copied.")
    return INCOMPLETE if left or collection.troubles else DONE


def _told(messages: Iterable[tuple[str, str]], named: Mapping[str, str]) -> list[str]:
    return [f"{called(student, named)}: {text}" if student else text for student, text in messages]


def _zone(name: str | None) -> tuple[ZoneInfo | None, str]:
    """Return a zone and its name; None is the zone of this machine. Raises Refusal if it is unknown."""
    if name is None:
        return None, f"of this machine, {datetime.now().astimezone():%Z (UTC%z)}; --timezone names another"
    try:
        return ZoneInfo(name), name
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise Refusal(
            f"There is no time zone {escaping.name(name)}: name it by continent and city, such as "
            "Asia/Hong_Kong, or UTC."
        ) from None


def _enrol_new(gradebook: Any, roster: Roster, new: list[Person], enrol: Any) -> None:
    if new:
        roster.add(new)
        enrol(gradebook, new)
        roster.save()
        _list("Enrolled", [called(person.student, {person.student: person.name}) for person in new])


@refusing_files()
def _export(options: argparse.Namespace) -> int:
    """Write the grades into the platform's own table, and pack the feedback for its bulk upload.

    Exit status: 0 everybody in the table has a grade, 1 some have none, 2 nothing was written.
    """
    if options.gradescope:
        return gradescope.run(options)
    from autograder.grading.course import Course
    from autograder.grading.gradebook_queries import names
    from autograder.platforms import origins, post, table
    from autograder.platforms.roster import Roster

    path = options.canvas or options.moodle
    name = "canvas" if options.canvas else "moodle"
    read, roster = table.read(path), Roster()
    if read.platform.name != name:
        raise Refusal(f"{path} is a table of {read.platform.name}, not of {name}.")
    students = {number: p.student for (platform, number), p in roster.people.items() if platform == name}
    course = Course.here()
    course.open(options.assignment)[0].close()
    with _gradebook(course) as gradebook:
        graded = post.scores(gradebook, options.assignment)
        named = names(gradebook.db)
    filled = post.fill(read, students, graded, options.column)
    grades = Path(f"{options.assignment}-{name}.csv")
    grades.write_text(read.text(), encoding="utf-8", newline="")
    say(f"{grades}: {filled.count} grades in the column {filled.column}")
    collected = [row for row in origins.load(options.assignment) if row.platform == name]
    rows = [row for row in collected if row.student in graded.decided]
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
    undecided = [called(student, named) for student in graded.undecided]
    _list("You still have to decide on, so without a grade and feedback", undecided)
    without = (student for student in filled.without if student not in graded.undecided)
    _list("Without a grade", [called(student, named) for student in without])
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
