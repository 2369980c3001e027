"""Lesson 7, double backward: three Functions, then a Hessian-vector product and a gradient penalty.

A family chooses which exponentials, polynomial, power of a norm, product with H and penalty.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from autograder.exercise import TaskExercise, of_lesson
from autograder.exercises.draws import AXES, both_signs
from autograder.exercises.families.expressions import function_of, times
from autograder.exercises.families.family import Family
from autograder.exercises.families.numbers import whole_numbers
from vjpcheck.domain import Array, Domain
from vjpcheck.spec import Lookalike

if TYPE_CHECKING:
    from torch import Tensor


def _by_the_norm_of_all(arguments: Sequence[Any], cotangents: Sequence[Any]) -> list[Any]:
    (x,), (g,) = arguments, cotangents
    return [-g.unsqueeze(-1) * x / x.norm() ** 3]


def exponentials(chosen: Any) -> tuple[str, str]:
    """Return the two exponentials."""
    return f"exp({times(chosen['rate'], 'x')})", f"exp({times(-chosen['rate'], 'x')})"


def _of_exponentials(chosen: Any, numbers: np.random.Generator) -> Mapping[str, Any]:
    up, down = exponentials(chosen)
    formula = f"{times(chosen['up'], up)} + {times(chosen['down'], down)}"
    return {
        "summary": f"{formula}, each exponential computed once, differentiable twice",
        "domain": Domain({"x": Array("...", -1.5, 1.5)}, lead=AXES),
        "forward": function_of(formula, ("x",)),
        "further_outputs": True,
        "all_outputs_graded": True,
        "second_order_asked": True,
        "computes_once": True,
        "small": (np.array([numbers.choice([0.5, 1.0, -0.5])]),),
    }


def polynomial(chosen: Any) -> str:
    """Return the two terms, or the first alone."""
    low = "x" if chosen["low"] == 1 else f"x**{chosen['low']}"
    terms = times(chosen["first"], f"x**{chosen['high']}"), times(chosen["second"], low)
    return f"{terms[0]} + {terms[1]}" if chosen["second"] else terms[0]


def _polynomial(chosen: Any, numbers: np.random.Generator) -> Mapping[str, Any]:
    formula = polynomial(chosen)
    return {
        "summary": f"{formula}, differentiable three times",
        "domain": Domain({"x": Array("...", -1.5, 1.5)}, lead=AXES),
        "forward": function_of(formula, ("x",)),
        "further_outputs": True,
        "all_outputs_graded": True,
        "second_order_asked": True,
        "small": (np.array([numbers.choice([2.0, -2.0, 3.0]), -1.0]),),
    }


def _power_of_norm(chosen: Any, numbers: np.random.Generator) -> Mapping[str, Any]:
    axis = {"last": -1, "first": 0}[chosen["axis"]]

    def forward(x: Tensor) -> Tensor:
        squares = (x * x).sum(axis) + chosen["beside"]
        result: Tensor = chosen["factor"] * squares ** (chosen["power"] / 2)
        return result

    beside = f" + {chosen['beside']}" if chosen["beside"] else ""
    factor = {1: "", -1: "−"}.get(chosen["factor"], f"{chosen['factor']}·")
    return {
        "summary": f"{factor}√(Σx²{beside}) to the power {chosen['power']}, "
        f"over the {chosen['axis']} axis, which is dropped",
        "forward": forward,
        "domain": Domain(
            {"x": Array("... n" if axis else "n ...", draw=both_signs, zero_lines=False)}, wide=("n",)
        ),
        "small": (whole_numbers(numbers, 2, 2, most=4),),
        "second_order_asked": True,
    }


def _product(chosen: Any, numbers: np.random.Generator) -> Mapping[str, Any]:
    scale = {1: "", -1: "−"}.get(chosen["scale"], f"{chosen['scale']}·")
    sign = "−" if chosen["damping"] < 0 else "+"
    asked = f"{scale}H v {sign} {abs(chosen['damping']):g}·v"
    return {
        "call": f"(fn, x, v) → {asked}",
        "summary": f"{asked}, with the Hessian H of fn at x, without building H",
        "variant": dict(chosen),
        "may_use": ("autograd",),
    }


def _penalty(chosen: Any, numbers: np.random.Generator) -> Mapping[str, Any]:
    squares = f"{chosen['reduction']}((‖∇critic‖ − {chosen['target']:g})²)"
    factor = "" if chosen["weight"] == 1 else f"{chosen['weight']:g}·"
    return {
        "call": "(critic, x) → scalar",
        "summary": f"{factor}{squares}, differentiable in the critic's parameters",
        "variant": dict(chosen),
        "may_use": ("autograd",),
    }


EXERCISES = of_lesson(
    7,
    Family(
        id="sinh_with_intermediates",
        work_name="OfTwoExponentials",
        points={"forward": 0.5, "contract": 0.5, "gradient": 1, "second order": 2},
        choices={"rate": (1, 2, 3), "up": (0.5, 1, 2, -1, -2), "down": (-0.5, 1, 2, -1, -2)},
        make=_of_exponentials,
        own={
            "summary": "sinh x, from exp(x) and exp(−x) of forward alone, differentiable twice",
            "forward": lambda x: x.sinh(),  # the difference of exponentials loses digits near 0
            "small": (np.array([1.0]),),
        },
    ),
    Family(
        id="cube",
        work_name="Polynomial",
        points={"forward": 0.5, "contract": 0.5, "gradient": 1, "second order": 1, "third order": 1},
        choices={"high": (3, 4, 5), "low": (1, 2), "first": (1, 2, -1, 3), "second": (1, -1, 2, -2)},
        make=_polynomial,
        shipped_as={"high": 3, "low": 0, "first": 1, "second": 0},
        own={"summary": "x³, differentiable three times", "small": (np.array([2.0, -1.0]),)},
    ),
    Family(
        id="reciprocal_norm",
        work_name="PowerOfNorm",
        points={"forward": 0.5, "contract": 0.5, "gradient": 1.5, "second order": 1.5},
        choices={
            "power": (-1, -2, -3, 1, 3),
            "axis": ("last", "first"),
            "beside": (0, 1, 4),
            "factor": (1, 2, -1),
        },
        make=_power_of_norm,
        own={
            "summary": "1/‖x‖ over the last axis, which is dropped",
            "small": (np.array([[3.0, 4.0], [0.0, -2.0]]),),
            "lookalikes": [
                Lookalike(
                    "wrong-axis", _by_the_norm_of_all, "backward takes the norm of all entries together."
                )
            ],
        },
    ),
    Family(
        id="hessian_vector_product",
        kind=TaskExercise,
        work_name="damped_product",
        points={"product": 2.5, "no Hessian": 1.5},
        choices={"scale": (1, 2, -1, 3, 0.5), "damping": (1, 2, 3, 4, 5, -1, -2, -3, 0.5, 0.25, 0.1, 10)},
        make=_product,
        shipped_as={"scale": 1, "damping": 0},
        own={
            "call": "(fn, x, v) → H v",
            "summary": "the Hessian of fn at x times v, without building H",
        },
    ),
    Family(
        id="gradient_penalty",
        kind=TaskExercise,
        work_name="slope_penalty",
        points={"value": 2, "differentiable": 2},
        choices={
            "weight": (1, 2, 5, 10, 0.5),
            "target": (1, 2, 3, 0.5, 1.5, 4),
            "reduction": ("mean", "sum"),
        },
        make=_penalty,
        own={"summary": "mean((‖∇critic‖ − 1)²), differentiable in the critic's parameters"},
    ),
)
