"""Lesson 5, gradcheck from the inside.

The family of `numerical_jacobian` chooses the two points of the difference, and the layout of the matrix.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from autograder.exercise import TaskExercise, of_lesson
from autograder.exercises.families.expressions import times
from autograder.exercises.families.family import Family

if TYPE_CHECKING:
    import numpy as np


def _quotient(chosen: Any, numbers: np.random.Generator) -> Mapping[str, Any]:
    ahead, behind = (times(chosen[side], "eps") for side in ("ahead", "behind"))
    return {
        "call": "(fn, inputs, eps) → tuple of J",
        "summary": f"Jacobians by differences between x + {ahead} and x - {behind}, a matrix for each input "
        f"of shape ({chosen['layout']})",
        "variant": dict(chosen),
    }


EXERCISES = of_lesson(
    5,
    Family(
        id="numerical_jacobian",
        kind=TaskExercise,
        work_name="difference_quotients",
        points={"differences": 2, "any shape": 1, "several inputs": 1},
        choices={
            "ahead": (1, 2, 3, 4, 0.5, 0.25),
            "behind": (1, 2, 3, 4, 0.5, 0.25),
            "layout": ("outputs, inputs", "inputs, outputs"),
        },
        make=_quotient,
        own={"summary": "Jacobians by central differences, a matrix for each input"},
    ),
    TaskExercise(
        id="analytical_jacobian",
        call="(fn, inputs) → tuple of J",
        summary="Jacobians by one backward pass for each output element",
        may_use=("autograd",),
        points={"rows": 1.5, "several inputs": 1, "custom Functions": 1, "backward passes": 0.5},
    ),
    TaskExercise(
        id="my_gradcheck",
        call="(fn, inputs, eps, atol, rtol) → bool",
        summary="agrees with torch.autograd.gradcheck on right and wrong Functions",
        may_use=("autograd",),
        points={"right Functions": 1, "wrong Functions": 1.5, "eps, atol, rtol": 1, "frozen inputs": 0.5},
    ),
    TaskExercise(
        id="fool_gradcheck",
        call="(x)",
        summary="x*x with a wrong backward that gradcheck lets through at x = (1, 2, 3)",
        points={"forward": 1, "gradcheck is fooled": 1, "wrong elsewhere": 2},
        is_class=True,
    ),
    TaskExercise(
        id="find_the_bugs",
        call="dict: function name → mistake id",
        summary="which mistake each of the eight Functions in autograder.exercises.eight_bugs has",
        points=dict.fromkeys(
            (
                "Linear",
                "Relu",
                "Multiply",
                "Exp",
                "TakeRows",
                "Reorder",
                "AddBias",
                "ScaleAndShift",
            ),
            0.5,
        ),
        needs={},
    ),
)
