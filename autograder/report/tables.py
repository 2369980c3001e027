"""Everything else, as CSV files."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from pathlib import Path

from autograder.report.classroom import Classroom
from autograder.report.item_analysis import Item
from autograder.report.mistakes import Ranked

TABLES = ("results.csv", "exercises.csv", "mistakes.csv")


def write(folder: Path, classroom: Classroom, items: list[Item], ranked: list[Ranked]) -> None:
    """Write a row for each student and exercise, for each exercise, and for each mistake."""
    results, exercises, mistakes = (folder / name for name in TABLES)
    _write(
        results,
        ("assignment", "student", "exercise", "points", "max_points", "verdict", "mistakes", "note"),
        (
            (
                classroom.assignment,
                work.student,
                work.task.exercise,
                f"{work.points:g}",
                f"{work.task.points:g}",
                work.verdict,
                ";".join(work.mistakes),
                work.note,
            )
            for work in classroom.works
        ),
    )
    _write(
        exercises,
        ("exercise", "max_points", "mean_points", "corrected_item_total_correlation", *items[0].verdicts)
        if items
        else ("exercise",),
        (
            (
                item.task.exercise,
                f"{item.task.points:g}",
                f"{item.mean:.4f}",
                "" if item.correlation is None else f"{item.correlation:.4f}",
                *map(str, item.verdicts.values()),
            )
            for item in items
        ),
    )
    _write(
        mistakes,
        ("mistake", "students", "exercises", "lessons"),
        (
            (one.mistake, str(len(one.students)), ";".join(one.exercises), ";".join(map(str, one.lessons)))
            for one in ranked
        ),
    )


def _write(path: Path, head: Iterable[str], rows: Iterable[Iterable[str]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(head)
        writer.writerows([_plain(cell) for cell in row] for row in rows)


def _plain(cell: str) -> str:
    """Return the text so that no spreadsheet takes it for a formula."""
    return f"'{cell}" if cell.startswith(("=", "+", "@", "\t", "\r")) or _formula(cell) else cell


def _formula(cell: str) -> bool:
    if not cell.startswith("-"):
        return False
    try:
        float(cell)
    except ValueError:
        return True
    return False
