"""Maps a platform's file to a student."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Person:
    """A student of a platform.

    `number` is the platform's number in the names of files, `student` the id in the gradebook, `name` the
    name on the platform, and `submitted` its time of submission, or "". `group` is the name of the student's
    group, and `sis` and `login` are further ids by which a table of groups may name the student.
    """

    platform: str
    number: str
    student: str
    name: str
    email: str = ""
    submitted: str = ""
    group: str = ""
    sis: str = ""
    login: str = ""


@dataclass(frozen=True)
class Claim:
    """One way to read a file's name: the student, and the name that the student gave to the file.

    `part` is the platform's own part of the name; `order` grows from one attempt to the next. `typed` says
    what was submitted in place of a file, such as a text.
    """

    platform: str
    number: str
    name: str
    file: str
    part: str
    late: bool = False
    order: int = 0
    typed: str = ""


@dataclass(frozen=True)
class Platform:
    """The functions for a platform's files.

    `people` reads the header and the rows of its table; `claims` reads the path of a file within a download
    in every possible way; `same_name` compares the name in a path with that of the roster.
    """

    name: str
    is_table: Callable[[Sequence[str]], bool]
    people: Callable[[Sequence[str], Sequence[Sequence[str]]], list[Person]]
    claims: Callable[[str], list[Claim]]
    same_name: Callable[[str, str], bool]
