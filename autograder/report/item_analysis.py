"""Computes which exercises separate strong from weak students."""

from dataclasses import dataclass

import numpy as np

from autograder.report.classroom import Classroom, Task, Verdict

STUDENTS_AT_LEAST = 10  # with fewer, a correlation says next to nothing
CLEARLY, SOMEWHAT = 0.4, 0.2
CONFIDENCE = 0.95


@dataclass(frozen=True)
class Item:
    """The results of a class in one exercise.

    `correlation` is between the ends of `interval` with 95 % confidence; both are None if they cannot be
    computed. `words` explain the interval; `verdicts` counts students.
    """

    task: Task
    mean: float
    correlation: float | None
    interval: tuple[float, float] | None
    words: str
    verdicts: dict[Verdict, int]


def analyse(classroom: Classroom) -> list[Item]:
    """Return the analysis of each exercise, over the students without undecided points.

    The correlation is the corrected item-total correlation: Pearson's, between the points in an exercise and
    the points in all others together, so that an exercise is not compared with itself (Guilford 1953,
    Educational and Psychological Measurement 13, 87-93; Henrysson 1963, Psychometrika 28, 211-218).
    Its confidence interval is Fisher's (1921, Metron 1, 3-32).
    """
    graded = {student.id for student in classroom.decided()}
    points = np.array([[w.points for w in classroom.of(p.id)] for p in classroom.students if p.id in graded])
    points = points.reshape(len(graded), len(classroom.tasks))
    items = []
    for column, task in enumerate(classroom.tasks):
        own, others = points[:, column], np.delete(points, column, axis=1).sum(axis=1)
        correlation, interval = _correlation(own, others)
        works = classroom.on(task)
        verdicts = {verdict: sum(work.verdict == verdict for work in works) for verdict in Verdict}
        mean = float(own.mean()) if len(own) else 0.0
        items.append(Item(task, mean, correlation, interval, _in_words(own, others, interval), verdicts))
    return items


def _correlation(own: np.ndarray, others: np.ndarray) -> tuple[float | None, tuple[float, float] | None]:
    if len(own) < STUDENTS_AT_LEAST or np.ptp(own) == 0 or np.ptp(others) == 0:
        return None, None
    from scipy.stats import pearsonr  # here: it takes half a second to import

    result = pearsonr(own, others)
    interval = result.confidence_interval(CONFIDENCE)
    return float(result.statistic), (float(interval.low), float(interval.high))


def _in_words(own: np.ndarray, others: np.ndarray, interval: tuple[float, float] | None) -> str:
    """Return the interval's meaning; the bounds are Ebel's (Measuring Educational Achievement, 1965)."""
    if len(own) < STUDENTS_AT_LEAST:
        return f"Too few students: at least {STUDENTS_AT_LEAST} are needed."
    if np.ptp(own) == 0:
        return "All students have the same points in this exercise."
    if interval is None:
        return "All students have the same points in the other exercises, so no comparison is possible."
    low, high = interval
    if high < 0:
        return "Students who are weak elsewhere do better here: review the exercise and its answers."
    if high < SOMEWHAT:
        return "Hardly separates: the points here say little about the other exercises."
    if low >= CLEARLY:
        return "Separates clearly: students who are strong elsewhere are strong here."
    if low >= SOMEWHAT:
        return "Separates."
    if low > 0:
        return "Separates, but the class is too small to say how well."
    return "The class is too small to say whether it separates."
