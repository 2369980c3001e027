"""Which exercises separate strong from weak students."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from autograder.report.classroom import Classroom, Task, Verdict

STUDENTS_AT_LEAST = 10  # with fewer, a correlation says next to nothing
CLEARLY, SOMEWHAT = 0.4, 0.2


@dataclass(frozen=True)
class Item:
    """How a class did in one exercise.

    `correlation` is None where it cannot be computed; `words` say what it means; `verdicts` counts students.
    """

    task: Task
    mean: float
    correlation: float | None
    words: str
    verdicts: dict[Verdict, int]


def analyse(classroom: Classroom) -> list[Item]:
    """Return the analysis of each exercise, over the students whose work has been graded.

    The correlation is the corrected item-total correlation: Pearson's, between the points in an exercise and
    the points in all others together, so that an exercise is not compared with itself (Guilford 1953,
    Educational and Psychological Measurement 13, 87-93; Henrysson 1963, Psychometrika 28, 211-218).
    """
    graded = {student.id for student in classroom.handed_in()}
    points = np.array([[w.points for w in classroom.of(p.id)] for p in classroom.students if p.id in graded])
    points = points.reshape(len(graded), len(classroom.tasks))
    items = []
    for column, task in enumerate(classroom.tasks):
        own, others = points[:, column], np.delete(points, column, axis=1).sum(axis=1)
        correlation = _correlation(own, others)
        works = classroom.on(task)
        verdicts = {verdict: sum(work.verdict == verdict for work in works) for verdict in Verdict}
        mean = float(own.mean()) if len(own) else 0.0
        items.append(Item(task, mean, correlation, _in_words(own, others, correlation), verdicts))
    return items


def _correlation(own: np.ndarray, others: np.ndarray) -> float | None:
    if len(own) < STUDENTS_AT_LEAST or np.ptp(own) == 0 or np.ptp(others) == 0:
        return None
    return float(np.corrcoef(own, others)[0, 1])


def _in_words(own: np.ndarray, others: np.ndarray, correlation: float | None) -> str:
    """Return what the correlation says; the bounds are Ebel's (Measuring Educational Achievement, 1965)."""
    if len(own) < STUDENTS_AT_LEAST:
        return f"Too few students to say: it takes {STUDENTS_AT_LEAST}."
    if np.ptp(own) == 0:
        return "All have the same points here: it separates nobody."
    if correlation is None:
        return "All have the same points in the other exercises: there is nothing to compare with."
    if correlation < 0:
        return "Those who are weak elsewhere do better here: read the exercise and its answers again."
    if correlation < SOMEWHAT:
        return "Hardly separates: points here say little about the rest."
    if correlation < CLEARLY:
        return "Separates somewhat."
    return "Separates clearly: who is strong elsewhere is strong here."
