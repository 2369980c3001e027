"""The families of lesson 7: which exponentials, polynomial, power of a norm, product with H and penalty."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from autograder.exercises import lesson_07
from autograder.exercises.draws import both_signs
from autograder.exercises.families.expressions import function_of, times
from autograder.exercises.families.family import Family
from autograder.exercises.families.numbers import whole_numbers
from vjpcheck.domain import Array, Domain

if TYPE_CHECKING:
    from torch import Tensor

_SHIPPED = {exercise.id: exercise for exercise in lesson_07.EXERCISES}


def exponentials(chosen: Any) -> tuple[str, str]:
    """Return the two exponentials."""
    return f"exp({times(chosen['rate'], 'x')})", f"exp({times(-chosen['rate'], 'x')})"


def _of_exponentials(chosen: Any, numbers: np.random.Generator) -> Mapping[str, Any]:
    up, down = exponentials(chosen)
    formula = f"{times(chosen['up'], up)} + {times(chosen['down'], down)}"
    return {
        "summary": f"{formula}, each exponential computed once, differentiable twice",
        "forward": function_of(formula, ("x",)),
        "small": (np.array([numbers.choice([0.5, 1.0, -0.5])]),),
    }


def polynomial(chosen: Any) -> str:
    """Return the two terms."""
    low = "x" if chosen["low"] == 1 else f"x**{chosen['low']}"
    terms = times(chosen["first"], f"x**{chosen['high']}"), times(chosen["second"], low)
    return f"{terms[0]} + {terms[1]}"


def _polynomial(chosen: Any, numbers: np.random.Generator) -> Mapping[str, Any]:
    formula = polynomial(chosen)
    return {
        "summary": f"{formula}, differentiable three times",
        "forward": function_of(formula, ("x",)),
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
    }


def _product(chosen: Any, numbers: np.random.Generator) -> Mapping[str, Any]:
    scale = {1: "", -1: "−"}.get(chosen["scale"], f"{chosen['scale']}·")
    sign = "−" if chosen["damping"] < 0 else "+"
    asked = f"{scale}H v {sign} {abs(chosen['damping']):g}·v"
    return {
        "call": f"(fn, x, v) → {asked}",
        "summary": f"{asked}, with the Hessian H of fn at x, without building H",
        "variant": dict(chosen),
    }


def _penalty(chosen: Any, numbers: np.random.Generator) -> Mapping[str, Any]:
    squares = f"{chosen['reduction']}((‖∇critic‖ − {chosen['target']:g})²)"
    factor = "" if chosen["weight"] == 1 else f"{chosen['weight']:g}·"
    return {
        "summary": f"{factor}{squares}, differentiable in the critic's parameters",
        "variant": dict(chosen),
    }


FAMILIES = (
    Family(
        shipped=_SHIPPED["sinh_with_intermediates"],
        work_name="OfTwoExponentials",
        choices={"rate": (1, 2, 3), "up": (0.5, 1, 2, -1, -2), "down": (-0.5, 1, 2, -1, -2)},
        make=_of_exponentials,
        shipped_as={"rate": 1, "up": 0.5, "down": -0.5},
    ),
    Family(
        shipped=_SHIPPED["cube"],
        work_name="Polynomial",
        choices={"high": (3, 4, 5), "low": (1, 2), "first": (1, 2, -1, 3), "second": (1, -1, 2, -2)},
        make=_polynomial,
    ),
    Family(
        shipped=_SHIPPED["reciprocal_norm"],
        work_name="PowerOfNorm",
        choices={
            "power": (-1, -2, -3, 1, 3),
            "axis": ("last", "first"),
            "beside": (0, 1, 4),
            "factor": (1, 2, -1),
        },
        make=_power_of_norm,
        shipped_as={"power": -1, "axis": "last", "beside": 0, "factor": 1},
    ),
    Family(
        shipped=_SHIPPED["hessian_vector_product"],
        work_name="damped_product",
        choices={"scale": (1, 2, -1, 3, 0.5), "damping": (1, 2, 3, 4, 5, -1, -2, -3, 0.5, 0.25, 0.1, 10)},
        make=_product,
        shipped_as={"scale": 1, "damping": 0},
    ),
    Family(
        shipped=_SHIPPED["gradient_penalty"],
        work_name="slope_penalty",
        choices={
            "weight": (1, 2, 5, 10, 0.5),
            "target": (1, 2, 3, 0.5, 1.5, 4),
            "reduction": ("mean", "sum"),
        },
        make=_penalty,
        shipped_as={"weight": 1, "target": 1, "reduction": "mean"},
    ),
)
