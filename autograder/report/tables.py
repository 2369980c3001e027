"""Writes all data of the report as CSV files."""

import csv
from collections.abc import Iterable
from pathlib import Path

from autograder.report.classroom import Classroom
from autograder.report.item_analysis import Item
from autograder.report.mistakes import Ranking
from vjpcheck.escaping import for_csv

TABLES = ("students.csv", "results.csv", "exercises.csv", "mistakes.csv")


def write(folder: Path, classroom: Classroom, items: list[Item], ranked: list[Ranking]) -> None:
    """Write a row for each student, each student and exercise, each exercise, and each mistake."""
    students, results, exercises, mistakes = (folder / name for name in TABLES)
    graded = {student.id for student in classroom.graded()}
    _write(
        students,
        ("assignment", "student", "name", "score", "max_score", "late_penalty", "undecided", "remark"),
        (
            (
                classroom.assignment,
                student.id,
                student.name,
                f"{classroom.score(student.id):g}" if student.id in graded else "",
                f"{classroom.max_score:g}",
                f"{classroom.late_penalties.get(student.id, 0.0):g}",
                ";".join(w.task.exercise for w in classroom.of(student.id) if w.verdict.waits),
                classroom.remarks.get(student.id, ""),
            )
            for student in classroom.students
        ),
    )
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
        (
            "exercise",
            "max_points",
            "mean_points",
            "corrected_item_total_correlation",
            "low_95",
            "high_95",
            *items[0].verdicts,
        )
        if items
        else ("exercise",),
        (
            (
                item.task.exercise,
                f"{item.task.points:g}",
                f"{item.mean:.4f}",
                "" if item.correlation is None else f"{item.correlation:.4f}",
                *(("", "") if item.interval is None else (f"{end:.4f}" for end in item.interval)),
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
        writer.writerows([for_csv(cell) for cell in row] for row in rows)
