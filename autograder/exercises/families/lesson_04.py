"""The families of lesson 4: which part is killed, which function of a pair, which line, axis and layout."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from autograder.exercises import lesson_04
from autograder.exercises.draws import AXES
from autograder.exercises.families.expressions import function_of, inserted, times
from autograder.exercises.families.family import Family
from autograder.exercises.families.numbers import away_from_zero, whole_numbers
from vjpcheck.arguments import Argument, Arguments
from vjpcheck.domain import Array, Domain, Integer, Kind, Optional, Real

if TYPE_CHECKING:
    from torch import Tensor

_SHIPPED = {exercise.id: exercise for exercise in lesson_04.EXERCISES}


def part_of(chosen: Any) -> str:
    """Return which part is killed, with its article."""
    part: str = chosen["part"]
    return part if "all but" in part else f"the {part}"


def _kill(chosen: Any, numbers: np.random.Generator) -> Mapping[str, Any]:
    axis, value, factor = ("rows", "columns").index(chosen["axis"]), chosen["value"], chosen["factor"]

    def forward(x: Tensor, n: int) -> Tensor:
        import torch

        size = x.shape[axis]
        place = torch.arange(size).reshape(-1, 1) if axis == 0 else torch.arange(size)
        part = {
            "first n": place < n,
            "last n": place >= size - n,
            "all but the first n": place >= n,
            "all but the last n": place < size - n,
        }[chosen["part"]]
        return torch.where(part, float(value), factor * x)

    others = {1: "the others unchanged", -1: "the others negated"}.get(factor, f"the others times {factor:g}")
    return {
        "summary": f"x with {part_of(chosen)} {chosen['axis']} set to {value:g}, {others}",
        "forward": forward,
        "domain": Domain({"x": Array("rows columns"), "n": Integer(0, chosen["axis"])}),
        "small": (whole_numbers(numbers, 3, 3), 1),
    }


def _pair(chosen: Any, numbers: np.random.Generator) -> Mapping[str, Any]:
    formula = times(chosen["factor"], inserted(chosen["outer"], s=chosen["inner"]))

    return {
        "summary": f"{formula} elementwise",
        "forward": function_of(formula, ("u", "v")),
        "domain": Domain(dict.fromkeys("uv", Array("...", off=(0.0,), draw=away_from_zero)), lead=AXES),
        "small": (2.0 * np.array([1.0, -1.0]) * numbers.integers(1, 3, 2), np.array([-1.0, 2.0])),
    }


def line(chosen: Any) -> str:
    """Return the formula of the line, in a power of x."""
    return inserted(chosen["form"], x="x" if chosen["power"] == 1 else f"x**{chosen['power']}")


def _line(chosen: Any, numbers: np.random.Generator) -> Mapping[str, Any]:
    formula = line(chosen)
    parameters = tuple(chosen["order"].split(", "))

    kinds: dict[str, Kind] = {
        "x": Array("..."),
        "scale": Real(0.3, 2, also=(3, 0.5, -4, 1)),
        "shift": Real(-2.5, 2.5, also=(2, 0, 32)),
    }

    def ordered(x: np.ndarray, scale: float, shift: float) -> Arguments:
        given: dict[str, Argument] = {"x": x, "scale": scale, "shift": shift}
        return tuple(given[name] for name in parameters)

    return {
        "summary": f"{formula}, scale and shift numbers",
        "domain": Domain({name: kinds[name] for name in parameters}, lead=AXES),
        "forward": function_of(formula, parameters),
        "small": ordered(whole_numbers(numbers, 2), (2, 4, -2, 0.5)[numbers.integers(4)], 3),
    }


def weighted_axis(chosen: Any) -> tuple[int, int]:
    """Return how many axes x has, and the place of the one along which the weights lie."""
    axes, place = chosen["along"].split("-D, axis ")
    return int(axes), int(place)


def _weights(chosen: Any, numbers: np.random.Generator) -> Mapping[str, Any]:
    axes, place = weighted_axis(chosen)
    parameters = tuple(chosen["order"].split(", "))
    formula = function_of(times(chosen["factor"], chosen["form"]), ("x", "w"))

    def forward(*given: Tensor) -> Tensor:
        x, w = (given[parameters.index(name)] for name in ("x", "w"))
        weights: Tensor = w.reshape([-1 if axis == place else 1 for axis in range(axes)])
        return formula(x, weights)

    names = "nml"[:axes]
    kinds: dict[str, Kind] = {
        "x": Array(" ".join(names)),
        "w": Array(names[place], off=(0.0,), draw=away_from_zero),
    }

    def ordered(x: np.ndarray, w: np.ndarray) -> Arguments:
        return (x, w) if parameters[0] == "x" else (w, x)

    shape = (3, 2) if axes == 2 else (2, 3, 1)
    w = np.array([2.0, -1.0, 4.0])[: shape[place]]
    return {
        "summary": f"{times(chosen['factor'], chosen['form'])}, w along axis {place} of {axes} of x",
        "domain": Domain({name: kinds[name] for name in parameters}),
        "forward": forward,
        "small": ordered(whole_numbers(numbers, *shape), w),
    }


def _layer(chosen: Any, numbers: np.random.Generator) -> Mapping[str, Any]:
    first = chosen["order"].split(", ")[0]
    names = (first, "weight" if first == "x" else "x", "bias")

    kinds: dict[str, Kind] = {
        "x": Array("n in" if chosen["x"] == "(n, in)" else "in n"),
        "weight": Array("out in" if chosen["weight"] == "(out, in)" else "in out"),
        "bias": Optional(Array("out"), left_out=True),
    }

    def forward(one: Tensor, other: Tensor, bias: Tensor | None = None) -> Tensor:
        x, weight = (one, other) if first == "x" else (other, one)
        rows: Tensor = x if chosen["x"] == "(n, in)" else x.T
        product: Tensor = chosen["factor"] * (
            rows @ (weight.T if chosen["weight"] == "(out, in)" else weight)
        )
        return product if bias is None else product + chosen["bias"] * bias

    def ordered(x: np.ndarray, weight: np.ndarray, *bias: np.ndarray | None) -> Arguments:
        given_x = x if chosen["x"] == "(n, in)" else x.T
        given_weight = weight if chosen["weight"] == "(out, in)" else weight.T
        pair = (given_x, given_weight) if first == "x" else (given_weight, given_x)
        return (*map(np.ascontiguousarray, pair), *bias)

    return {
        "summary": f"{times(chosen['factor'], 'x @ weight')} {'-' if chosen['bias'] < 0 else '+'} "
        f"{times(abs(chosen['bias']), 'bias')}, "
        f"x {chosen['x']}, weight {chosen['weight']}",
        "domain": Domain({name: kinds[name] for name in names}),
        "forward": forward,
        "small": ordered(whole_numbers(numbers, 3, 2), whole_numbers(numbers, 1, 2, most=4), np.array([0.5])),
    }


FAMILIES = (
    Family(
        shipped=_SHIPPED["kill_head"],
        work_name="KillPart",
        choices={
            "axis": ("columns", "rows"),
            "part": ("first n", "last n", "all but the first n", "all but the last n"),
            "value": (0, 1, -1, 2, -2),
            "factor": (1, 2, 3, -1, -2),
        },
        make=_kill,
        shipped_as={"axis": "columns", "part": "first n", "value": 0, "factor": 1},
    ),
    Family(
        shipped=_SHIPPED["abs_product"],
        work_name="OfPair",
        choices={
            "outer": ("abs(s)", "s**2", "s**3", "sin(s)"),
            "inner": ("u*v", "u*v**2", "u**2*v", "u/v", "v/u", "u**2/v", "v**2/u"),
            "factor": (1, 2, 3, -1, -2),
        },
        make=_pair,
        shipped_as={"outer": "abs(s)", "inner": "u*v", "factor": 1},
    ),
    Family(
        shipped=_SHIPPED["affine"],
        work_name="ScaleAndShift",
        choices={
            "form": (
                "scale*x + shift",
                "scale*(x + shift)",
                "scale*(x - shift)",
                "shift - scale*x",
                "(x - shift)/scale",
                "(shift - x)/scale",
            ),
            "power": (1, 2, 3),
            "order": (
                "x, scale, shift",
                "x, shift, scale",
                "scale, x, shift",
                "shift, x, scale",
                "scale, shift, x",
                "shift, scale, x",
            ),
        },
        make=_line,
        shipped_as={"form": "scale*x + shift", "power": 1, "order": "x, scale, shift"},
    ),
    Family(
        shipped=_SHIPPED["scale_rows"],
        work_name="WeightAlong",
        choices={
            "form": ("x*w", "x/w", "x*w**2", "x**2*w", "x**2/w"),
            "along": ("2-D, axis 0", "2-D, axis 1", "3-D, axis 0", "3-D, axis 1", "3-D, axis 2"),
            "factor": (1, 2, -1, 3),
            "order": ("x, w", "w, x"),
        },
        make=_weights,
        shipped_as={"form": "x*w", "along": "2-D, axis 0", "factor": 1, "order": "x, w"},
    ),
    Family(
        shipped=_SHIPPED["linear"],
        work_name="LinearLayer",
        choices={
            "x": ("(n, in)", "(in, n)"),
            "weight": ("(out, in)", "(in, out)"),
            "factor": (1, 2, -1, 3),
            "bias": (1, 2, -1, -2),
            "order": ("x, weight", "weight, x"),
        },
        make=_layer,
        shipped_as={"x": "(n, in)", "weight": "(out, in)", "factor": 1, "bias": 1, "order": "x, weight"},
    ),
)
