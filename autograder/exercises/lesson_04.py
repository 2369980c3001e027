"""Lesson 4, a first Function: kill_head, abs_product, affine, scale_rows, linear, and their families.

A family chooses which part is killed, which function of a pair, which line, axis and layout.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from autograder.exercise import of_lesson
from autograder.exercises.draws import AXES
from autograder.exercises.families.axes import ALONG, chosen_axis
from autograder.exercises.families.expressions import function_of, inserted, times
from autograder.exercises.families.family import Family
from autograder.exercises.families.numbers import away_from_zero, whole_numbers
from vjpcheck.domain import Array, Domain, Integer, Optional, Real

if TYPE_CHECKING:
    from torch import Tensor


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
    scale = Real(0.3, 2, also=(3, 0.5, -4, 1)) if "/" in formula else Real(-2, 2, also=(1, 0, 3, -4))
    return {
        "summary": f"{formula}, scale and shift numbers",
        "domain": Domain(
            {"x": Array("..."), "scale": scale, "shift": Real(-2.5, 2.5, also=(0, 2, 32))}, lead=AXES
        ),
        "forward": function_of(formula, ("x", "scale", "shift")),
        "small": (whole_numbers(numbers, 2), (2, 4, -2, 0.5)[numbers.integers(4)], 3),
    }


def _weights(chosen: Any, numbers: np.random.Generator) -> Mapping[str, Any]:
    axes, place = chosen_axis(chosen)
    formula = times(chosen["factor"], chosen["form"])
    function = function_of(formula, ("x", "w"))

    def forward(x: Tensor, w: Tensor) -> Tensor:
        return function(x, w.reshape([-1 if axis == place else 1 for axis in range(axes)]))

    names = "nml"[:axes]
    shape = (3, 2) if axes == 2 else (2, 3, 1)
    return {
        "summary": f"{formula}, w along axis {place} of {axes} of x",
        "domain": Domain(
            {"x": Array(" ".join(names)), "w": Array(names[place], off=(0.0,), draw=away_from_zero)}
        ),
        "forward": forward,
        "small": (whole_numbers(numbers, *shape), np.array([2.0, -1.0, 4.0])[: shape[place]]),
    }


def _layer(chosen: Any, numbers: np.random.Generator) -> Mapping[str, Any]:
    upright, out_first = chosen["x"] == "(n, in)", chosen["weight"] == "(out, in)"

    def forward(x: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
        rows, columns = x if upright else x.T, weight.T if out_first else weight
        product: Tensor = chosen["factor"] * (rows @ columns)
        return product if bias is None else product + chosen["bias"] * bias

    x, weight = whole_numbers(numbers, 3, 2), whole_numbers(numbers, 1, 2, most=4)
    small = (x if upright else x.T, weight if out_first else weight.T, np.array([0.5]))
    return {
        "summary": f"{times(chosen['factor'], 'x @ weight')} {'-' if chosen['bias'] < 0 else '+'} "
        f"{times(abs(chosen['bias']), 'bias')}, "
        f"x {chosen['x']}, weight {chosen['weight']}",
        "domain": Domain(
            {
                "x": Array("n in" if upright else "in n"),
                "weight": Array("out in" if out_first else "in out"),
                "bias": Optional(Array("out"), left_out=True),
            }
        ),
        "forward": forward,
        "small": tuple(np.ascontiguousarray(array) for array in small),
    }


EXERCISES = of_lesson(
    4,
    Family(
        id="kill_head",
        work_name="KillPart",
        points={"forward": 1, "contract": 0.5, "gradient": 1.5, "training loop": 0.5, "second order": 0.5},
        choices={
            "axis": ("columns", "rows"),
            "part": ("first n", "last n", "all but the first n", "all but the last n"),
            "value": (0, 1, -1, 2, -2),
            "factor": (1, 2, 3, -1, -2),
        },
        make=_kill,
        own={
            "summary": "x with its first n columns set to 0",
            "small": (np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]), 1),
        },
    ),
    Family(
        id="abs_product",
        work_name="OfPair",
        points={"forward": 1, "contract": 0.5, "gradient": 2, "second order": 0.5},
        choices={
            "outer": ("abs(s)", "s**2", "s**3", "sin(s)"),
            "inner": ("u*v", "u*v**2", "u**2*v", "u/v", "v/u", "u**2/v", "v**2/u"),
            "factor": (1, 2, 3, -1, -2),
        },
        make=_pair,
        own={
            "summary": "|u·v| elementwise",
            # nothing divides by them
            "domain": Domain(dict.fromkeys("uv", Array("...", off=(0.0,))), lead=AXES),
            "small": (np.array([2.0, -3.0]), np.array([-5.0, -4.0])),
        },
    ),
    Family(
        id="affine",
        work_name="ScaleAndShift",
        points={"forward": 1, "contract": 1, "gradient": 0.5, "second order": 0.5},
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
        own={"summary": "x*scale + shift, both numbers", "small": (np.array([0.0, 100.0]), 1.8, 32)},
    ),
    Family(
        id="scale_rows",
        work_name="WeightAlong",
        points={"forward": 1, "contract": 1, "gradient": 1.5, "second order": 0.5},
        choices={
            "form": ("x*w", "x/w", "x*w**2", "x**2*w", "x**2/w"),
            "along": ALONG,
            "factor": (1, 2, -1, 3),
            "order": ("x, w", "w, x"),
        },
        make=_weights,
        own={
            "summary": "x * w[:, None]",
            "domain": Domain({"x": Array("n m"), "w": Array("n")}),  # nothing divides by w
            "small": (np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]), np.array([10.0, 0.0, -1.0])),
        },
    ),
    Family(
        id="linear",
        work_name="LinearLayer",
        points={"forward": 1, "contract": 1, "gradient": 1.5, "frozen inputs": 1, "second order": 0.5},
        choices={
            "x": ("(n, in)", "(in, n)"),
            "weight": ("(out, in)", "(in, out)"),
            "factor": (1, 2, -1, 3),
            "bias": (1, 2, -1, -2),
            "order": ("x, weight", "weight, x"),
        },
        make=_layer,
        own={
            "summary": "x @ weight.T + bias",
            "small": (
                np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]),
                np.array([[10.0, -1.0]]),
                np.array([0.5]),
            ),
        },
    ),
)
