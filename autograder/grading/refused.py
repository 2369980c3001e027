"""Records what students handed in that is no notebook: a table, and the files beside it.

Grading reads it, and so says of a student without a notebook what was handed in.
"""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from autograder import records


@dataclass(frozen=True)
class Refused:
    """A file of a student that was not collected: why, in a sentence, and where it is kept, or ""."""

    student: str
    file: str
    why: str
    kept: str = ""


def folder(assignment: str) -> Path:
    """Return where the files of an assignment are kept, in a folder for each student."""
    return Path("downloaded") / assignment / "refused"


def add(assignment: str, refused: Iterable[Refused]) -> None:
    """Add rows to the table; a row of the same student and file is replaced."""
    if new := [*refused]:
        records.add(_table(assignment), Refused, new, "student", "file")


def reasons(assignment: str) -> dict[str, str]:
    """Return in sentences, by student, what was refused and where it is."""
    by_student: dict[str, list[Refused]] = defaultdict(list)
    for row in records.read(_table(assignment), Refused):
        by_student[row.student].append(row)
    return {student: _reason(rows) for student, rows in by_student.items()}


def _reason(rows: list[Refused]) -> str:
    places = ", ".join(dict.fromkeys(row.kept for row in rows if row.kept))
    kept = f" Kept in {places}." if places else ""
    return f"No notebook was handed in: {' '.join(row.why for row in rows)}{kept}"


def _table(assignment: str) -> Path:
    return folder(assignment).with_suffix(".csv")
