"""Lesson 9, the layers of a network: softmax, cross_entropy, layer_norm, conv2d, attention."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from autograder.exercise import FunctionExercise, of_lesson
from autograder.exercises import wrong_attention, wrong_layers
from autograder.exercises.draws import both_signs, spread_rows
from autograder.exercises.pullbacks import gradient_of
from vjpcheck.arguments import Argument
from vjpcheck.domain import Array, Axis, Domain, Index, Integer, Optional, Real
from vjpcheck.spec import Lookalike

if TYPE_CHECKING:
    from torch import Tensor


def _softmax(x: Tensor, dim: int) -> Tensor:
    import torch

    return torch.softmax(x, dim)


def _cross_entropy(logits: Tensor, target: Tensor) -> Tensor:
    import torch

    return torch.nn.functional.cross_entropy(logits, target)


def _layer_norm(x: Tensor, weight: Tensor, bias: Tensor, eps: float) -> Tensor:
    import torch

    return torch.nn.functional.layer_norm(x, weight.shape, weight, bias, eps)


def _conv2d(x: Tensor, weight: Tensor, bias: Tensor | None, stride: int, padding: int) -> Tensor:
    import torch

    return torch.nn.functional.conv2d(x, weight, bias, stride, padding)


def _conv2d_reversed(
    x: Tensor, weight: Tensor, bias: Tensor | None, stride: int, padding: int, axes: tuple[int, ...]
) -> Tensor:
    """Return the convolution with the kernel reversed, along both of its axes or along one alone."""
    return _conv2d(x, weight.flip(axes), bias, stride, padding)


def _attention(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    import torch

    output: Tensor = torch.softmax(q @ k.mT / q.shape[-1] ** 0.5, -1) @ v
    return output


def _linear_in_rows(arguments: Sequence[Argument]) -> int:
    """Return the bytes of two numbers a row of q, and of changed copies of the inputs and of the output."""
    q, k, v = (np.asarray(argument) for argument in arguments)
    rows = q.size // q.shape[-1]
    return int(q.itemsize * (2 * rows + q.size + k.size + v.size + rows * v.shape[-1]))


EXERCISES = of_lesson(
    9,
    FunctionExercise(
        id="softmax",
        summary="torch.softmax along dim",
        points={"forward": 0.5, "contract": 0.5, "gradient": 1.5, "second order": 0.5},
        domain=Domain({"x": Array("..."), "dim": Axis("x")}, lead=(1, 5)),
        forward=_softmax,
        small=(np.log([[1.0, 3.0]]), 1),
        lookalikes=wrong_layers.SOFTMAX,
        terms=wrong_layers.TERMS_OF_SOFTMAX,
    ),
    FunctionExercise(
        id="cross_entropy",
        summary="mean cross entropy, integer targets",
        points={"forward": 0.5, "contract": 0.5, "gradient": 1.5, "second order": 0.5},
        domain=Domain({"logits": Array("n c"), "target": Index("n", below="c")}, wide=("c",)),
        forward=_cross_entropy,
        small=(np.log([[1.0, 3.0], [1.0, 1.0]]), np.array([1, 0])),
        lookalikes=wrong_layers.CROSS_ENTROPY,
        terms=wrong_layers.TERMS_OF_CROSS_ENTROPY,
    ),
    FunctionExercise(
        id="layer_norm",
        summary="F.layer_norm over the last axis",
        points={"forward": 1, "contract": 0.5, "gradient": 3, "second order": 0.5},
        domain=Domain(
            {
                "x": Array("... n m", draw=spread_rows, centred=True),
                "weight": Array("m", draw=both_signs),
                "bias": Array("m"),
                "eps": Real(0.05, 0.5, also=(1e-5,)),
            },
            wide=("m",),
        ),
        forward=_layer_norm,
        small=(np.array([[0.0, 3.0, 6.0]]), np.array([1.0, 2.0, 3.0]), np.array([0.5, 0.0, -1.0]), 3.0),
        lookalikes=wrong_layers.LAYER_NORM,
        terms=wrong_layers.TERMS_OF_LAYER_NORM,
    ),
    FunctionExercise(
        id="conv2d",
        summary="F.conv2d",
        points={"forward": 1, "contract": 1, "gradient": 2.5, "second order": 0.5},
        domain=Domain(
            {
                "x": Array("batch in height width"),
                "weight": Array("out in kernel_height kernel_width"),
                "bias": Optional(Array("out")),
                "stride": Integer(1, 3),
                "padding": Integer(0, 2),
            },
            at_least={"height": "kernel_height", "width": "kernel_width"},
            long=("batch", "in", "width", "out"),
        ),
        forward=_conv2d,
        seconds=20.0,  # loops over every entry are right too
        small=(
            np.array([[[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]]]),
            np.array([[[[10.0, 1.0]]]]),
            np.array([0.5]),
            1,
            0,
        ),
        lookalikes=[
            Lookalike(
                "conv-not-transposed",
                gradient_of(partial(_conv2d_reversed, axes=axes)),
            )
            for axes in ((2, 3), (2,), (3,))
        ],
    ),
    FunctionExercise(
        id="attention",
        summary="softmax(qkᵀ/√d) v",
        points={"forward": 0.5, "contract": 0.5, "gradient": 2, "memory": 0.5, "second order": 0.5},
        domain=Domain(
            {
                "q": Array("... n d", scales=()),  # very large scores are not asked for
                "k": Array("... m d", scales=()),
                "v": Array("... m e"),
            },
            together=("n", "m"),
            wide=("m",),
        ),
        forward=_attention,
        seconds=20.0,  # loops over every entry are right too
        small=(np.log([[3.0]]), np.array([[1.0], [0.0]]), np.array([[1.0, 2.0], [5.0, 6.0]])),
        keeps=("q", "k", "v", "output"),
        saves_at_most=_linear_in_rows,
        lookalikes=wrong_attention.LOOKALIKES,
        terms=wrong_attention.TERMS,
    ),
)
