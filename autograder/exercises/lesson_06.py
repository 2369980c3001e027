"""Lesson 6, what ctx is for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from autograder.exercise import Exercise, FunctionExercise
from autograder.exercises.pullbacks import of_first
from vjpcheck.arguments import Arguments, generator
from vjpcheck.spec import SATURATING, Lookalike, PullbackOf

if TYPE_CHECKING:
    from torch import Tensor

LESSON = 6


def _arrays(random: np.random.Generator) -> Sequence[Arguments]:
    return [(random.uniform(-2.0, 2.0, shape),) for shape in ((3, 4), (2, 2, 2), (1,))]


def _with_axes_of_size_1(random: np.random.Generator) -> Sequence[Arguments]:
    return [(random.uniform(-2.0, 2.0, shape),) for shape in ((3, 1), (1, 2, 1))]


def _both_signs(random: np.random.Generator) -> Sequence[Arguments]:
    """Return values away from the kink at 0, on both sides of it."""
    return [
        (random.uniform(0.5, 2.0, shape) * np.resize([1.0, -1.0, -1.0], shape),)
        for shape in ((3, 4), (2, 2, 2), (1,))
    ]


def _both_signs_with_axes_of_size_1(random: np.random.Generator) -> Sequence[Arguments]:
    return [(random.uniform(0.5, 2.0, s) * np.resize([1.0, -1.0], s),) for s in ((3, 1), (1, 2, 1))]


def _exp(x: Tensor) -> Tensor:
    return x.exp()


def _silu(x: Tensor) -> Tensor:
    return x * x.sigmoid()


# the second term of the derivative without one of its factors, from x and sigmoid(x)
SILU_WITHOUT: dict[str, Callable[[Tensor, Tensor], Tensor]] = {
    "x": lambda x, s: s * (1 - s),
    "s": lambda x, s: x * (1 - s),
    "1 − s": lambda x, s: x * s,
}


def _dropout(x: Tensor, p: float, mask: Tensor) -> Tensor:
    return x * mask / (1 - p)


def _dropout_samples(random: np.random.Generator) -> Sequence[Arguments]:
    """Return a sample without zeros, which tells mistakes apart, and two with zeros that may be kept."""
    drawn = (((3, 4), 0.3, 0), ((3, 3, 3), 0.6, 2), ((1,), 0, 1))
    return [
        (
            random.uniform(0.5, 2.0, shape) * _some_zeros(shape, zeros),
            p,
            generator(int(random.integers(2**31))),
        )
        for shape, p, zeros in drawn
    ]


def _some_zeros(shape: tuple[int, ...], zeros: int) -> np.ndarray:
    """Return that many zeros, then -1 and 1 in turn."""
    flat = np.resize([1.0, -1.0, -1.0], shape).ravel()
    flat[:zeros] = 0.0
    return flat.reshape(shape)


def _observed_mask(arguments: Arguments, outputs: Sequence[np.ndarray]) -> Arguments:
    """Read the mask off the output: which random call draws it is the student's choice."""
    x, p, _ = arguments
    assert isinstance(x, np.ndarray)
    seen = outputs[0] != 0 if outputs and outputs[0].shape == x.shape else np.ones(x.shape, dtype=bool)
    return x, p, seen


def _threshold_mask(x: Tensor, t: float) -> tuple[Tensor, Tensor]:
    import torch

    mask = x > t
    return torch.where(mask, x, 0.0), mask.to(x.dtype)


def _around_a_threshold(random: np.random.Generator) -> Sequence[Arguments]:
    """Return values on both sides of a threshold that is not 0: where it is negative, 0 passes."""
    cases = (((3, 4), 0.5), ((2, 2, 3), -0.4), ((1,), 1.25))
    drawn = [(t + random.uniform(0.2, 1.5, shape) * np.resize([1.0, -1.0], shape), t) for shape, t in cases]
    return [*drawn, (random.uniform(0.2, 1.5, (2, 2)), -2.5)]  # and all above it: the output equals x


def _close_to_a_threshold(random: np.random.Generator) -> Sequence[Arguments]:
    """Return values that a tolerance takes for the threshold, and axes of size 1."""
    steps = np.array([5e-7, -5e-7, 2e-6, -2e-6, 5e-6, -5e-6])
    wide = np.resize([1.0, -1.0], (3, 1)) * random.uniform(0.2, 1.5, (3, 1))
    return [(0.5 + steps, 0.5), (-900 + 4000 * steps[:5], -900.0), (wide + 0.25, 0.25)]


def _close_to_the_greatest(random: np.random.Generator) -> Sequence[Arguments]:
    """Return rows whose greatest entry is almost that of another one."""
    greatest = random.uniform(1.0, 2.0, (2, 1))
    return [(greatest * np.array([[1.0, 1 + 2e-6, 0.25], [1 + 3e-6, 0.5, 1.0]]),)]


def _rows(random: np.random.Generator) -> Sequence[Arguments]:
    """Return rows without ties, their greatest entries in columns that no reversal brings back."""
    drawn = []
    for shape, columns in (
        ((3, 4), [2, 0, 3]),
        ((4, 3), [1, 2, 1, 0]),
        ((2, 1), [0, 0]),
        ((1, 300), [270]),  # an index that 8 bits cannot hold
        ((3, 3), [1, 2, 0]),
    ):
        x = random.uniform(-2.0, 1.0, shape)
        x[np.arange(shape[0]), columns] = random.uniform(1.2, 2.0, shape[0])
        drawn.append((x,))
    # a maximum that starts at 0, or at -100, is greater than all of these
    far = random.uniform(-900.0, -500.0, (3, 2))
    far[[0, 1, 2], [1, 0, 1]] += 400.0
    return [*drawn, (far,)]


