"""Canvas: the names in its download of submissions, its gradebook as CSV, and its groups as CSV.

A file is `NAME[_LATE]_USER_ATTACHMENT_FILE`, or `[LATE_]anon_ID_ATTACHMENT_FILE` where grading is
anonymous. A text or an address that was typed in place of a file ends with `_text.html` or `_link.html`,
after USER or ID. NAME is the sortable name in small letters without anything that is no letter, digit or
underscore. Where a group has one grade, its work is there once: NAME is that of the group, and USER one of
its members. A later attempt has a larger ATTACHMENT. (instructure/canvas-lms, lib/content_zipper.rb; the
gradebook: lib/gradebook_exporter.rb and lib/gradebook_importer.rb; groups: doc/api/group_category_csv.md;
the Test Student, whose login is a hash: app/models/course.rb.)
"""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import replace
from pathlib import PurePosixPath

from autograder.platforms.people import Claim, Person, Platform

NAME = "canvas"
TEST_STUDENT = "Student, Test"
_GROUP_TITLES = ("group", "groups", "group name", "group_name", "student group")  # of a column of notes
_REST = r"_(?:(?P<attachment>\d+)_(?P<file>.+)|(?P<typed>text|link)\.html)"
_ANONYMOUS = re.compile(r"(?P<late>LATE_)?(?P<number>anon_[0-9A-Za-z]+)" + _REST, re.DOTALL)
_NUMBERS = re.compile(r"_(?P<number>\d+)" + _REST, re.DOTALL)
_IDS = ("canvas_user_id", "user_id", "login_id")
Ids = Sequence[tuple[str, str]]
_TYPED = {"text": "a text that was typed into Canvas", "link": "a web address"}


def is_table(header: Sequence[str]) -> bool:
    """Return whether this is the first row of a gradebook."""
    return "ID" in header and "Section" in header and (header[0] == "Student" or "LastName" in header[:1])


def people(header: Sequence[str], rows: Sequence[Sequence[str]]) -> list[Person]:
    """Return the students of a gradebook; its rows on points and posting are not students.

    A student has a further entry for each number in a column of anonymous ids.
    """
    at = {title: place for place, title in enumerate(header)}
    of_groups = next((n for n, title in enumerate(header) if title.strip().lower() in _GROUP_TITLES), None)
    anonymous = [n for n, title in enumerate(header) if re.fullmatch(r"(?i).*anonym.*[^)]", title.strip())]
    students, further = [], []
    for row in rows:
        number = row[at["ID"]].strip()
        if number.isdigit() and not row[0].strip().endswith("Points Possible"):
            name = row[0] if "LastName" not in at else f"{row[at['LastName']]}, {row[at['FirstName']]}"
            sis, login = (
                row[at[title]].strip() if title in at else "" for title in ("SIS User ID", "SIS Login ID")
            )
            group = "" if of_groups is None else row[of_groups].strip()
            email = login if "@" in login else ""
            student = Person(NAME, number, number, name.strip(), email, "", group, sis, login)
            students.append(student)
            ids = (row[place].strip().removeprefix("anon_") for place in anonymous)
            further += [replace(student, number=f"anon_{one}") for one in ids if one]
    return [*further, *students]


def is_test_student(person: Person) -> bool:
    """Return whether this is the account of a teacher's student view: without address and SIS id."""
    return (person.platform, person.name, person.email, person.sis) == (NAME, TEST_STUDENT, "", "")


def is_anonymous(claim: Claim) -> bool:
    """Return whether the name of a file has an anonymous id in place of the student's."""
    return claim.number.startswith("anon_")


def claims(path: str) -> list[Claim]:
    """Return every way to read the name of a file in a download.

    Both the student's name and that of the file may contain numbers between underscores, so there may be
    several ways; only the roster can decide.
    """
    name = PurePosixPath(path).name
    readings = []
    if anonymous := _ANONYMOUS.fullmatch(name):
        readings.append(_claim(anonymous, "", bool(anonymous["late"])))
    for begin in re.finditer(r"(?<=.)_(?=\d+_)", name):
        who, numbers = name[: begin.start()], _NUMBERS.fullmatch(name, begin.start())
        if numbers:
            readings.append(_claim(numbers, who.removesuffix("_LATE"), who.endswith("_LATE")))
    return readings


def _claim(match: re.Match[str], who: str, late: bool) -> Claim:
    typed = match["typed"]
    file, order = (f"{typed}.html", 0) if typed else (match["file"], int(match["attachment"]))
    part = match.string.removesuffix(file)
    return Claim(NAME, match["number"], who, file, part, late, order, _TYPED.get(typed, ""))


def is_of_groups(header: Sequence[str]) -> bool:
    """Return whether this is the first row of a table of groups."""
    return "group_name" in header and not set(_IDS).isdisjoint(header)


def ids(number: str, sis: str, login: str) -> Ids:
    """Return the ids by which a table of groups may name a student, with their columns; none is empty."""
    return [pair for pair in zip(_IDS, (number, sis, login), strict=True) if pair[1]]


def groups(header: Sequence[str], rows: Sequence[Sequence[str]]) -> list[tuple[Ids, str]]:
    """Return the ids of each member, and the name of the group."""
    entries = [{title: cell.strip() for title, cell in zip(header, row, strict=True)} for row in rows]
    members = [(ids(*(one.get(title, "") for title in _IDS)), one["group_name"]) for one in entries]
    return [(who, group) for who, group in members if who and group]


def same_name(in_path: str, in_table: str) -> bool:
    """Return whether the name in a path is this sortable name."""
    return unicodedata.normalize("NFC", in_path) == unicodedata.normalize("NFC", in_paths(in_table))


def in_paths(sortable_name: str) -> str:
    """Return a name as Canvas writes it into paths: small letters, without numbers between underscores."""
    joined = re.sub(r"_(\d+)_", r"\1", sortable_name).lower()
    return "".join(one for one in joined if unicodedata.category(one)[0] in "LMN" or one == "_")


CANVAS = Platform(NAME, is_table, people, claims, same_name)
# a table of groups names no students with their grades, and no file of a download is of it
GROUPS = Platform("canvas groups", is_of_groups, lambda header, rows: [], lambda path: [], same_name)
