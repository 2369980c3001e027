"""The data of the table of mistakes: an example from the corpus, the edits that correct it, the cure."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from typing import Any

import submissions

from autograder.report.lessons import lesson_of
from reader_site import SITE
from vjpcheck.mistakes import MISTAKES

DATA = SITE / "mistakes"


@dataclass(frozen=True)
class Example:
    """Code with a mistake, the corrected code, and the exercise that it answers, if any."""

    wrong: str
    right: str
    exercise: str | None


@dataclass(frozen=True)
class Mistake:
    """One row of the table."""

    id: str
    why: str
    cure: str
    lesson: int | None
    example: Example


@dataclass(frozen=True)
class Group:
    """Mistakes of one kind."""

    title: str
    about: str
    mistakes: tuple[Mistake, ...]


def read() -> list[Group]:
    """Read all groups in order; raises ValueError for an edit that does not fit exactly one place."""
    return [_group(tomllib.loads(path.read_text(encoding="utf-8"))) for path in sorted(DATA.glob("*.toml"))]


def _group(data: dict[str, Any]) -> Group:
    mistakes = tuple(_mistake(name, entry) for name, entry in data["mistakes"].items())
    return Group(str(data["title"]), str(data["about"]), mistakes)


def _mistake(name: str, entry: dict[str, Any]) -> Mistake:
    example = _example(name, entry)
    lesson = lesson_of(name, example.exercise or "")
    return Mistake(name, MISTAKES[name].why, str(entry["cure"]), lesson, example)


def _example(name: str, entry: dict[str, Any]) -> Example:
    exercise = None
    if "function" in entry:
        wrong = str(entry["function"]).lstrip()
    else:
        submission = submissions.named(entry["submission"])
        exercise = submission.exercise
        wrong = submission.source.partition("\n")[2]  # the first line says what is expected
    right = wrong
    for before, after in entry["edits"]:
        if right.count(before) != 1:
            raise ValueError(f"{name}: the edit of {before!r} fits {right.count(before)} places and not one")
        right = right.replace(before, after)
    return Example(wrong, right, exercise)