def _into_whole_columns(values: Callable[[Tensor], Tensor]) -> PullbackOf:
    """Return the gradient that writes values made of the cotangent into every row at the places of all."""

    def pullback(arguments: Sequence[Any], cotangents: Sequence[Any]) -> Sequence[Tensor | None]:
        (x,), g = arguments, cotangents[0]
        gradient = g.new_zeros(x.shape)
        gradient[:, x.argmax(dim=1)] = values(g)
        return [gradient]

    return pullback


def _put(arguments: Sequence[Any], cotangents: Sequence[Any]) -> Sequence[Tensor | None]:
    (x,), g = arguments, cotangents[0]
    return [g.new_zeros(x.shape).put(x.argmax(dim=1), g)]


EXERCISES: tuple[Exercise, ...] = (
    FunctionExercise(
        id="exp_saving_output",
        lesson=LESSON,
        signature="(x)",
        summary="exp x, saving the output",
        points={"forward": 0.5, "contract": 0.5, "gradient": 1, "memory": 0.5, "second order": 0.5},
        parameters=("x",),
        forward=_exp,
        small=(np.log([1.0, 2.0]),),
        samples=_arrays,
        compared_once=_with_axes_of_size_1,
        keeps=("output",),
    ),
    FunctionExercise(
        id="relu_inplace",
        lesson=LESSON,
        signature="(x)",
        summary="relu, modifying x",
        points={"forward": 1, "contract": 0.5, "gradient": 1, "second order": 0.5},
        parameters=("x",),
        forward=lambda x: x.relu(),
        small=(np.array([1.0, -2.0, 3.0]),),
        off_zero=("x",),
        samples=_both_signs,
        compared_once=_both_signs_with_axes_of_size_1,
        modifies=("x",),
    ),
    FunctionExercise(
        id="silu_recompute",
        lesson=LESSON,
        signature="(x)",
        summary="x·sigmoid(x), saving x alone",
        points={"forward": 0.5, "contract": 0.5, "gradient": 1, "memory": 0.5, "second order": 0.5},
        parameters=("x",),
        forward=_silu,
        small=(np.array([0.0, 2.0]),),
        samples=_arrays,
        compared_once=_with_axes_of_size_1,
        scaled=SATURATING,
        keeps=("x",),
        terms={
            "the term g·s, where s is sigmoid(x)": of_first(lambda g, x: g * x.sigmoid()),
            "the term g·x·s·(1 − s), where s is sigmoid(x)": of_first(
                lambda g, x: g * x * x.sigmoid() * (1 - x.sigmoid())
            ),
        },
        lookalikes=[
            Lookalike(
                "missing-factor",
                of_first(lambda g, x, second=second: g * (x.sigmoid() + second(x, x.sigmoid()))),
                f"The term g·x·s·(1 − s), where s is sigmoid(x), lacks its factor {factor}.",
            )
            for factor, second in SILU_WITHOUT.items()
        ],
    ),
    FunctionExercise(
        id="dropout_mask",
        lesson=LESSON,
        signature="(x, p, generator)",
        summary="x·mask/(1−p), the same mask in backward",
        points={"mask": 0.5, "forward": 0.5, "contract": 0.5, "gradient": 1, "second order": 0.5},
        parameters=("x", "p", "generator"),
        forward=_dropout,
        small=(np.array([1.0, 2.0, 3.0, 4.0]), 0.5, generator(0)),
        samples=_dropout_samples,
        observe=_observed_mask,
    ),
    FunctionExercise(
        id="sin_cos",
        lesson=LESSON,
        signature="(x) → 2 outputs",
        summary="sin x and cos x, either output unused",
        points={"forward": 0.5, "contract": 1, "gradient": 1, "second order": 0.5},
        parameters=("x",),
        forward=lambda x: (x.sin(), x.cos()),
        small=(np.array([0.0, np.pi / 2]),),
        samples=_arrays,
        compared_once=_with_axes_of_size_1,
        lets_none_through=True,
    ),
    FunctionExercise(
        id="max_with_index",
        lesson=LESSON,
        signature="(x) → 2 outputs",
        summary="x.max(dim=1), the index without gradient",
        points={"forward": 1, "contract": 0.5, "gradient": 1, "second order": 0.5},
        parameters=("x",),
        forward=lambda x: x.max(dim=1),
        small=(np.array([[1.0, 7.0, 3.0], [9.0, 2.0, 4.0]]),),
        distinct=("x",),
        samples=_rows,
        compared_once=_close_to_the_greatest,
        lookalikes=[
            Lookalike(
                "crossed-indices",
                _into_whole_columns(lambda g: g[:, None]),
                "Each gradient is written into whole columns, as in d[:, index] = g[:, None].",
            ),
            Lookalike(
                "crossed-indices",
                _into_whole_columns(lambda g: g),
                "The gradients of all rows are written into each row, as in d[:, index] = g.",
            ),
            Lookalike(
                "crossed-indices",
                _put,
                "The index counts within its row, and is taken as a place in the whole matrix, as in put_.",
            ),
        ],
    ),
    FunctionExercise(
        id="threshold_mask",
        lesson=LESSON,
        signature="(x, t) → 2 outputs",
        summary="x where x > t, else 0, and the mask, without gradient",
        points={"forward": 0.5, "contract": 0.5, "gradient": 0.5, "second order": 0.5},
        parameters=("x", "t"),
        forward=_threshold_mask,
        small=(np.array([1.0, -2.0, 3.0, 0.0]), -1),
        samples=_around_a_threshold,
        compared_once=_close_to_a_threshold,
    ),
)
