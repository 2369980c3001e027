"""The families of lesson 6: which function of the output or the input, slopes, axis, and condition."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from autograder.exercises import lesson_06
from autograder.exercises.draws import AXES
from autograder.exercises.families.expressions import function_of, inserted, times
from autograder.exercises.families.family import Family
from autograder.exercises.families.numbers import whole_numbers
from vjpcheck.arguments import Argument, Arguments
from vjpcheck.domain import Array, Domain, Kind, Real

if TYPE_CHECKING:
    from torch import Tensor

_SHIPPED = {exercise.id: exercise for exercise in lesson_06.EXERCISES}


def of_x(chosen: Any) -> str:
    """Return the formula of an activation: a factor, a power of x, and a function of a multiple of x."""
    inner = inserted(f"{chosen['function']}(t)", t=times(chosen["rate"], "x"))
    powers = {0: "", 1: "x*", 2: "x**2*"}
    return times(chosen["factor"], powers[chosen.get("power", 0)] + inner)


def _by_output(chosen: Any, numbers: np.random.Generator) -> Mapping[str, Any]:
    formula = of_x(chosen)
    return {
        "summary": f"{formula}, saving the output",
        "forward": function_of(formula, ("x",)),
        "small": (np.array([0.0, numbers.choice([0.5, 1.0, -1.0])]),),
    }


def _by_input(chosen: Any, numbers: np.random.Generator) -> Mapping[str, Any]:
    formula = of_x(chosen)
    return {
        "summary": f"{formula}, saving x alone",
        "forward": function_of(formula, ("x",)),
        "small": (np.array([1.0, numbers.choice([2.0, -2.0, -1.0])]),),
    }


def _two_slopes(chosen: Any, numbers: np.random.Generator) -> Mapping[str, Any]:
    above, below = chosen["above"], chosen["below"]

    def forward(x: Tensor) -> Tensor:
        import torch

        return torch.where(x > 0, above * x, below * x)

    return {
        "summary": f"{above:g}x where x > 0, else {below:g}x, modifying x",
        "forward": forward,
        "small": (whole_numbers(numbers, 3),),
    }


def two_formulas(chosen: Any) -> tuple[str, str]:
    """Return the formulas of the two outputs."""
    of = times(chosen["rate"], "x")
    names = chosen["pair"].split(", ")
    factors = (chosen["first"], chosen["second"])
    first, second = (times(a, f"{name}({of})") for a, name in zip(factors, names, strict=True))
    return first, second


def _two_outputs(chosen: Any, numbers: np.random.Generator) -> Mapping[str, Any]:
    formulas = two_formulas(chosen)
    functions = [function_of(formula, ("x",)) for formula in formulas]
    return {
        "summary": f"{formulas[0]} and {formulas[1]}, either output unused",
        "forward": lambda x: tuple(function(x) for function in functions),
        "small": (np.array([0.0, numbers.choice([0.5, 1.0, -1.0])]),),
    }


def extremum_axis(chosen: Any) -> tuple[int, int]:
    """Return how many axes x has, and the one along which the extremum is taken."""
    axes, place = chosen["along"].split("-D, axis ")
    return int(axes), int(place)


def _extremum(chosen: Any, numbers: np.random.Generator) -> Mapping[str, Any]:
    axes, place = extremum_axis(chosen)

    def forward(x: Tensor) -> tuple[Tensor, Tensor]:
        values, index = getattr(x, chosen["which"])(dim=place)
        scaled = chosen["factor"] * values
        return (scaled, index) if chosen["outputs"] == "values, index" else (index, scaled)

    kept, other = chosen["outputs"].split(", ")
    values = times(chosen["factor"], f"x.{chosen['which']}(dim={place})")
    return {
        "outputs": 2,
        "summary": f"{values} of {axes} axes, as {kept}, {other}, the index without gradient",
        "forward": forward,
        "domain": Domain({"x": Array("n m" if axes == 2 else "n m p", distinct=True)}),
        "small": (whole_numbers(numbers, *((2, 3) if axes == 2 else (2, 2, 2))),),
    }


def _masked(chosen: Any, numbers: np.random.Generator) -> Mapping[str, Any]:
    parameters = tuple(chosen["order"].split(", "))
    by_size = "abs" in chosen["condition"]
    condition = function_of(chosen["condition"], ("x", "t"))
    kept = function_of(chosen["kept"], ("x", "t"))

    def forward(*given: Any) -> tuple[Tensor, Tensor]:
        import torch

        x, t = (given[parameters.index(name)] for name in ("x", "t"))
        passes = condition(x, t)
        marked = passes if chosen["mask"] == "kept" else ~passes
        return torch.where(passes, kept(x, t), 0.0), marked.to(x.dtype)

    t = Real(0.3, 1.5, also=(2, 0.5)) if by_size else Real(-2.5, 1.5, also=(-1, 0, 0.5))
    kinds: dict[str, Kind] = {"x": Array("...", off=("t",)), "t": t}

    def ordered(x: np.ndarray, t: float) -> Arguments:
        given: dict[str, Argument] = {"x": x, "t": t}
        return tuple(given[name] for name in parameters)

    x = np.array([1.0, -3.0, 4.0, -1.0]) + numbers.integers(0, 2) * np.array([0.0, -1.0, 1.0, 0.0])
    return {
        "outputs": 2,
        "summary": f"{chosen['kept']} where {chosen['condition']}, else 0, and the mask of what is "
        f"{chosen['mask']}, without gradient",
        "domain": Domain({name: kinds[name] for name in parameters}, lead=AXES),
        "forward": forward,
        "small": ordered(x, 2),
    }


ALONG = ("2-D, axis 0", "2-D, axis 1", "3-D, axis 0", "3-D, axis 1", "3-D, axis 2")

FAMILIES = (
    Family(
        shipped=_SHIPPED["exp_saving_output"],
        work_name="ByOutput",
        choices={
            "function": ("exp", "sigmoid", "tanh"),
            "rate": (1, 2, 3, -1, -2),
            "factor": (1, 2, 3, -1, -2),
        },
        make=_by_output,
        shipped_as={"function": "exp", "rate": 1, "factor": 1},
        apart=lambda chosen: chosen["function"] != "tanh" or chosen["rate"] > 0,  # an odd function
    ),
    Family(
        shipped=_SHIPPED["relu_inplace"],
        work_name="TwoSlopesInplace",
        choices={
            "above": (1, 2, 3, 0.5, 4, 1.5),
            "below": (0, 0.1, 0.2, 0.25, 0.5, 0.05, 0.75, 1, 2, 3),
        },
        make=_two_slopes,
        shipped_as={"above": 1, "below": 0},
        apart=lambda chosen: chosen["above"] != chosen["below"],
    ),
    Family(
        shipped=_SHIPPED["silu_recompute"],
        work_name="ByInput",
        choices={
            "function": ("sigmoid", "tanh", "cos", "sin"),
            "power": (1, 2),
            "rate": (1, 2, 3, 0.5),
            "factor": (1, 2, -1),
        },
        make=_by_input,
        shipped_as={"function": "sigmoid", "power": 1, "rate": 1, "factor": 1},
    ),
    Family(
        shipped=_SHIPPED["sin_cos"],
        work_name="TwoOutputs",
        choices={
            "pair": ("sin, cos", "cos, sin", "sinh, cosh", "cosh, sinh"),
            "rate": (1, 2, 3),
            "first": (1, 2, -1),
            "second": (1, 2, -1),
        },
        make=_two_outputs,
        shipped_as={"pair": "sin, cos", "rate": 1, "first": 1, "second": 1},
    ),
    Family(
        shipped=_SHIPPED["max_with_index"],
        work_name="ExtremumWithIndex",
        choices={
            "which": ("max", "min"),
            "along": ALONG,
            "factor": (1, 2, -1, 3, -2),
            "outputs": ("values, index", "index, values"),
        },
        make=_extremum,
        shipped_as={"which": "max", "along": "2-D, axis 1", "factor": 1, "outputs": "values, index"},
    ),
    Family(
        shipped=_SHIPPED["threshold_mask"],
        work_name="KeepWhere",
        choices={
            "condition": ("x > t", "x < t", "abs(x) > t", "abs(x) < t"),
            "kept": ("x", "2 * x", "x - t", "x ** 2"),
            "mask": ("kept", "dropped"),
            "order": ("x, t", "t, x"),
        },
        make=_masked,
        shipped_as={"condition": "x > t", "kept": "x", "mask": "kept", "order": "x, t"},
    ),
)
