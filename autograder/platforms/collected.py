"""What was collected from which file of a platform: feedback goes back under that file's name."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from dataclasses import astuple, dataclass, fields
from pathlib import Path


@dataclass(frozen=True)
class Taken:
    """A notebook in submitted/, and the platform's own part of the name that it came under."""

    student: str
    platform: str
    number: str
    part: str
    notebook: str


_COLUMNS = [field.name for field in fields(Taken)]


def place(assignment: str) -> Path:
    """Return the path of the table of an assignment."""
    return Path("downloaded") / assignment / "collected.csv"


def load(assignment: str) -> list[Taken]:
    """Return what was collected for an assignment, nothing where none was."""
    path = place(assignment)
    if not path.exists():
        return []
    with path.open(encoding="utf-8", newline="") as opened:
        return [Taken(*row) for row in list(csv.reader(opened))[1:] if len(row) == len(_COLUMNS)]


def add(assignment: str, taken: Iterable[Taken]) -> None:
    """Add to the table; what the same student handed in under the same name before is replaced."""
    rows = {(row.student, row.notebook): row for row in [*load(assignment), *taken]}
    path = place(assignment)
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8", newline="") as opened:
        csv.writer(opened).writerows([_COLUMNS, *map(astuple, rows.values())])
