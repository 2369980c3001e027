"""Lesson 9, the layers of a network: softmax, cross_entropy, layer_norm, conv2d, attention."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from autograder.exercise import Exercise, FunctionExercise
from autograder.exercises import wrong_attention, wrong_layers
from autograder.exercises.pullbacks import gradient_of
from vjpcheck.arguments import Argument, Arguments
from vjpcheck.spec import Lookalike

if TYPE_CHECKING:
    from torch import Tensor

LESSON = 9

# the first axis, one in the middle and the last, counted from either end
ALONG_EACH_AXIS = (
    ((3, 4), 1),
    ((2, 3, 4), -2),
    ((5,), 0),
    ((4, 2, 1), 0),
    ((3, 2, 4), -1),
    ((2, 2, 2, 3), 2),
    ((3, 3), 0),
)


def _softmax(x: Tensor, dim: int) -> Tensor:
    import torch

    return torch.softmax(x, dim)


def _softmax_samples(generator: np.random.Generator) -> Sequence[Arguments]:
    return [(generator.standard_normal(shape), dim) for shape, dim in ALONG_EACH_AXIS]


def _cross_entropy(logits: Tensor, target: Tensor) -> Tensor:
    import torch

    return torch.nn.functional.cross_entropy(logits, target)


def _cross_entropy_samples(generator: np.random.Generator) -> Sequence[Arguments]:
    # a class twice, one not at all; targets in no order
    cases = [((3, 5), [4, 0, 4]), ((4, 3), [1, 2, 0, 1]), ((1, 4), [2]), ((3, 3), [1, 2, 1])]
    return [(generator.standard_normal(shape), np.array(target)) for shape, target in cases]


def _layer_norm(x: Tensor, weight: Tensor, bias: Tensor, eps: float) -> Tensor:
    import torch

    return torch.nn.functional.layer_norm(x, weight.shape, weight, bias, eps)


def _layer_norm_samples(generator: np.random.Generator) -> Sequence[Arguments]:
    def drawn(shape: tuple[int, ...], eps: float) -> Arguments:
        size = shape[-1]
        spread = generator.permuted(np.broadcast_to(np.linspace(-1.5, 1.5, size), shape), axis=-1)
        x = spread + generator.uniform(-0.2, 0.2, shape) + generator.standard_normal((*shape[:-1], 1))
        return x, generator.uniform(0.5, 1.5, size), generator.standard_normal(size), eps

    return [drawn((3, 5), 1e-5), drawn((2, 2, 2, 3), 0.3), drawn((2, 1, 2, 3), 0.1), drawn((3, 3), 0.2)]


def _conv2d(x: Tensor, weight: Tensor, bias: Tensor | None, stride: int, padding: int) -> Tensor:
    import torch

    return torch.nn.functional.conv2d(x, weight, bias, stride, padding)


def _conv2d_reversed(
    x: Tensor, weight: Tensor, bias: Tensor | None, stride: int, padding: int, axes: tuple[int, ...]
) -> Tensor:
    """Return the convolution with the kernel reversed, along both of its axes or along one alone."""
    return _conv2d(x, weight.flip(axes), bias, stride, padding)


def _conv2d_samples(generator: np.random.Generator) -> Sequence[Arguments]:
    """Draw strides that leave a border of the image unused or gaps between windows, and much padding."""

    def drawn(
        x: tuple[int, ...], weight: tuple[int, ...], bias: bool, stride: int, padding: int
    ) -> Arguments:
        normal = generator.standard_normal
        return normal(x), normal(weight), normal(weight[0]) if bias else None, stride, padding

    return [
        drawn((1, 2, 3, 4), (3, 2, 2, 3), True, 1, 0),
        drawn((2, 3, 5, 4), (4, 3, 3, 2), False, 1, 1),
        drawn((2, 1, 5, 6), (3, 1, 2, 3), True, 2, 1),
        drawn((1, 2, 3, 6), (4, 2, 1, 2), True, 3, 0),
        drawn((1, 3, 2, 4), (2, 3, 1, 1), True, 2, 2),
        drawn((2, 2, 3, 3), (2, 2, 2, 2), True, 1, 0),
    ]


def _conv2d_once(generator: np.random.Generator) -> Sequence[Arguments]:
    """Return strides that leave a border unused which the padding makes wider or narrower."""
    cases = (
        ((1, 2, 5, 6), (3, 2, 2, 3), 3, 1),
        ((2, 1, 4, 5), (2, 1, 2, 2), 3, 2),
        ((1, 1, 6, 3), (1, 1, 3, 1), 4, 1),
    )
    normal = generator.standard_normal
    return [(normal(x), normal(w), normal(w[0]), stride, padding) for x, w, stride, padding in cases]


def _attention(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    import torch

    output: Tensor = torch.softmax(q @ k.mT / q.shape[-1] ** 0.5, -1) @ v
    return output


def _attention_once(generator: np.random.Generator) -> Sequence[Arguments]:
    """Return several heads, windows of them, and more keys than a block of 64 holds."""
    cases = (((2, 3), 2, 3, 4, 2), ((2, 1, 2), 3, 2, 2, 3), ((), 2, 100, 3, 2))
    return [
        tuple(generator.standard_normal((*lead, *axes)) for axes in ((n, d), (m, d), (m, e)))
        for lead, n, m, d, e in cases
    ]


def _linear_in_rows(arguments: Sequence[Argument]) -> int:
    """Return the bytes of two numbers a row of q, and of changed copies of the inputs and of the output."""
    q, k, v = (np.asarray(argument) for argument in arguments)
    rows = q.size // q.shape[-1]
    return int(q.itemsize * (2 * rows + q.size + k.size + v.size + rows * v.shape[-1]))


EXERCISES: tuple[Exercise, ...] = (
    FunctionExercise(
        id="softmax",
        lesson=LESSON,
        signature="(x, dim)",
        summary="torch.softmax along dim",
        points={"forward": 0.5, "contract": 0.5, "gradient": 1.5, "second order": 0.5},
        parameters=("x", "dim"),
        forward=_softmax,
        small=(np.log([[1.0, 3.0]]), 1),
        samples=_softmax_samples,
        compared_once=lambda generator: [
            (generator.standard_normal(shape), dim)
            for shape, dim in (((2, 3, 2, 1, 2), 1), ((2, 1, 2, 2, 3), -1))
        ],
        lookalikes=wrong_layers.SOFTMAX,
        terms=wrong_layers.TERMS_OF_SOFTMAX,
    ),
    FunctionExercise(
        id="cross_entropy",
        lesson=LESSON,
        signature="(logits, target)",
        summary="mean cross entropy, integer targets",
        points={"forward": 0.5, "contract": 0.5, "gradient": 1.5, "second order": 0.5},
        parameters=("logits", "target"),
        forward=_cross_entropy,
        small=(np.log([[1.0, 3.0], [1.0, 1.0]]), np.array([1, 0])),
        samples=_cross_entropy_samples,
        compared_once=lambda generator: [
            (generator.standard_normal((300, 3)), generator.integers(0, 3, 300))
        ],
        lookalikes=wrong_layers.CROSS_ENTROPY,
        terms=wrong_layers.TERMS_OF_CROSS_ENTROPY,
    ),
    FunctionExercise(
        id="layer_norm",
        lesson=LESSON,
        signature="(x, weight, bias, eps)",
        summary="F.layer_norm over the last axis",
        points={"forward": 1, "contract": 0.5, "gradient": 3, "second order": 0.5},
        parameters=("x", "weight", "bias", "eps"),
        forward=_layer_norm,
        small=(np.array([[0.0, 3.0, 6.0]]), np.array([1.0, 2.0, 3.0]), np.array([0.5, 0.0, -1.0]), 3.0),
        samples=_layer_norm_samples,
        compared_once=lambda generator: [  # rows of one entry, of which n − 1 is 0
            (*(generator.standard_normal(shape) for shape in ((3, 1), (1,), (1,))), 0.1)
        ],
        centred=("x",),
        lookalikes=wrong_layers.LAYER_NORM,
        terms=wrong_layers.TERMS_OF_LAYER_NORM,
    ),
    FunctionExercise(
        id="conv2d",
        lesson=LESSON,
        signature="(x, weight, bias?, stride, padding)",
        summary="F.conv2d",
        points={"forward": 1, "contract": 1, "gradient": 2.5, "second order": 0.5},
        parameters=("x", "weight", "bias", "stride", "padding"),
        forward=_conv2d,
        seconds=20.0,  # loops over every entry are right too
        small=(
            np.array([[[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]]]),
            np.array([[[[10.0, 1.0]]]]),
            np.array([0.5]),
            1,
            0,
        ),
        samples=_conv2d_samples,
        compared_once=_conv2d_once,
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
        lesson=LESSON,
        signature="(q, k, v)",
        summary="softmax(qkᵀ/√d) v",
        points={"forward": 0.5, "contract": 0.5, "gradient": 2, "memory": 0.5, "second order": 0.5},
        parameters=("q", "k", "v"),
        forward=_attention,
        seconds=20.0,  # loops over every entry are right too
        small=(np.log([[3.0]]), np.array([[1.0], [0.0]]), np.array([[1.0, 2.0], [5.0, 6.0]])),
        samples=lambda generator: [
            tuple(generator.standard_normal(shape) for shape in shapes)
            for shapes in (
                ((3, 2), (4, 2), (4, 5)),
                ((2, 3, 4), (2, 2, 4), (2, 2, 1)),
                ((2, 1, 2, 3), (2, 1, 4, 3), (2, 1, 4, 1)),
                ((2, 2), (2, 2), (2, 2)),
                ((16, 2), (17, 2), (17, 1)),  # many rows, so that a matrix of weights outgrows all the rest
            )
        ],
        bounded=("q", "k"),  # very large scores are not asked for
        keeps=("q", "k", "v", "output"),
        saves_at_most=_linear_in_rows,
        compared_once=_attention_once,
        lookalikes=wrong_attention.LOOKALIKES,
        terms=wrong_attention.TERMS,
    ),
)
