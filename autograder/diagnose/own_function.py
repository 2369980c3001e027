"""What stands for the exercise where a Function was written for something else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from autograder.arguments import Arguments
from autograder.exercise import FunctionExercise
from autograder.function.truth import Truth

# a line of the card each; there are no points for them
CHECKS = ("forward", "contract", "gradient", "frozen inputs", "second order")


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
    truths: Sequence[Truth],
    modifies: Sequence[int],
    tolerance: float,
) -> OwnFunction:
    """Return the exercise of a Function: its samples, and the truth about each."""
    return OwnFunction(
        id=name,
        lesson=0,
        signature=f"({', '.join(parameters)})",
        summary="",
        points=dict.fromkeys(CHECKS, 0),
        parameters=tuple(parameters),
        forward=_unused,
        samples=lambda generator: samples,
        truths=lambda drawn: truths,
        modifies=tuple(parameters[position] for position in modifies),
        autograd_allowed=True,
        tolerance=tolerance,
        second_order_tolerance=tolerance,
    )


def _unused(*arguments: Any) -> Any:
    raise AssertionError("the truth is given beside the samples")

