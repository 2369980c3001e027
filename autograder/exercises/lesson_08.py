"""Lesson 8, NumPy, SciPy and modules: numpy_sort, scipy_correlate, logsumexp, scaled_linear.

A family chooses which logarithm of a sum or of a mean of exponentials.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from autograder.exercise import FunctionExercise, TaskExercise, of_lesson
from autograder.exercises.families.expressions import inserted, times
from autograder.exercises.families.family import Family
from autograder.exercises.families.numbers import whole_numbers
from autograder.exercises.pullbacks import gradient_of, of_first, sorted_by_all_rows
from vjpcheck.domain import Array, Axis, Domain
from vjpcheck.spec import Lookalike

if TYPE_CHECKING:
    from torch import Tensor

ONE_AXIS = "The kernel is reversed along only one of its two axes."


def _correlate(x: Tensor, kernel: Tensor) -> Tensor:
    import torch

    return torch.nn.functional.conv2d(x[None, None], kernel[None, None])[0, 0]


def _logarithm(chosen: Any, numbers: np.random.Generator) -> Mapping[str, Any]:
    rate, factor, constant = chosen["rate"], chosen["factor"], chosen["rate"] * chosen["factor"]

    def forward(x: Tensor, dim: int) -> Tensor:
        count = x.shape[dim] if chosen["of"] == "mean" else 1
        result: Tensor = factor * (rate * x).logsumexp(dim) - factor * math.log(count)
        return result

    return {
        "summary": f"{times(factor, 'log(t)')} along dim, t the {chosen['of']} of {exponential(chosen)}; "
        "no overflow at 1e4",
        "domain": Domain({"x": Array("...", far=1e4), "dim": Axis("x")}, lead=(1, 5)),
        "forward": forward,
        "small": (whole_numbers(numbers, 2, 2, most=4), 1),
        "lookalikes": [
            Lookalike(
                "missing-factor",
                of_first(lambda g, x, dim: constant * _exponentials(rate * x, dim) * g.unsqueeze(dim)),
                "The exponentials are not divided by their sum.",
            ),
            Lookalike(
                "derivative-of-another-function",
                of_first(lambda g, x, dim: constant * (_exponentials(rate * x, dim) == 1) * g.unsqueeze(dim)),
                "This is the derivative of the maximum.",
            ),
        ],
    }


def exponential(chosen: Any) -> str:
    """Return the terms of the sum."""
    return inserted("exp(t)", t=times(chosen["rate"], "x"))


def _exponentials(x: Tensor, dim: int) -> Tensor:
    """Return exp(x) divided by the largest along dim, as a stable logsumexp computes it."""
    return (x - x.amax(dim, keepdim=True)).exp()


EXERCISES = of_lesson(
    8,
    FunctionExercise(
        id="numpy_sort",
        summary="sort along the last axis, by NumPy",
        points={"forward": 1, "contract": 0.5, "gradient": 2, "second order": 0.5},
        domain=Domain({"x": Array("... n", distinct=True)}),
        forward=lambda x: x.sort(-1).values,
        small=(np.array([3.0, 1.0, 2.0]),),
        lookalikes=[Lookalike("crossed-indices", sorted_by_all_rows)],
    ),
    FunctionExercise(
        id="scipy_correlate",
        summary="valid 2-D cross-correlation, by SciPy",
        points={"forward": 1, "contract": 1, "gradient": 3, "second order": 1},
        domain=Domain({"x": Array("h w"), "kernel": Array("a b")}, at_least={"h": "a", "w": "b"}),
        forward=_correlate,
        small=(np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]), np.array([[10.0, 1.0]])),
        lookalikes=[
            *(
                Lookalike(
                    "conv-not-transposed",
                    gradient_of(lambda x, kernel, axes=axes: _correlate(x, kernel.flip(axes))),
                    sentence,
                )
                for axes, sentence in (((0, 1), ""), ((0,), ONE_AXIS), ((1,), ONE_AXIS))
            ),
            Lookalike(
                "conv-not-transposed",
                lambda arguments, cotangents: (None, _correlate(arguments[0], cotangents[0].flip(0, 1))),
            ),
        ],
    ),
    Family(
        id="logsumexp",
        work_name="LogOfExponentials",
        points={"forward": 1.5, "contract": 0.5, "gradient": 2.5, "second order": 0.5},
        choices={"of": ("sum", "mean"), "rate": (1, 2, 3, -1, -2), "factor": (1, 2, 3, 4, -1, -2)},
        make=_logarithm,
        own={
            "summary": "torch.logsumexp along dim; no overflow at 1e4",
            "small": (np.log([[1.0, 3.0], [1.0, 1.0]]), 1),
        },
    ),
    TaskExercise(
        id="scaled_linear",
        call="nn.Module(in_features, out_features, bias)",
        summary="linear(x)·scale, scale a buffer",
        points={
            "parameters": 1,
            "buffer": 1,
            "forward": 1,
            "gradient": 1,
            "without bias": 0.5,
            "extra_repr": 0.5,
        },
        needs={
            "buffer": ("parameters",),
            "forward": ("parameters", "buffer"),
            "gradient": ("parameters", "buffer", "forward"),
            "without bias": ("parameters",),
            "extra_repr": ("parameters",),
        },
        is_class=True,
    ),
)
