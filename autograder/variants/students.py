"""Who gets a variant of their own: the ids in a CSV file, such as the one that `autograder roster` writes."""

import csv
from pathlib import Path

from autograder.grading.names import RULE, is_id
from autograder.refusal import Refusal
from vjpcheck import escaping

COLUMNS = ("student", "id")  # of roster.csv, and of what `nbgrader db student import` reads


def students(path: Path) -> list[str]:
    """Return the ids of a roster, sorted; raises Refusal if the file has none or one is no id."""
    try:
        with path.open(encoding="utf-8-sig", newline="") as opened:
            rows = [*csv.DictReader(opened)]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise Refusal(f"{path} cannot be read as a table ({type(error).__name__}).") from None
    column = next((name for name in COLUMNS if rows and name in rows[0]), None)
    if column is None:
        raise Refusal(f"{path} has no student: a column `student`, as in roster.csv, or `id` is needed.")
    ids = sorted({row[column] or "" for row in rows})
    for student in ids:
        if not is_id(student):
            raise Refusal(f"{path}: {escaping.name(student)} is not a valid student id. {RULE}.")
    return ids
