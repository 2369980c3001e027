"""What stands for the exercise where a Function was written for something else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from autograder.arguments import Arguments
from autograder.exercise import FunctionExercise
from autograder.function.truth import Truth


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
    given: Sequence[tuple[Arguments, Truth, Arguments]],
    modifies: Sequence[int],
    checks: Sequence[str],
    tolerance: float,
) -> OwnFunction:
    """Return the exercise of a Function: its samples, and the truth about each; see FunctionExercise.

    What its inputs may be is not known. So none is made of them but those. Each of the `checks` is a line of
    the card; there are no points for them. `tolerance` says how far the truth itself may be off.
    """
    return OwnFunction(
        id=name,
        lesson=0,
        signature=f"({', '.join(parameters)})",
        summary="",
        points=dict.fromkeys(checks, 0),
        parameters=tuple(parameters),
        forward=_unused,
        small=given[-1][0],
        samples=_unused,
        distinct=tuple(parameters),
        given=given,
        modifies=tuple(parameters[position] for position in modifies),
        may_use=("autograd",),
        tolerance=tolerance,
        second_order_tolerance=tolerance,
    )


def _unused(*arguments: Any) -> Any:
    raise AssertionError("the truth is given beside the samples")
