"""Lesson 3, vector-Jacobian products of arrays: unbroadcast, and Functions that change the shape."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from autograder.exercise import Exercise, FunctionExercise, TaskExercise
from autograder.exercises.pullbacks import of_first
from vjpcheck.arguments import Arguments
from vjpcheck.numbers import ALL_DIGITS
from vjpcheck.spec import Lookalike

if TYPE_CHECKING:
    from torch import Tensor as TorchTensor

    from course.engine import Tensor

LESSON = 3


def _sum_samples(generator: np.random.Generator) -> Sequence[Arguments]:
    def x(*shape: int) -> np.ndarray:
        return generator.standard_normal(shape)

    flat = [(x(3, 2), axis, keepdims) for axis in (0, 1, None) for keepdims in (False, True)]
    of_three_axes = [(x(2, 4, 3), 1, False), (x(3, 1, 2), 2, False), (x(1, 3, 2), 0, False)]
    alike = [(x(3, 3), 0, False), (x(3, 3), 1, False), (x(2, 2, 2), None, False)]
    return [*flat, *of_three_axes, *alike]


def _sum_once(generator: np.random.Generator) -> Sequence[Arguments]:
    cases = (((2, 3, 4), 0), ((3, 2, 4), 1), ((4, 3, 2), 2), ((3, 4, 2), None), ((2, 1, 3), None))
    return [(generator.standard_normal(shape), axis, True) for shape, axis in cases]


def _matmul_samples(generator: np.random.Generator) -> Sequence[Arguments]:
    def pair(*shapes: tuple[int, ...]) -> Arguments:
        return tuple(generator.standard_normal(shape) for shape in shapes)

    return [
        pair((3, 2), (2, 4)),
        pair((2, 3, 2), (2, 2, 4)),
        pair((2, 1, 3, 2), (2, 1, 2, 3)),
        pair((3, 3), (3, 3)),
    ]


def _matmul_once(generator: np.random.Generator) -> Sequence[Arguments]:
    cases = (((2, 3), (2, 4, 2)), ((2, 1, 2), (2, 3, 2)), ((), (1, 3, 2)), ((), (2, 1, 2)))
    return [
        (generator.standard_normal((*stack, n, m)), generator.standard_normal((*stack, m, k)))
        for stack, (n, m, k) in cases
    ]


_SMALL_INDEX: Any = [2, 0, 2]  # a list stands for an array of integers, which the engine's Tensor cannot be


def _take(x: Tensor, index: Any) -> Any:
    return x[index]


def _take_samples(generator: np.random.Generator) -> Sequence[Arguments]:
    """Return rows in another order, with one of them twice and one of them never; then a vector's entries."""
    order: Any = generator.permutation(4)
    repeated: Any = [int(i) for i in (order[0], order[1], order[0])]
    moved: Any = [int(i) for i in np.roll(np.arange(3), 1)]
    return [
        (generator.standard_normal((3, 2)), moved),
        (generator.standard_normal((4, 2)), repeated),
        (generator.standard_normal(5), [3, 1, 3, 3]),
        (generator.standard_normal((3, 1)), [2, 0]),
        (generator.standard_normal((1, 2)), [0, 0, 0]),
        (generator.standard_normal((3, 3)), [2, 0, 2]),
    ]


def _take_once(generator: np.random.Generator) -> Sequence[Arguments]:
    alone: Any = [1]
    return [(generator.standard_normal(shape), alone) for shape in ((3, 2), (4,))]


def _put_back(g: TorchTensor, x: TorchTensor, index: Sequence[int]) -> TorchTensor:
    import torch

    return torch.zeros_like(x).index_add(0, torch.tensor(index), g)


def _mean_of_repeated(g: TorchTensor, x: TorchTensor, index: Sequence[int]) -> TorchTensor:
    import torch

    counts = torch.bincount(torch.tensor(index), minlength=len(x)).clamp(min=1)
    return _put_back(g, x, index) / counts.reshape(-1, *(1 for _ in x.shape[1:]))


def _by_sorted_index(g: TorchTensor, x: TorchTensor, index: Sequence[int]) -> TorchTensor:
    return _put_back(g, x, sorted(index))


EXERCISES: tuple[Exercise, ...] = (
    TaskExercise(
        id="unbroadcast",
        lesson=LESSON,
        signature="(gradient, shape)",
        summary="NumPy arrays: the sum over what broadcasting repeated",
        points={"scalars": 1, "leading axes": 1.5, "size-1 axes": 1.5, "both": 1},
    ),
    FunctionExercise(
        id="engine_sum",
        library="autograder.engine",
        tolerance=ALL_DIGITS,
        lesson=LESSON,
        signature="(x, axis?, keepdims)",
        summary="x.sum(axis, keepdims), axis a number from 0 on or None",
        points={"forward": 1, "contract": 1, "gradient": 2, "second order": 1},
        parameters=("x", "axis", "keepdims"),
        small=(np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]), 1, False),
        forward=lambda x, axis, keepdims: x.sum(axis, keepdims),
        samples=_sum_samples,
        compared_once=_sum_once,
    ),
    FunctionExercise(
        id="engine_matmul",
        library="autograder.engine",
        tolerance=ALL_DIGITS,
        lesson=LESSON,
        signature="(a, b)",
        summary="a @ b, matrices or stacks of equally many matrices",
        points={"forward": 1, "contract": 1, "gradient": 2, "second order": 1},
        parameters=("a", "b"),
        small=(np.array([[1.0, 2.0]]), np.array([[3.0, 4.0, 5.0], [6.0, 7.0, 8.0]])),
        forward=lambda a, b: a @ b,
        samples=_matmul_samples,
        compared_once=_matmul_once,
    ),
    FunctionExercise(
        id="engine_take",
        library="autograder.engine",
        tolerance=ALL_DIGITS,
        lesson=LESSON,
        signature="(x, index)",
        summary="x[index], the rows that a NumPy array of integers names",
        points={"forward": 1, "contract": 1, "gradient": 2, "second order": 1},
        parameters=("x", "index"),
        small=(np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]), _SMALL_INDEX),
        forward=_take,
        samples=_take_samples,
        compared_once=_take_once,
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
