"""What a family is: one exercise of the course with its functions, axes, constants and orders left open."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product
from typing import Any

import numpy as np

from autograder.exercise import Exercise, FunctionExercise

Choice = str | int | float | bool
Chosen = Mapping[str, Choice]
DIGITS = 6  # of the end of a member's id


@dataclass(frozen=True, kw_only=True)
class Family:
    """The members of one exercise of the course: one for each combination of the choices.

    `shipped` is the exercise of the course. Its id is the family's, and a member has its points and its limit
    on time; `shipped_as` are the choices that give it, if there are such: they are no member. `choices` has
    the options of each parameter. `make` returns what a member says for itself, as the fields of an exercise,
    from the choices and a generator for the numbers of its small case. `apart` says of some choices whether
    they make an exercise of their own: where two combinations come to the same, one of them is ruled out.
    """

    shipped: Exercise
    work_name: str
    choices: Mapping[str, Sequence[Choice]]
    make: Callable[[Any, np.random.Generator], Mapping[str, Any]]
    shipped_as: Chosen | None = None
    apart: Callable[[Any], bool] = lambda chosen: True

    @property
    def id(self) -> str:
        """Return the id of the course's exercise."""
        return self.shipped.id

    @property
    def course(self) -> Exercise:
        """Return the course's exercise with the choices that give it."""
        return replace(self.shipped, chosen=self.shipped_as or {})

    @cached_property
    def members(self) -> Mapping[str, Chosen]:
        """Return the choices of every member, by its id."""
        combined = (dict(zip(self.choices, drawn, strict=True)) for drawn in product(*self.choices.values()))
        return {
            self._id(chosen): chosen
            for chosen in combined
            if chosen != self.shipped_as and self.apart(chosen)
        }

    def _id(self, chosen: Chosen) -> str:
        """Return an id that stands for these choices, whatever options are added to the family later."""
        digest = hashlib.sha256(json.dumps(chosen, sort_keys=True).encode()).hexdigest()
        return f"{self.id}_{digest[:DIGITS]}"

    def member(self, member_id: str) -> Exercise:
        """Return the exercise of a member; raises KeyError if the family has none of that id."""
        chosen = self.members[member_id]
        numbers = np.random.default_rng(int(member_id[-DIGITS:], 16))
        made = self.make(chosen, numbers)
        own = {
            "id": member_id,
            "family": self.id,
            "work_name": self.work_name,
            "chosen": chosen,
            "siblings": self.others,
        }
        # wrong gradients and terms of the course's function say nothing about another one
        unlike: dict[str, Any] = (
            {"lookalikes": (), "terms": {}} if isinstance(self.shipped, FunctionExercise) else {}
        )
        return replace(self.shipped, **{**unlike, **made, **own})

    def others(self, than: str) -> Sequence[Exercise]:
        """Return the course's exercise and every member but one."""
        return [self.course, *(self.member(one) for one in self.members if one != than)]
