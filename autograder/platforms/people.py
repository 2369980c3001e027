"""Who stands behind a file of a platform."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass


class NotUsable(Exception):  # noqa: N818 - a refusal, told to the instructor in one sentence
    """A file that the platform cannot have made, or that cannot be read; the message says what to do."""


@dataclass(frozen=True)
class Person:
    """A student as a platform knows them.

    `number` is what the platform writes into the names of files, `student` the id in the gradebook, `name`
    the name as the platform shows it, `submitted` when it says that the work was handed in, or "".
    """

    platform: str
    number: str
    student: str
    name: str
    email: str = ""
    submitted: str = ""


@dataclass(frozen=True)
class Claim:
    """One way to read a file's name: whose it is, and what the student called the file.

    `part` is the platform's own part of the name, `order` grows from one attempt to the next.
    """

    platform: str
    number: str
    name: str
    file: str
    part: str
    late: bool = False
    order: int = 0


@dataclass(frozen=True)
class Platform:
    """What is to be known of a platform.

    `people` reads its table, given the header and the rows; `claims` reads the path of a file within a
    download, in every way that makes sense; `same_name` compares the name in a path with that of the roster.
    """

    name: str
    is_table: Callable[[Sequence[str]], bool]
    people: Callable[[Sequence[str], Sequence[Sequence[str]]], list[Person]]
    claims: Callable[[str], list[Claim]]
    same_name: Callable[[str, str], bool]
