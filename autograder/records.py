"""Tables of the course as CSV files: a dataclass of texts makes the columns, an instance a row."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import astuple, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from autograder.refusal import Refusal
from autograder.whole_file import replacing

if TYPE_CHECKING:
    from _typeshed import DataclassInstance


Row = TypeVar("Row", bound="DataclassInstance")


def read(path: Path, kind: type[Row]) -> list[Row]:
    """Return the rows of a table; none if there is no file.

    An older file may lack the last columns, if these have defaults. Raises Refusal for another table.
    """
    if not path.exists():
        return []
    with path.open(encoding="utf-8", newline="") as opened:
        header, *rows = [*csv.reader(opened)] or [[]]
    with suppress(TypeError):  # a column without a default is missing
        if header == _columns(kind)[: len(header)] and all(len(row) == len(header) for row in rows):
            return [kind(*row) for row in rows]
    raise Refusal(f"{path} was not written by `autograder`: remove it and try again.")


def write(path: Path, kind: type[Row], rows: Iterable[Row]) -> None:
    """Write a table, whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with replacing(path) as part, part.open("w", encoding="utf-8", newline="") as opened:
        csv.writer(opened).writerows([_columns(kind), *map(astuple, rows)])


def add(path: Path, kind: type[Row], rows: Iterable[Row], *key: str) -> None:
    """Add rows to a table; a row with the same values in the columns of the key is replaced."""
    merged = {tuple(getattr(row, column) for column in key): row for row in [*read(path, kind), *rows]}
    write(path, kind, merged.values())


def _columns(kind: type[Any]) -> list[str]:
    return [field.name for field in fields(kind)]
