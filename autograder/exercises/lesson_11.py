"""Lesson 11, torch.func: tanh_transformable, numpy_sort_vmap, scale_by_norm."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from autograder.exercise import Exercise, FunctionExercise
from autograder.exercises import wrong_tanh
from autograder.exercises.pullbacks import of_first, sorted_by_all_rows
from vjpcheck.arguments import Arguments
from vjpcheck.spec import SATURATING, Lookalike

if TYPE_CHECKING:
    from torch import Tensor

LESSON = 11


def _of_any_shape(generator: np.random.Generator) -> Sequence[Arguments]:
    return [(generator.standard_normal(shape),) for shape in ((2, 3), (2, 2, 2), (1,))]


def _apart(generator: np.random.Generator) -> Sequence[Arguments]:
    """Return numbers in random order, no two of them close to each other."""

    def shuffled(*shape: int) -> np.ndarray:
        count = int(np.prod(shape))
        places = 0.5 * generator.permutation(count) + generator.uniform(0, 0.2, count)
        found: np.ndarray = (places - count / 5).reshape(shape)
        return found

    return [
        (shuffled(3, 4),),
        (shuffled(2, 2, 2, 3),),
        (shuffled(2, 1, 4),),
        (shuffled(2, 1),),
        (shuffled(300),),  # an order that 8 bits cannot hold
        (shuffled(3, 3),),
    ]


def _once_more(arguments: Sequence[Any], cotangents: Sequence[Any]) -> Sequence[Tensor]:
    """Return the cotangent sorted by the order of x, in place of being put back."""
    return [cotangents[0].gather(-1, arguments[0].argsort(dim=-1))]


_NORM_HELD_FIXED = of_first(lambda g, x: g * x.norm())

EXERCISES: tuple[Exercise, ...] = (
    FunctionExercise(
        id="tanh_transformable",
        lesson=LESSON,
        signature="(x)",
        summary="tanh x, for every transform of torch.func",
        points={
            "forward": 0.5,
            "contract": 0.5,
            "gradient": 1,
            "second order": 0.5,
            "setup_context": 0.5,
            "jvp": 1.5,
            "vmap": 1,
            "transforms": 0.5,
        },
        parameters=("x",),
        forward=lambda x: x.tanh(),
        small=(np.array([0.0, 0.5]),),
        samples=_of_any_shape,
        compared_once=lambda generator: [
            (generator.standard_normal(shape),) for shape in ((3, 1), (1, 2, 1))
        ],
        scaled=SATURATING,
        lookalikes=wrong_tanh.LOOKALIKES,
        terms=wrong_tanh.TERMS,
        further_outputs=True,
        vmap_rule="generated",
    ),
    FunctionExercise(
        id="numpy_sort_vmap",
        lesson=LESSON,
        signature="(x)",
        summary="sort along the last axis, by NumPy, with a vmap of its own",
        points={
            "forward": 1,
            "contract": 0.5,
            "gradient": 1.5,
            "second order": 0.5,
            "setup_context": 0.5,
            "vmap": 3,
        },
        parameters=("x",),
        forward=lambda x: x.sort(dim=-1).values,
        small=(np.array([3.0, 1.0, 2.0]),),
        distinct=("x",),
        samples=_apart,
        lookalikes=[
            Lookalike("inverse-permutation", _once_more),
            Lookalike("crossed-indices", sorted_by_all_rows),
        ],
        further_outputs=True,
        vmap_rule="own",
    ),
    FunctionExercise(
        id="scale_by_norm",
        lesson=LESSON,
        signature="(x)",
        summary="x·‖x‖, for every transform of torch.func",
        points={
            "forward": 0.5,
            "contract": 0.5,
            "gradient": 1.5,
            "second order": 0.5,
            "setup_context": 0.5,
            "jvp": 1.5,
            "vmap": 0.5,
            "transforms": 0.5,
            "hessian": 1,
        },
        parameters=("x",),
        forward=lambda x: x * x.norm(),
        small=(np.array([3.0, 4.0]),),
        somewhere_not_zero=("x",),
        samples=lambda generator: [
            (generator.uniform(0.5, 1.5, 4) * [1, -1, 1, 1],),
            (generator.standard_normal(3),),
            (generator.uniform(0.5, 1.5, 1),),
        ],
        # a norm that is found as a quotient of output and input is 0 / 0 there
        compared_once=lambda generator: [
            (generator.uniform(0.5, 1.5, 3) * [0, 1, -1],),
            (generator.uniform(0.5, 1.5) * np.array([1.0, -1.0]),),
            (generator.uniform(0.5, 1.5, 3) * [1, 1, 0],),
        ],
        lookalikes=[
            Lookalike(
                "missing-term",
                _NORM_HELD_FIXED,
                "The norm is treated as a constant: the term x·(x·g)/‖x‖ is missing.",
            ),
        ],
        terms={
            "the term g·‖x‖": _NORM_HELD_FIXED,
            "the term x·(x·g)/‖x‖": of_first(lambda g, x: x * (x * g).sum() / x.norm()),
        },
        further_outputs=True,
        second_order_asked=True,
    ),
)
