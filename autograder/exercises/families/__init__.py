"""Families of exercises, as data: one module a lesson, of the exercises of that lesson.

The id of a member ends with six hexadecimal digits that stand for its choices, so that a notebook names what
it is checked against: nothing else is needed to check or to grade it.
"""

from __future__ import annotations

import pkgutil
from functools import cache
from importlib import import_module

from autograder.exercise import Exercise
from autograder.exercises.families.family import DIGITS, Family


@cache
def families() -> dict[str, Family]:
    """Return every family by its id, in the order of the course."""
    names = sorted(found.name for found in pkgutil.iter_modules(__path__) if found.name.startswith("lesson_"))
    modules = (import_module(f"{__name__}.{name}") for name in names)
    return {family.id: family for module in modules for family in module.FAMILIES}


@cache
def member(exercise_id: str) -> Exercise | None:
    """Return the member of that id, or None if there is none."""
    family = families().get(exercise_id[: -DIGITS - 1])
    if family is None or exercise_id not in family.members:
        return None
    return family.member(exercise_id)
