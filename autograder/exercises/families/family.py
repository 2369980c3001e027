"""What a family is: an exercise of the course and its variants, with other functions, axes and constants."""

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import product
from typing import Any

import numpy as np

from autograder.exercise import Exercise, FunctionExercise
from autograder.exercises.families.order import in_order

Choice = str | int | float | bool
Chosen = Mapping[str, Choice]
DIGITS = 6  # of the end of a member's id


@dataclass(frozen=True, kw_only=True)
class Family:
    """An exercise of the course, and a member for each other combination of the choices.

    `id` and `points` are those of the course's exercise; members have its points and a `work_name` of their
    own. `choices` has the options of each parameter. `make` returns the fields of an exercise of this `kind`,
    from the choices and a generator for the numbers of its small case; a choice `order` puts its arguments in
    that order. `apart` says of some choices whether they make an exercise of their own: where two
    combinations come to the same, one of them is ruled out.

    The course's exercise has the first option of each parameter, unless `shipped_as` has other choices. The
    fields that it has for itself are `own`: its words, the numbers of its text, and further wrong gradients,
    which say nothing about a member.
    """

    id: str
    lesson: int = 0
    kind: type[Exercise] = FunctionExercise
    work_name: str
    points: Mapping[str, float]
    choices: Mapping[str, Sequence[Choice]]
    make: Callable[[Any, np.random.Generator], Mapping[str, Any]]
    own: Mapping[str, Any] = field(default_factory=dict)
    shipped_as: Chosen | None = None
    apart: Callable[[Any], bool] = lambda chosen: True

    @cached_property
    def shipped(self) -> Exercise:
        """Return the course's exercise."""
        chosen = self.shipped_as or {name: options[0] for name, options in self.choices.items()}
        return self._exercise(chosen, np.random.default_rng(0), id=self.id, **self.own)

    @cached_property
    def members(self) -> Mapping[str, Chosen]:
        """Return the choices of every member, by its id."""
        combined = (dict(zip(self.choices, drawn, strict=True)) for drawn in product(*self.choices.values()))
        return {
            self._id(chosen): chosen
            for chosen in combined
            if chosen != self.shipped.chosen and self.apart(chosen)
        }

    def _id(self, chosen: Chosen) -> str:
        """Return an id that stands for these choices, whatever options are added to the family later."""
        digest = hashlib.sha256(json.dumps(chosen, sort_keys=True).encode()).hexdigest()
        return f"{self.id}_{digest[:DIGITS]}"

    def member(self, member_id: str) -> Exercise:
        """Return the exercise of a member; raises KeyError if the family has none of that id."""
        return self._exercise(
            self.members[member_id],
            np.random.default_rng(int(member_id[-DIGITS:], 16)),
            id=member_id,
            family=self.id,
            work_name=self.work_name,
            siblings=self.others,
        )

    def _exercise(self, chosen: Chosen, numbers: np.random.Generator, **own: Any) -> Exercise:
        made = self.make(chosen, numbers)
        if "order" in chosen:
            made = in_order(made, str(chosen["order"]).split(", "))
        common = {"lesson": self.lesson, "points": self.points, "chosen": chosen}
        wrong = [*made.get("lookalikes", ()), *own.get("lookalikes", ())]
        return self.kind(**{**common, **made, **own, **({"lookalikes": wrong} if wrong else {})})

    def others(self, than: str) -> Sequence[Exercise]:
        """Return the course's exercise and every member but one."""
        return [self.shipped, *(self.member(one) for one in self.members if one != than)]
