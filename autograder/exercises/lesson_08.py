"""Lesson 8, NumPy, SciPy and modules: numpy_sort, scipy_correlate, logsumexp, scaled_linear."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from autograder.exercise import FunctionExercise, TaskExercise, of_lesson
from autograder.exercises.pullbacks import gradient_of, of_first, sorted_by_all_rows
from vjpcheck.domain import Array, Axis, Domain
from vjpcheck.spec import Lookalike

if TYPE_CHECKING:
    from torch import Tensor

ONE_AXIS = "The kernel is reversed along only one of its two axes."


def _correlate(x: Tensor, kernel: Tensor) -> Tensor:
    import torch

    return torch.nn.functional.conv2d(x[None, None], kernel[None, None])[0, 0]


def _logsumexp(x: Tensor, dim: int) -> Tensor:
    import torch

    return torch.logsumexp(x, dim)


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
    FunctionExercise(
        id="logsumexp",
        summary="torch.logsumexp along dim; no overflow at 1e4",
        points={"forward": 1.5, "contract": 0.5, "gradient": 2.5, "second order": 0.5},
        domain=Domain({"x": Array("...", far=1e4), "dim": Axis("x")}, lead=(1, 5)),
        forward=_logsumexp,
        small=(np.log([[1.0, 3.0], [1.0, 1.0]]), 1),
        lookalikes=[
            Lookalike(
                "missing-factor",
                of_first(lambda g, x, dim: _exponentials(x, dim) * g.unsqueeze(dim)),
                "The exponentials are not divided by their sum.",
            ),
            Lookalike(
                "derivative-of-another-function",
                of_first(lambda g, x, dim: (_exponentials(x, dim) == 1) * g.unsqueeze(dim)),
                "This is the derivative of the maximum.",
            ),
        ],
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
