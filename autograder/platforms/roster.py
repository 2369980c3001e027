"""The roster of the course: the gradebook's student for each number of a platform.

The roster is in roster.csv beside the gradebook. Moodle's numbers differ in each assignment, so each
worksheet adds some.
"""

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

from autograder import records
from autograder.grading.names import RULE, is_id
from autograder.platforms import canvas
from autograder.platforms.canvas import Ids
from autograder.platforms.people import Claim, Person
from autograder.platforms.table import PLATFORMS
from autograder.refusal import Refusal
from vjpcheck import escaping

FILE = Path("roster.csv")


class Roster:
    """The people of roster.csv, by platform and number."""

    def __init__(self, path: Path = FILE) -> None:
        """Read the roster, if there is one; raises Refusal if the file is no roster."""
        self._path = path
        self.people: dict[tuple[str, str], Person] = {}
        self._put(records.read(path, Person))

    def add(self, people: Iterable[Person]) -> None:
        """Add or update people; raises Refusal for an id that the gradebook cannot have.

        A student whose table names no group stays in the group that is known.
        """
        people = list(people)
        for person in people:
            if not is_id(person.student):
                raise Refusal(f"{escaping.name(person.student)} is not a valid student id. {RULE}.")
        known = self.people
        self._put(
            replace(one, group=one.group or known.get((one.platform, one.number), one).group)
            for one in people
        )

    def put_in_groups(self, members: Iterable[tuple[Ids, str]]) -> list[str]:
        """Put the students of Canvas into groups, and into no others; return who is not on the roster.

        Raises Refusal if a student is in two groups.
        """
        people = [one for one in self.people.values() if one.platform == "canvas"]
        by_id = {id_: one.student for one in people for id_ in canvas.ids(one.number, one.sis, one.login)}
        groups: dict[str, str] = {}
        strangers = []
        for ids, group in members:
            student = next((by_id[id_] for id_ in ids if id_ in by_id), None)
            if student is None:
                strangers.append(escaping.name(ids[0][1]))
            elif groups.setdefault(student, group) != group:
                raise Refusal(
                    f"{student} is in two groups, {escaping.name(groups[student])} and "
                    f"{escaping.name(group)}: export the groups of one assignment alone."
                )
        self._put(replace(one, group=groups.get(one.student, "")) for one in people)
        return strangers

    def save(self) -> None:
        """Write roster.csv."""
        records.write(self._path, Person, self.people.values())

    def find(self, claims: Iterable[Claim]) -> tuple[Claim, Person] | None:
        """Return the one claim that the roster confirms, and its person.

        The roster must have the number, and the name in the path, if there is one, must be that person's or
        that of the group. If no name agrees (people change their names), the number alone counts, if there is
        only one way to read the path.
        """
        claims = list(claims)
        pairs = [
            (c, self.people[c.platform, c.number]) for c in claims if (c.platform, c.number) in self.people
        ]
        named = [(c, one) for c, one in pairs if not c.name or is_named(c, one.name, one.group)]
        if len(named) == 1:
            return named[0]
        return pairs[0] if len(claims) == len(pairs) == 1 else None

    def authors(self, claim: Claim, person: Person) -> list[Person]:
        """Return the students whose work a file is: the person, or all members if the name is the group's."""
        if not is_named(claim, person.group):
            return [person]
        others = (one for one in self.people.values() if one.group == person.group)
        return [person, *{o.student: o for o in others if o.student != person.student}.values()]

    def _put(self, people: Iterable[Person]) -> None:
        self.people |= {(person.platform, person.number): person for person in people}


def is_named(claim: Claim, *names: str) -> bool:
    """Return whether the name in a path is one of these."""
    same_name = PLATFORMS[claim.platform].same_name
    return any(same_name(claim.name, name) for name in names if name)


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
