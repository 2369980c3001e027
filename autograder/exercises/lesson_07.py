"""Lesson 7, double backward: sinh_with_intermediates, cube, reciprocal_norm."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from autograder.exercise import Exercise
from autograder.function.arguments import Arguments
from autograder.function.exercise import FunctionExercise
LESSON = 7


def _both_signs(generator: np.random.Generator) -> Sequence[Arguments]:
    """Return entries of magnitude 0.5 to 1.5 in both signs."""
    shapes = ((2, 3), (4,))
    return [(generator.uniform(0.5, 1.5, s) * np.resize([1.0, -1.0], s),) for s in shapes]


EXERCISES: tuple[Exercise, ...] = (
    FunctionExercise(
        id="sinh_with_intermediates",
        lesson=LESSON,
        signature="(x)",
        summary="sinh x, from exp(x) and exp(−x), differentiable twice",
        points={"forward": 0.5, "contract": 0.5, "gradient": 1, "second order": 2},
        parameters=("x",),
        forward=lambda x: x.sinh(),
        samples=_both_signs,
        further_outputs=True,
        second_order_asked=True,
    ),
    FunctionExercise(
        id="cube",
        lesson=LESSON,
        signature="(x)",
        summary="x³, differentiable three times",
        points={"forward": 0.5, "contract": 0.5, "gradient": 1, "second order": 1, "third order": 1},
        parameters=("x",),
        forward=lambda x: x**3,
        samples=_both_signs,
        further_outputs=True,
        second_order_asked=True,
    ),
    FunctionExercise(
        id="reciprocal_norm",
        lesson=LESSON,
        signature="(x)",
        summary="1/‖x‖ over the last axis, which is dropped",
        points={"forward": 0.5, "contract": 0.5, "gradient": 1.5, "second order": 1.5},
        parameters=("x",),
        forward=lambda x: 1 / x.norm(dim=-1),
        samples=_both_signs,
        second_order_asked=True,
    ),
)
