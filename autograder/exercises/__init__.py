"""All exercises, as data: one module a lesson. None of them imports torch before it is needed."""

from __future__ import annotations

import difflib
import pkgutil
from importlib import import_module

from autograder.exercise import Exercise

_LESSONS = sorted(found.name for found in pkgutil.iter_modules(__path__) if found.name.startswith("lesson_"))

EXERCISES: dict[str, Exercise] = {
    exercise.id: exercise
    for lesson in _LESSONS
    for exercise in import_module(f"{__name__}.{lesson}").EXERCISES
}


def find(exercise_id: str) -> Exercise:
    """Return the exercise of that id; raises ValueError, naming the nearest ids, if there is none."""
    if exercise_id in EXERCISES:
        return EXERCISES[exercise_id]
    near = difflib.get_close_matches(str(exercise_id), EXERCISES, n=3)
    hint = f"did you mean {' or '.join(near)}?" if near else "`autograder list` shows them all."
    raise ValueError(f"There is no exercise {exercise_id!r}; {hint}")
