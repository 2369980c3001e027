"""All exercises, as data: one module a lesson, and `families` for their variants.

None of them imports torch before it is needed.
"""

from __future__ import annotations

import difflib
import pkgutil
from importlib import import_module

from autograder.exercise import Exercise
from autograder.exercises import families

_LESSONS = sorted(found.name for found in pkgutil.iter_modules(__path__) if found.name.startswith("lesson_"))

EXERCISES: dict[str, Exercise] = {
    exercise.id: exercise
    for lesson in _LESSONS
    for exercise in import_module(f"{__name__}.{lesson}").EXERCISES
}


def find(exercise_id: str) -> Exercise:
    """Return the exercise of that id, of the course or of a family's member.

    Raises ValueError, naming the nearest ids, if there is none.
    """
    if exercise_id in EXERCISES:
        return EXERCISES[exercise_id]
    member = families.member(str(exercise_id))
    if member is not None:
        return member
    near = difflib.get_close_matches(str(exercise_id), EXERCISES, n=3)
    hint = f"did you mean {' or '.join(near)}?" if near else "`autograder list` shows them all."
    raise ValueError(f"There is no exercise {exercise_id!r}; {hint}")


def family_of(exercise_id: str) -> str:
    """Return the id of the course's exercise that a member varies; any other id as it is."""
    member = families.member(exercise_id)
    return exercise_id if member is None else member.family
