"""Moodle: the names in its download of submissions, and the grading worksheet of an assignment.

A file is `FULL NAME_NUMBER_assignsubmission_file_/FILE` (a folder for each student; since 4.1 without the
last underscore), or `FULL NAME_NUMBER_assignsubmission_file_FILE`. An underscore in the full name is a space.
A text that was typed in place of a file has `onlinetext` in place of `file`.
NUMBER is that of the worksheet's Identifier, `Participant NUMBER`, and another one in each assignment.
(moodle/moodle, mod/assign: gradingtable.php, feedback/offline/importgradeslib.php,
feedback/file/importziplib.php.)
"""

import re
from collections.abc import Sequence

from autograder.platforms.people import Claim, Person, Platform

NAME = "moodle"
IDENTIFIER = "Identifier"
_PART = re.compile(
    r"(?P<name>[^_/]*)_(?P<number>\d+)_assignsubmission_(?P<kind>file|onlinetext)(?:_?/|_)(?P<file>.+)",
    re.DOTALL,
)
_NUMBER = re.compile(r"\D*(\d+)")


def is_table(header: Sequence[str]) -> bool:
    """Return whether this is the first row of a grading worksheet."""
    return IDENTIFIER in header and "Grade" in header


def number_of(identifier: str) -> str:
    """Return the number of an Identifier such as `Participant 1234`, or "" if there is none."""
    match = _NUMBER.fullmatch(identifier.strip())
    return match[1] if match else ""


def people(header: Sequence[str], rows: Sequence[Sequence[str]]) -> list[Person]:
    """Return the participants of a worksheet.

    Their id in the gradebook is the ID number, else the e-mail address, because the participant's number is
    another one in each assignment. If the worksheet has neither, as in anonymous grading, it is that number.
    """
    at = {title: place for place, title in enumerate(header)}

    def entry(row: Sequence[str], title: str) -> str:
        return row[at[title]].strip() if title in at else ""

    participants = []
    for row in rows:
        number = number_of(entry(row, IDENTIFIER))
        if number:
            email = entry(row, "Email address")
            student = entry(row, "ID number") or email or f"participant {number}"
            submitted = entry(row, "Last modified (submission)").strip("-")
            participants.append(Person(NAME, number, student, entry(row, "Full name"), email, submitted))
    return participants


def claims(path: str) -> list[Claim]:
    """Return the one way to read the path of a file in a download, or none.

    The first folder or name of that form counts; the student named the rest.
    """
    match = re.search(r"(?:^|/)" + _PART.pattern, path, re.DOTALL)
    if not match:
        return []
    part = f"{match['name']}_{match['number']}_assignsubmission_file_"
    typed = "a text that was typed into Moodle" if match["kind"] == "onlinetext" else ""
    return [Claim(NAME, match["number"], match["name"], match["file"], part, typed=typed)]


def same_name(in_path: str, in_table: str) -> bool:
    """Return True: the number alone identifies a person."""
    return True


MOODLE = Platform(NAME, is_table, people, claims, same_name)
