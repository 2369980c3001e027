"""Lesson 4, a first Function: kill_head, abs_product, affine, scale_rows, linear."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from autograder.exercise import Exercise, FunctionExercise
from vjpcheck.arguments import Arguments

if TYPE_CHECKING:
    from torch import Tensor

LESSON = 4


def _away_from_zero(generator: np.random.Generator, shape: tuple[int, ...], signs: list[float]) -> np.ndarray:
    """Return values of magnitude 0.5 to 2 with the given signs, repeated."""
    values: np.ndarray = generator.uniform(0.5, 2.0, shape) * np.resize(signs, shape)
    return values


def _kill_head(x: Tensor, n: int) -> Tensor:
    import torch

    return torch.where(torch.arange(x.shape[1]) < n, 0.0, x)


def _kill_head_samples(generator: np.random.Generator) -> Sequence[Arguments]:
    cases = (((3, 5), 2), ((4, 1), 0), ((2, 4), 4), ((1, 3), 1), ((3, 3), 2))
    return [(generator.standard_normal(shape), n) for shape, n in cases]


def _abs_product(u: Tensor, v: Tensor) -> Tensor:
    product = u * v
    # not abs(): its second derivative makes PyTorch import its compiler, which takes longer than all checks
    return product.maximum(-product)


def _abs_product_samples(generator: np.random.Generator) -> Sequence[Arguments]:
    def pair(*shape: int) -> Arguments:
        """Return u and v away from the kink at 0, in all four combinations of signs."""
        return (
            _away_from_zero(generator, shape, [1.0, -1.0]),
            _away_from_zero(generator, shape, [1.0, 1.0, -1.0, -1.0]),
        )

    return [pair(3, 4), pair(2, 2, 2), pair(1)]


def _linear(x: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    import torch

    return torch.nn.functional.linear(x, weight, bias)


def _linear_samples(generator: np.random.Generator) -> Sequence[Arguments]:
    def drawn(*shapes: tuple[int, ...]) -> Arguments:
        return tuple(generator.standard_normal(shape) for shape in shapes)

    return [
        drawn((4, 2), (3, 2), (3,)),
        (*drawn((3, 4), (2, 4)), None),
        drawn((2, 3), (4, 3)),
        drawn((1, 1), (3, 1), (3,)),
        drawn((1, 1), (1, 1), (1,)),
        drawn((3, 3), (3, 3), (3,)),
    ]


def _linear_once(generator: np.random.Generator) -> Sequence[Arguments]:
    """Return one row, one column, one output, each alone."""
    cases = (((1, 3), (2, 3)), ((2, 1), (3, 1)), ((3, 2), (1, 2)))
    return [
        (
            generator.standard_normal(x),
            generator.standard_normal(weight),
            generator.standard_normal(weight[0]),
        )
        for x, weight in cases
    ]


def _abs_product_once(generator: np.random.Generator) -> Sequence[Arguments]:
    return [
        (_away_from_zero(generator, s, [1.0, -1.0]), _away_from_zero(generator, s, [1.0, 1.0, -1.0]))
        for s in ((3, 1), (1, 2, 1))
    ]


EXERCISES: tuple[Exercise, ...] = (
    FunctionExercise(
        id="kill_head",
        lesson=LESSON,
        signature="(x, n)",
        summary="x with its first n columns set to 0",
        points={"forward": 1, "contract": 0.5, "gradient": 1.5, "training loop": 0.5, "second order": 0.5},
        parameters=("x", "n"),
        small=(np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]), 1),
        forward=_kill_head,
        samples=_kill_head_samples,
    ),
    FunctionExercise(
        id="abs_product",
        lesson=LESSON,
        signature="(u, v)",
        summary="|u·v| elementwise",
        points={"forward": 1, "contract": 0.5, "gradient": 2, "second order": 0.5},
        parameters=("u", "v"),
        small=(np.array([2.0, -3.0]), np.array([-5.0, -4.0])),
        off_zero=("u", "v"),
        forward=_abs_product,
        samples=_abs_product_samples,
        compared_once=_abs_product_once,
    ),
    FunctionExercise(
        id="affine",
        lesson=LESSON,
        signature="(x, scale, shift)",
        summary="x*scale + shift, both numbers",
        points={"forward": 1, "contract": 1, "gradient": 0.5, "second order": 0.5},
        parameters=("x", "scale", "shift"),
        small=(np.array([0.0, 100.0]), 1.8, 32),
        forward=lambda x, scale, shift: x * scale + shift,
        samples=lambda generator: [
            (generator.standard_normal((3, 4)), -1.5, 0.7),
            (generator.standard_normal((2, 2, 3)), 3, 2),
            (generator.standard_normal(1), 0, -0.4),
            (generator.standard_normal((2, 2)), 1, 0),  # the output equals x
        ],
        compared_once=lambda generator: [
            (generator.standard_normal((3, 1)), 0.5, -2.5),
            (generator.standard_normal((1, 2, 1)), -4, 1.5),
        ],
    ),
    FunctionExercise(
        id="scale_rows",
        lesson=LESSON,
        signature="(x, w)",
        summary="x * w[:, None]",
        points={"forward": 1, "contract": 1, "gradient": 1.5, "second order": 0.5},
        parameters=("x", "w"),
        small=(np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]), np.array([10.0, 0.0, -1.0])),
        forward=lambda x, w: x * w[:, None],
        samples=lambda generator: [
            (generator.standard_normal((n, m)), generator.standard_normal(n))
            for n, m in ((3, 4), (4, 1), (1, 3), (3, 3))
        ],
    ),
    FunctionExercise(
        id="linear",
        lesson=LESSON,
        signature="(x, weight, bias?)",
        summary="x @ weight.T + bias",
        points={"forward": 1, "contract": 1, "gradient": 1.5, "frozen inputs": 1, "second order": 0.5},
        parameters=("x", "weight", "bias"),
        small=(np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]), np.array([[10.0, -1.0]]), np.array([0.5])),
        forward=_linear,
        samples=_linear_samples,
        compared_once=_linear_once,
    ),
)
