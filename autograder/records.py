"""Tables of the course as CSV files: a dataclass of texts makes the columns, an instance a row."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from dataclasses import astuple, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from autograder.whole_file import replacing

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

Row = TypeVar("Row", bound="DataclassInstance")


def read(path: Path, kind: type[Row]) -> list[Row]:
    """Return the rows of a table; none if there is no file.

    An older file may lack the last columns, if these have defaults. Raises ValueError for another table.
    """
    if not path.exists():
        return []
    with path.open(encoding="utf-8", newline="") as opened:
        header, *rows = [*csv.reader(opened)] or [[]]
    columns = _columns(kind)
    if not header or header != columns[: len(header)] or any(len(row) != len(header) for row in rows):
        raise ValueError(f"{path} has other columns than {', '.join(columns)}.")
    return [kind(*row) for row in rows]


def write(path: Path, kind: type[Row], rows: Iterable[Row]) -> None:
    """Write a table, whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with replacing(path) as part, part.open("w", encoding="utf-8", newline="") as opened:
        csv.writer(opened).writerows([_columns(kind), *map(astuple, rows)])


def _columns(kind: type[Any]) -> list[str]:
    return [field.name for field in fields(kind)]
