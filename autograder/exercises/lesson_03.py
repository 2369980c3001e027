"""Lesson 3, vector-Jacobian products of arrays: unbroadcast, and Functions that change the shape."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from autograder.exercise import TaskExercise, of_engine, of_lesson
from autograder.exercises.pullbacks import of_first
from vjpcheck.domain import INTEGERS, Array, Axis, Choice, Domain, Index
from vjpcheck.spec import Lookalike

if TYPE_CHECKING:
    from torch import Tensor as TorchTensor

    from course.engine import Tensor


def _take(x: Tensor, index: Any) -> Any:
    return x[index]


def _put_back(g: TorchTensor, x: TorchTensor, index: TorchTensor) -> TorchTensor:
    import torch

    return torch.zeros_like(x).index_add(0, index.long(), g)


def _mean_of_repeated(g: TorchTensor, x: TorchTensor, index: TorchTensor) -> TorchTensor:
    import torch

    counts = torch.bincount(index, minlength=len(x)).clamp(min=1)
    return _put_back(g, x, index) / counts.reshape(-1, *(1 for _ in x.shape[1:]))


def _by_sorted_index(g: TorchTensor, x: TorchTensor, index: TorchTensor) -> TorchTensor:
    return _put_back(g, x, index.sort().values)


EXERCISES = of_lesson(
    3,
    TaskExercise(
        id="unbroadcast",
        call="(gradient, shape)",
        summary="NumPy arrays: the sum over what broadcasting repeated",
        points={"scalars": 1, "leading axes": 1.5, "size-1 axes": 1.5, "both": 1},
    ),
    of_engine(
        id="engine_sum",
        summary="x.sum(axis, keepdims), axis a number from 0 on or None",
        points={"forward": 1, "contract": 1, "gradient": 2, "second order": 1},
        domain=Domain(
            {
                "x": Array("..."),
                "axis": Axis("x", from_the_end=False, or_none=True),
                "keepdims": Choice((False, True, False)),
            },
            lead=(2, 3),
        ),
        small=(np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]), 1, False),
        forward=lambda x, axis, keepdims: x.sum(axis, keepdims),
    ),
    of_engine(
        id="engine_matmul",
        summary="a @ b, matrices or stacks of equally many matrices",
        points={"forward": 1, "contract": 1, "gradient": 2, "second order": 1},
        domain=Domain({"a": Array("... n m"), "b": Array("... m k")}),
        small=(np.array([[1.0, 2.0]]), np.array([[3.0, 4.0, 5.0], [6.0, 7.0, 8.0]])),
        forward=lambda a, b: a @ b,
    ),
    of_engine(
        id="engine_take",
        summary="x[index], the rows that a NumPy array of integers names",
        points={"forward": 1, "contract": 1, "gradient": 2, "second order": 1},
        domain=Domain(
            {"x": Array("rows ..."), "index": Index("k", below="rows", dtypes=INTEGERS)},
            lead=(0, 1),
            lead_name="columns",
        ),
        small=(np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]), np.array([2, 0, 2])),
        forward=_take,
        lookalikes=[
            Lookalike(
                "mean-instead-of-sum",
                of_first(_mean_of_repeated),
                "Where the index repeats a row, its cotangents are averaged.",
            ),
            Lookalike(
                "wrong-order",
                of_first(_by_sorted_index),
                "The rows go back in the order of the sorted index.",
            ),
        ],
    ),
)
