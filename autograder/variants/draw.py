"""Draws a member of each family: the same for the same seed and student, whoever else there is."""

import random
from collections.abc import Collection, Mapping

from autograder.exercise import Exercise
from autograder.exercises import FAMILIES


def draw(of: Collection[str], seed: str, student: str = "") -> Mapping[str, Exercise]:
    """Return a member of each of these families, by the family's id, none near the course's own exercise.

    `student` is whose it is, or "" for everybody's.
    """
    return {name: _member(name, random.Random(f"{seed}/{student}/{name}")) for name in FAMILIES if name in of}


def _member(name: str, chance: random.Random) -> Exercise:
    family = FAMILIES[name]
    while True:
        drawn = family.member(chance.choice([*family.members]))
        if drawn.unlike(family.shipped):
            return drawn
