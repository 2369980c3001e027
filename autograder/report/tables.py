"""Writes all data of the report as CSV files."""

import csv
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import Any

from autograder.report.classroom import Classroom, Verdict
from autograder.report.item_analysis import Item
from autograder.report.mistakes import Ranking
from vjpcheck.escaping import for_csv

TABLES = ("students.csv", "results.csv", "exercises.csv", "mistakes.csv")
Columns = dict[str, Callable[[Any], object]]  # the value of a row's object, by the column's title


def write(folder: Path, classroom: Classroom, items: list[Item], ranked: list[Ranking]) -> None:
    """Write a row for each student, each student and exercise, each exercise, and each mistake."""
    graded = {student.id for student in classroom.graded()}
    students: Columns = {
        "assignment": lambda _: classroom.assignment,
        "student": lambda student: student.id,
        "name": lambda student: student.name,
        "score": lambda student: f"{classroom.score(student.id):g}" if student.id in graded else "",
        "max_score": lambda _: f"{classroom.max_score:g}",
        "late_penalty": lambda student: f"{classroom.late_penalties.get(student.id, 0.0):g}",
        "undecided": lambda s: ";".join(w.task.exercise for w in classroom.of(s.id) if w.verdict.waits),
        "remark": lambda student: classroom.remarks.get(student.id, ""),
    }
    results: Columns = {
        "assignment": lambda _: classroom.assignment,
        "student": lambda work: work.student,
        "exercise": lambda work: work.task.exercise,
        "points": lambda work: f"{work.points:g}",
        "max_points": lambda work: f"{work.task.points:g}",
        "verdict": lambda work: work.verdict,
        "mistakes": lambda work: ";".join(work.mistakes),
        "note": lambda work: work.note,
    }
    exercises: Columns = {"exercise": lambda item: item.task.exercise}
    if items:
        exercises |= {
            "max_points": lambda item: f"{item.task.points:g}",
            "mean_points": lambda item: f"{item.mean:.4f}",
            "corrected_item_total_correlation": lambda item: _rounded(item.correlation),
            "low_95": lambda item: _rounded(item.interval and item.interval[0]),
            "high_95": lambda item: _rounded(item.interval and item.interval[1]),
            **{str(verdict): partial(_students, verdict) for verdict in items[0].verdicts},
        }
    mistakes: Columns = {
        "mistake": lambda one: one.mistake,
        "students": lambda one: len(one.students),
        "exercises": lambda one: ";".join(one.exercises),
        "lessons": lambda one: ";".join(map(str, one.lessons)),
    }
    tables: list[tuple[Columns, Iterable[Any]]] = [
        (students, classroom.students),
        (results, classroom.works),
        (exercises, items),
        (mistakes, ranked),
    ]
    for name, (columns, rows) in zip(TABLES, tables, strict=True):
        with (folder / name).open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(columns)
            writer.writerows([for_csv(str(value(row))) for value in columns.values()] for row in rows)


def _students(verdict: Verdict, item: Item) -> int:
    return item.verdicts[verdict]


def _rounded(number: float | None) -> str:
    return "" if number is None else f"{number:.4f}"
