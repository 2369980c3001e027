"""All exercises, as data: one module a lesson, with a family where an exercise has variants.

None of them imports torch before it is needed.
"""

import difflib
import pkgutil
from functools import cache
from importlib import import_module

from autograder.exercise import Exercise
from autograder.exercises.families.family import DIGITS, Family

_LESSONS = sorted(
    module.name for module in pkgutil.iter_modules(__path__) if module.name.startswith("lesson_")
)
_ALL: list[Exercise | Family] = [
    one for lesson in _LESSONS for one in import_module(f"{__name__}.{lesson}").EXERCISES
]

# both in the order of the course
EXERCISES: dict[str, Exercise] = {one.id: one.shipped if isinstance(one, Family) else one for one in _ALL}
FAMILIES: dict[str, Family] = {one.id: one for one in _ALL if isinstance(one, Family)}


def find(exercise_id: str) -> Exercise:
    """Return the exercise of that id, of the course or of a family's member.

    Raises ValueError, naming the nearest ids, if there is none.
    """
    if exercise_id in EXERCISES:
        return EXERCISES[exercise_id]
    member = _member(str(exercise_id))
    if member is not None:
        return member
    near = difflib.get_close_matches(str(exercise_id), EXERCISES, n=3)
    hint = f"did you mean {' or '.join(near)}?" if near else "`autograder list` shows them all."
    raise ValueError(f"There is no exercise {exercise_id!r}; {hint}")


def family_of(exercise_id: str) -> str:
    """Return the id of the course's exercise that a member varies, also one of another year; else the id."""
    course = exercise_id[: -DIGITS - 1]
    return course if course in FAMILIES and exercise_id not in EXERCISES else exercise_id


@cache
def _member(exercise_id: str) -> Exercise | None:
    """Return the member of that id, or None if there is none."""
    family = FAMILIES.get(exercise_id[: -DIGITS - 1])
    if family is None or exercise_id not in family.members:
        return None
    return family.member(exercise_id)
