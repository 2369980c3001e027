"""The roster of the course: the gradebook's student for each number of a platform.

The roster is in roster.csv beside the gradebook. Moodle's numbers differ in each assignment, so each
worksheet adds some.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable
from dataclasses import astuple, fields
from pathlib import Path
from typing import Any

from autograder.grading.names import RULE, is_id
from autograder.platforms.people import Claim, NotUsable, Person
from autograder.platforms.table import PLATFORMS
from autograder.whole_file import replacing
from vjpcheck import escaping

FILE = Path("roster.csv")
_COLUMNS = [field.name for field in fields(Person)]


class Roster:
    """The people of roster.csv, by platform and number."""

    def __init__(self, path: Path = FILE) -> None:
        """Read the roster, if there is one; raises NotUsable if the file is no roster."""
        self._path = path
        self.people: dict[tuple[str, str], Person] = {}
        if path.exists():
            with path.open(encoding="utf-8", newline="") as opened:
                header, *rows = csv.reader(opened)
            if header != _COLUMNS or any(len(row) != len(header) for row in rows):
                raise NotUsable(f"{path} was not written by `autograder roster`: remove it and try again.")
            self._put(Person(*row) for row in rows)

    def add(self, people: Iterable[Person]) -> None:
        """Add or update people; raises NotUsable for an id that the gradebook cannot have."""
        people = list(people)
        for person in people:
            if not is_id(person.student):
                raise NotUsable(f"{escaping.name(person.student)} is not a valid student id. {RULE}.")
        self._put(people)

    def save(self) -> None:
        """Write roster.csv."""
        with replacing(self._path) as part, part.open("w", encoding="utf-8", newline="") as opened:
            csv.writer(opened).writerows([_COLUMNS, *map(astuple, self.people.values())])

    def find(self, claims: Iterable[Claim]) -> tuple[Claim, Person] | None:
        """Return the one claim that the roster confirms, and its person.

        The roster must have the number, and the name in the path must be that person's. If no name agrees
        (people change their names), the number alone counts, if there is only one way to read the path.
        """
        claims = list(claims)
        pairs = [
            (c, self.people[c.platform, c.number]) for c in claims if (c.platform, c.number) in self.people
        ]
        named = [pair for pair in pairs if PLATFORMS[pair[0].platform].same_name(pair[0].name, pair[1].name)]
        if len(named) == 1:
            return named[0]
        return pairs[0] if len(claims) == len(pairs) == 1 else None

    def _put(self, people: Iterable[Person]) -> None:
        self.people |= {(person.platform, person.number): person for person in people}


def enrol(gradebook: Any, people: Iterable[Person]) -> int:
    """Write people into nbgrader's gradebook, with name and address; return how many are new."""
    ids = {student.id for student in gradebook.students}
    new = 0
    for person in people:
        new += person.student not in ids
        ids.add(person.student)
        last, comma, first = person.name.partition(",")
        if not comma:
            first, _, last = person.name.rpartition(" ")
        gradebook.update_or_create_student(
            person.student,
            first_name=first.strip() or None,
            last_name=last.strip() or None,
            email=person.email or None,
            lms_user_id=person.number if person.platform == "canvas" else None,
        )
    return new
