"""What stands for the exercise where a Function was written for something else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from autograder.arguments import Arguments
from autograder.exercise import FunctionExercise
from autograder.function.truth import Truth

# a line of the card each; there are no points for them
CHECKS = ("forward", "contract", "gradient", "second order", "frozen inputs")


@dataclass(frozen=True, kw_only=True)
class OwnFunction(FunctionExercise):
    """A Function under its own name.

    gradcheck is not asked: the point is not chosen by us, and may stand where a difference says nothing.
    """

    @property
    def by_gradcheck(self) -> bool:
        """Return False."""
        return False

    @property
    def object_name(self) -> str:
        """Return the id, which is the name of the class."""
        return self.id


def own_function(
    name: str,
    parameters: Sequence[str],
    samples: Sequence[Arguments],
    others: Sequence[Arguments],
    truths: Sequence[Truth],
    modifies: Sequence[int],
) -> OwnFunction:
    """Return the exercise of a Function, to be judged once: its samples, and the truth about each.

    `others` are other arguments of the same shapes, one for each sample.
    """
    draws = iter([samples, others])
    return OwnFunction(
        id=name,
        lesson=0,
        signature=f"({', '.join(parameters)})",
        summary="",
        points=dict.fromkeys(CHECKS, 0),
        parameters=tuple(parameters),
        forward=_unused,
        samples=lambda generator: next(draws),
        truths=lambda drawn: truths,
        modifies=tuple(parameters[position] for position in modifies),
        autograd_allowed=True,
    )


def _unused(*arguments: Any) -> Any:
    raise AssertionError("the truth is given beside the samples")
