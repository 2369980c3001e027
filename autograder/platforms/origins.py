"""Records the platform's file of each collected notebook: feedback goes back under that file's name."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from dataclasses import astuple, dataclass, fields
from pathlib import Path


@dataclass(frozen=True)
class Origin:
    """A notebook in submitted/, and the platform's own part of its file's name."""

    student: str
    platform: str
    number: str
    part: str
    notebook: str


_COLUMNS = [field.name for field in fields(Origin)]


def place(assignment: str) -> Path:
    """Return the path of the table of an assignment."""
    return Path("downloaded") / assignment / "collected.csv"


def load(assignment: str) -> list[Origin]:
    """Return the table of an assignment; an empty list if nothing was collected."""
    path = place(assignment)
    if not path.exists():
        return []
    with path.open(encoding="utf-8", newline="") as opened:
        return [Origin(*row) for row in list(csv.reader(opened))[1:] if len(row) == len(_COLUMNS)]


def add(assignment: str, origins: Iterable[Origin]) -> None:
    """Add rows to the table; a row of the same student and notebook is replaced."""
    rows = {(row.student, row.notebook): row for row in [*load(assignment), *origins]}
    path = place(assignment)
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8", newline="") as opened:
        csv.writer(opened).writerows([_COLUMNS, *map(astuple, rows.values())])
