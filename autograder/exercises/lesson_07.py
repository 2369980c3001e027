"""Lesson 7, double backward: three Functions, then a Hessian-vector product and a gradient penalty."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from autograder.exercise import Exercise, FunctionExercise, TaskExercise
from vjpcheck.arguments import Arguments
from vjpcheck.spec import Lookalike

LESSON = 7


def _both_signs(generator: np.random.Generator, *shapes: tuple[int, ...]) -> Sequence[Arguments]:
    """Return entries of magnitude 0.5 to 1.5 in both signs."""
    return [(generator.uniform(0.5, 1.5, s) * np.resize([1.0, -1.0], s),) for s in shapes]


def _of_any_shape(generator: np.random.Generator) -> Sequence[Arguments]:
    return _both_signs(generator, (2, 3), (2, 2, 2), (1,))


def _by_the_norm_of_all(arguments: Sequence[Any], cotangents: Sequence[Any]) -> list[Any]:
    (x,), (g,) = arguments, cotangents
    return [-g.unsqueeze(-1) * x / x.norm() ** 3]


EXERCISES: tuple[Exercise, ...] = (
    FunctionExercise(
        id="sinh_with_intermediates",
        lesson=LESSON,
        signature="(x)",
        summary="sinh x, from exp(x) and exp(−x) of forward alone, differentiable twice",
        points={"forward": 0.5, "contract": 0.5, "gradient": 1, "second order": 2},
        parameters=("x",),
        forward=lambda x: x.sinh(),
        small=(np.array([1.0]),),
        samples=_of_any_shape,
        compared_once=lambda generator: _both_signs(generator, (3, 1), (1, 2, 1)),
        further_outputs=True,
        all_outputs_graded=True,
        second_order_asked=True,
        computes_once=True,
    ),
    FunctionExercise(
        id="cube",
        lesson=LESSON,
        signature="(x)",
        summary="x³, differentiable three times",
        points={"forward": 0.5, "contract": 0.5, "gradient": 1, "second order": 1, "third order": 1},
        parameters=("x",),
        forward=lambda x: x**3,
        small=(np.array([2.0, -1.0]),),
        samples=_of_any_shape,
        compared_once=lambda generator: _both_signs(generator, (3, 1), (1, 2, 1)),
        further_outputs=True,
        all_outputs_graded=True,
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
        small=(np.array([[3.0, 4.0], [0.0, -2.0]]),),
        somewhere_not_zero=("x",),
        samples=lambda generator: _both_signs(generator, (2, 3), (2, 2, 3), (4,), (1, 2), (2, 2)),
        lookalikes=[
            Lookalike("wrong-axis", _by_the_norm_of_all, "backward takes the norm of all entries together.")
        ],
        second_order_asked=True,
        compared_once=lambda generator: _both_signs(generator, (2, 3, 2, 2), (2, 2, 1, 2, 3)),
    ),
    TaskExercise(
        id="hessian_vector_product",
        lesson=LESSON,
        signature="(fn, x, v) → H v",
        summary="the Hessian of fn at x times v, without building H",
        may_use=("autograd",),
        points={"product": 2.5, "no Hessian": 1.5},
    ),
    TaskExercise(
        id="gradient_penalty",
        lesson=LESSON,
        signature="(critic, x) → scalar",
        summary="mean((‖∇critic‖ − 1)²), differentiable in the critic's parameters",
        may_use=("autograd",),
        points={"value": 2, "differentiable": 2},
    ),
)
