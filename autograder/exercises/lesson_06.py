"""Lesson 6, what ctx is for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from autograder.exercise import FunctionExercise, of_lesson
from autograder.exercises.draws import AXES, SATURATING
from autograder.exercises.pullbacks import of_first
from vjpcheck.arguments import Arguments, generator
from vjpcheck.domain import Array, Domain, Real, Seed
from vjpcheck.spec import Lookalike, PullbackOf

if TYPE_CHECKING:
    from torch import Tensor


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


EXERCISES = of_lesson(
    6,
    FunctionExercise(
        id="exp_saving_output",
        summary="exp x, saving the output",
        points={"forward": 0.5, "contract": 0.5, "gradient": 1, "memory": 0.5, "second order": 0.5},
        domain=Domain({"x": Array("...", -2, 2)}, lead=AXES),
        forward=_exp,
        small=(np.log([1.0, 2.0]),),
        keeps=("output",),
    ),
    FunctionExercise(
        id="relu_inplace",
        summary="relu, modifying x",
        points={"forward": 1, "contract": 0.5, "gradient": 1, "second order": 0.5},
        domain=Domain({"x": Array("...", off=(0.0,))}, lead=AXES),
        forward=lambda x: x.relu(),
        small=(np.array([1.0, -2.0, 3.0]),),
        modifies=("x",),
    ),
    FunctionExercise(
        id="silu_recompute",
        summary="x·sigmoid(x), saving x alone",
        points={"forward": 0.5, "contract": 0.5, "gradient": 1, "memory": 0.5, "second order": 0.5},
        domain=Domain({"x": Array("...", -2, 2, scales=SATURATING, overflows=True)}, lead=AXES),
        forward=_silu,
        small=(np.array([0.0, 2.0]),),
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
        summary="x·mask/(1−p), the same mask in backward",
        points={"mask": 0.5, "forward": 0.5, "contract": 0.5, "gradient": 1, "second order": 0.5},
        domain=Domain(
            {"x": Array("..."), "p": Real(0.2, 0.7, also=(0, 0.5), below=1), "generator": Seed()}, lead=AXES
        ),
        forward=_dropout,
        small=(np.array([1.0, 2.0, 3.0, 4.0]), 0.5, generator(0)),
        observe=_observed_mask,
    ),
    FunctionExercise(
        id="sin_cos",
        outputs=2,
        summary="sin x and cos x, either output unused",
        points={"forward": 0.5, "contract": 1, "gradient": 1, "second order": 0.5},
        domain=Domain({"x": Array("...", -2, 2)}, lead=AXES),
        forward=lambda x: (x.sin(), x.cos()),
        small=(np.array([0.0, np.pi / 2]),),
        lets_none_through=True,
    ),
    FunctionExercise(
        id="max_with_index",
        outputs=2,
        summary="x.max(dim=1), the index without gradient",
        points={"forward": 1, "contract": 0.5, "gradient": 1, "second order": 0.5},
        domain=Domain({"x": Array("n m", distinct=True)}),
        forward=lambda x: x.max(dim=1),
        small=(np.array([[1.0, 7.0, 3.0], [9.0, 2.0, 4.0]]),),
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
        outputs=2,
        summary="x where x > t, else 0, and the mask, without gradient",
        points={"forward": 0.5, "contract": 0.5, "gradient": 0.5, "second order": 0.5},
        domain=Domain({"x": Array("...", off=("t",)), "t": Real(0.3, 1.5, also=(-1, 0, -2.5))}, lead=AXES),
        forward=_threshold_mask,
        small=(np.array([1.0, -2.0, 3.0, 0.0]), -1),
    ),
)
