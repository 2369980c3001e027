"""Lesson 7, double backward: three Functions, then a Hessian-vector product and a gradient penalty."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from autograder.exercise import FunctionExercise, TaskExercise, of_lesson
from autograder.exercises.draws import AXES, both_signs
from vjpcheck.domain import Array, Domain
from vjpcheck.spec import Lookalike


def _by_the_norm_of_all(arguments: Sequence[Any], cotangents: Sequence[Any]) -> list[Any]:
    (x,), (g,) = arguments, cotangents
    return [-g.unsqueeze(-1) * x / x.norm() ** 3]


EXERCISES = of_lesson(
    7,
    FunctionExercise(
        id="sinh_with_intermediates",
        summary="sinh x, from exp(x) and exp(−x) of forward alone, differentiable twice",
        points={"forward": 0.5, "contract": 0.5, "gradient": 1, "second order": 2},
        domain=Domain({"x": Array("...", -1.5, 1.5)}, lead=AXES),
        forward=lambda x: x.sinh(),
        small=(np.array([1.0]),),
        further_outputs=True,
        all_outputs_graded=True,
        second_order_asked=True,
        computes_once=True,
    ),
    FunctionExercise(
        id="cube",
        summary="x³, differentiable three times",
        points={"forward": 0.5, "contract": 0.5, "gradient": 1, "second order": 1, "third order": 1},
        domain=Domain({"x": Array("...", -1.5, 1.5)}, lead=AXES),
        forward=lambda x: x**3,
        small=(np.array([2.0, -1.0]),),
        further_outputs=True,
        all_outputs_graded=True,
        second_order_asked=True,
    ),
    FunctionExercise(
        id="reciprocal_norm",
        summary="1/‖x‖ over the last axis, which is dropped",
        points={"forward": 0.5, "contract": 0.5, "gradient": 1.5, "second order": 1.5},
        domain=Domain({"x": Array("... n", draw=both_signs, zero_lines=False)}, wide=("n",)),
        forward=lambda x: 1 / x.norm(dim=-1),
        small=(np.array([[3.0, 4.0], [0.0, -2.0]]),),
        lookalikes=[
            Lookalike("wrong-axis", _by_the_norm_of_all, "backward takes the norm of all entries together.")
        ],
        second_order_asked=True,
    ),
    TaskExercise(
        id="hessian_vector_product",
        call="(fn, x, v) → H v",
        summary="the Hessian of fn at x times v, without building H",
        may_use=("autograd",),
        points={"product": 2.5, "no Hessian": 1.5},
    ),
    TaskExercise(
        id="gradient_penalty",
        call="(critic, x) → scalar",
        summary="mean((‖∇critic‖ − 1)²), differentiable in the critic's parameters",
        may_use=("autograd",),
        points={"value": 2, "differentiable": 2},
    ),
)
