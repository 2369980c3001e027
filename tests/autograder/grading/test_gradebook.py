"""A gradebook that the autograder makes is the one that nbgrader would make."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from nbgrader.api import Gradebook
from sqlalchemy import MetaData, create_engine, text

from autograder.grading.course import find_own_programs
from autograder.grading.gradebook import open_gradebook


def content(db_url: str) -> tuple[str, dict[str, Any]]:
    engine = create_engine(db_url)
    with engine.connect() as connection:
        version = connection.execute(text("SELECT version_num FROM alembic_version")).scalar_one()
        tables = MetaData()
        tables.reflect(connection)
    engine.dispose()
    columns = {
        name: [(column.name, str(column.type), column.nullable) for column in table.columns]
        for name, table in tables.tables.items()
    }
    return version, columns


@pytest.mark.parametrize("times", [1, 2])
def test_a_new_gradebook_is_nbgraders(tmp_path: Path, times: int) -> None:
    find_own_programs()
    ours, theirs = (f"sqlite:///{tmp_path}/{name}.db" for name in ("ours", "theirs"))
    Gradebook(theirs, "course").close()
    for _ in range(times):
        with open_gradebook(ours, "course") as book:
            book.update_or_create_student("ada")
    assert content(ours) == content(theirs)
    with open_gradebook(ours, "course") as book:
        assert [student.id for student in book.students] == ["ada"]
