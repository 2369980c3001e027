"""Lesson 4, a first Function: kill_head, abs_product, affine, scale_rows, linear."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from autograder.exercise import FunctionExercise, of_lesson
from autograder.exercises.draws import AXES
from vjpcheck.domain import Array, Domain, Integer, Optional, Real

if TYPE_CHECKING:
    from torch import Tensor


def _kill_head(x: Tensor, n: int) -> Tensor:
    import torch

    return torch.where(torch.arange(x.shape[1]) < n, 0.0, x)


def _abs_product(u: Tensor, v: Tensor) -> Tensor:
    product = u * v
    # not abs(): its second derivative makes PyTorch import its compiler, which takes longer than all checks
    return product.maximum(-product)


def _linear(x: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    import torch

    return torch.nn.functional.linear(x, weight, bias)


EXERCISES = of_lesson(
    4,
    FunctionExercise(
        id="kill_head",
        summary="x with its first n columns set to 0",
        points={"forward": 1, "contract": 0.5, "gradient": 1.5, "training loop": 0.5, "second order": 0.5},
        domain=Domain({"x": Array("rows columns"), "n": Integer(0, "columns")}),
        small=(np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]), 1),
        forward=_kill_head,
    ),
    FunctionExercise(
        id="abs_product",
        summary="|u·v| elementwise",
        points={"forward": 1, "contract": 0.5, "gradient": 2, "second order": 0.5},
        domain=Domain({"u": Array("...", off=(0.0,)), "v": Array("...", off=(0.0,))}, lead=AXES),
        small=(np.array([2.0, -3.0]), np.array([-5.0, -4.0])),
        forward=_abs_product,
    ),
    FunctionExercise(
        id="affine",
        summary="x*scale + shift, both numbers",
        points={"forward": 1, "contract": 1, "gradient": 0.5, "second order": 0.5},
        domain=Domain(
            {
                "x": Array("..."),
                "scale": Real(-2, 2, also=(1, 0, 3, -4)),
                "shift": Real(-2.5, 2.5, also=(0, 2, 32)),
            },
            lead=AXES,
        ),
        small=(np.array([0.0, 100.0]), 1.8, 32),
        forward=lambda x, scale, shift: x * scale + shift,
    ),
    FunctionExercise(
        id="scale_rows",
        summary="x * w[:, None]",
        points={"forward": 1, "contract": 1, "gradient": 1.5, "second order": 0.5},
        domain=Domain({"x": Array("n m"), "w": Array("n")}),
        small=(np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]), np.array([10.0, 0.0, -1.0])),
        forward=lambda x, w: x * w[:, None],
    ),
    FunctionExercise(
        id="linear",
        summary="x @ weight.T + bias",
        points={"forward": 1, "contract": 1, "gradient": 1.5, "frozen inputs": 1, "second order": 0.5},
        domain=Domain(
            {
                "x": Array("n in"),
                "weight": Array("out in"),
                "bias": Optional(Array("out"), left_out=True),
            }
        ),
        small=(np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]), np.array([[10.0, -1.0]]), np.array([0.5])),
        forward=_linear,
    ),
)
