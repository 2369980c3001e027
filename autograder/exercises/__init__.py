"""All exercises, as data: one module a lesson. None of them imports torch before it is needed."""

from __future__ import annotations

import difflib

from autograder.exercise import Exercise
from autograder.exercises import (
    lesson_01,
    lesson_02,
    lesson_03,
    lesson_04,
    lesson_05,
    lesson_06,
    lesson_07,
    lesson_08,
    lesson_09,
    lesson_10,
    lesson_11,
    lesson_12,
)

_LESSONS = (
    lesson_01,
    lesson_02,
    lesson_03,
    lesson_04,
    lesson_05,
    lesson_06,
    lesson_07,
    lesson_08,
    lesson_09,
    lesson_10,
    lesson_11,
    lesson_12,
)

EXERCISES: dict[str, Exercise] = {
    exercise.id: exercise for lesson in _LESSONS for exercise in lesson.EXERCISES
}


def find(exercise_id: str) -> Exercise:
    """Return the exercise of that id; raises ValueError, naming the nearest ids, if there is none."""
    if exercise_id in EXERCISES:
        return EXERCISES[exercise_id]
    near = difflib.get_close_matches(str(exercise_id), EXERCISES, n=3)
    hint = f"did you mean {' or '.join(near)}?" if near else "`autograder list` shows them all."
    raise ValueError(f"There is no exercise {exercise_id!r}; {hint}")
