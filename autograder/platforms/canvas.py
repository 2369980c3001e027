"""Canvas: the names in its download of submissions, and its gradebook as CSV.

A file is `NAME[_LATE]_USER_ATTACHMENT_FILE`, or `anon_ID_ATTACHMENT_FILE` where grading is anonymous. NAME is
the sortable name in small letters without anything that is no letter, digit or underscore. A later attempt
has a larger ATTACHMENT. (instructure/canvas-lms, lib/content_zipper.rb; the table: lib/gradebook_exporter.rb
and lib/gradebook_importer.rb.)
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from pathlib import PurePosixPath

from autograder.platforms.people import Claim, Person, Platform

NAME = "canvas"
_ANONYMOUS = re.compile(r"anon_(?P<number>[0-9A-Za-z]+)_(?P<attachment>\d+)_(?P<file>.+)", re.DOTALL)
_NUMBERS = re.compile(r"_(?P<number>\d+)_(?P<attachment>\d+)_(?P<file>.+)", re.DOTALL)


def is_table(header: Sequence[str]) -> bool:
    """Return whether this is the first row of a gradebook."""
    return "ID" in header and "Section" in header and (header[0] == "Student" or "LastName" in header[:1])


def people(header: Sequence[str], rows: Sequence[Sequence[str]]) -> list[Person]:
    """Return the students of a gradebook; its rows on points and posting are not students."""
    at = {title: place for place, title in enumerate(header)}
    students = []
    for row in rows:
        number = row[at["ID"]].strip()
        if number.isdigit() and not row[0].strip().endswith("Points Possible"):
            name = row[0] if "LastName" not in at else f"{row[at['LastName']]}, {row[at['FirstName']]}"
            login = row[at["SIS Login ID"]] if "SIS Login ID" in at else ""
            email = login if "@" in login else ""
            students.append(Person(NAME, number, number, name.strip(), email))
    return students


def claims(path: str) -> list[Claim]:
    """Return every way to read the name of a file in a download.

    Both the student's name and that of the file may contain numbers between underscores, so there may be
    several ways; only the roster can decide.
    """
    name = PurePosixPath(path).name
    anonymous = _ANONYMOUS.fullmatch(name)
    if anonymous:
        number = f"anon_{anonymous['number']}"
        part = name[: anonymous.start("file")]
        return [Claim(NAME, number, "", anonymous["file"], part, order=int(anonymous["attachment"]))]
    readings = []
    for begin in re.finditer(r"(?<=.)_(?=\d+_\d+_.)", name):
        who, numbers = name[: begin.start()], _NUMBERS.fullmatch(name, begin.start())
        if numbers:
            part, order = name[: numbers.start("file")], int(numbers["attachment"])
            late = who.endswith("_LATE")
            who = who.removesuffix("_LATE")
            readings.append(Claim(NAME, numbers["number"], who, numbers["file"], part, late, order))
    return readings


def same_name(in_path: str, in_table: str) -> bool:
    """Return whether the name in a path is this sortable name."""
    return unicodedata.normalize("NFC", in_path) == unicodedata.normalize("NFC", in_paths(in_table))


def in_paths(sortable_name: str) -> str:
    """Return a name as Canvas writes it into paths: small letters, without numbers between underscores."""
    joined = re.sub(r"_(\d+)_", r"\1", sortable_name).lower()
    return "".join(one for one in joined if unicodedata.category(one)[0] in "LMN" or one == "_")


CANVAS = Platform(NAME, is_table, people, claims, same_name)
