"""Lesson 2, an engine that draws itself: Functions of the engine, and the backward pass over its graph."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from autograder.exercise import Exercise, FunctionExercise, TaskExercise
from autograder.exercises import wrong_tanh
from vjpcheck.arguments import Arguments
from vjpcheck.numbers import ALL_DIGITS
from vjpcheck.spec import SATURATING

if TYPE_CHECKING:
    from course.engine import Tensor

LESSON = 2


def _mul_samples(generator: np.random.Generator) -> Sequence[Arguments]:
    def pair(*shape: int) -> Arguments:
        return generator.standard_normal(shape), generator.standard_normal(shape)

    return [pair(2, 3), pair(2, 2, 2), pair(5), pair()]


def _mul_once(generator: np.random.Generator) -> Sequence[Arguments]:
    shapes = ((3, 1), (1,), (1, 2, 1))
    return [(generator.standard_normal(shape), generator.standard_normal(shape)) for shape in shapes]


def _power_samples(generator: np.random.Generator) -> Sequence[Arguments]:
    exponents = (3, 1, -2, 0.5, -1.5, 0)
    arrays: list[Arguments] = [
        (generator.uniform(0.5, 2.0, (2, 2, 2) if p == -2 else (3,)), p) for p in exponents
    ]
    return [*arrays, (np.array(generator.uniform(0.5, 2.0)), 3)]


def _power_once(generator: np.random.Generator) -> Sequence[Arguments]:
    cases = (((3,), 2), ((2, 2), 2.0), ((3, 1), 3.0), ((1,), 3), ((1, 1), -2))
    return [(generator.uniform(0.5, 2.0, shape), p) for shape, p in cases]


def _tanh(x: Tensor) -> Any:
    return x.tanh()


def _tanh_samples(generator: np.random.Generator) -> Sequence[Arguments]:
    shapes = ((3, 4), (2, 2, 2))
    arrays: list[Arguments] = [(generator.uniform(-1.5, 1.5, shape),) for shape in shapes]
    return [*arrays, (np.array(generator.uniform(0.3, 1.5)),)]


def _tanh_once(generator: np.random.Generator) -> Sequence[Arguments]:
    """Return axes of size 1, and numbers between those of which exp and exp of their double overflow."""
    between = np.array([-500.0, 400.0, 89.0, -30.0, 0.5, 720.0])
    return [(between,), *((generator.uniform(-1.5, 1.5, shape),) for shape in ((3, 1), (1,), (1, 2, 1)))]


EXERCISES: tuple[Exercise, ...] = (
    FunctionExercise(
        id="engine_mul",
        library="autograder.engine",
        tolerance=ALL_DIGITS,
        lesson=LESSON,
        signature="(a, b)",
        summary="a*b, numbers or arrays of one shape",
        points={"forward": 0.5, "contract": 0.5, "gradient": 1.5, "second order": 0.5},
        parameters=("a", "b"),
        small=(np.array([2.0, 3.0]), np.array([10.0, -1.0])),
        forward=lambda a, b: a * b,
        samples=_mul_samples,
        compared_once=_mul_once,
    ),
    FunctionExercise(
        id="engine_power",
        library="autograder.engine",
        tolerance=ALL_DIGITS,
        lesson=LESSON,
        signature="(x, p)",
        summary="x**p, x positive, p a number",
        points={"forward": 1, "contract": 1, "gradient": 1.5, "second order": 0.5},
        parameters=("x", "p"),
        small=(np.array([1.0, 2.0]), 3),
        off_zero=("x",),
        forward=lambda x, p: x**p,
        samples=_power_samples,
        compared_once=_power_once,
    ),
    FunctionExercise(
        id="engine_tanh",
        library="autograder.engine",
        tolerance=ALL_DIGITS,
        lesson=LESSON,
        signature="(x)",
        summary="tanh x, whose backward reuses the output",
        points={"forward": 0.5, "contract": 0.5, "gradient": 1.5, "memory": 1, "second order": 0.5},
        parameters=("x",),
        small=(np.array([0.0, 0.5]),),
        forward=_tanh,
        samples=_tanh_samples,
        compared_once=_tanh_once,
        scaled=SATURATING,
        lookalikes=wrong_tanh.LOOKALIKES,
        terms=wrong_tanh.TERMS,
        keeps=("output",),
    ),
    TaskExercise(
        id="topological_order",
        lesson=LESSON,
        signature="(tensor) → list of nodes",
        summary="the nodes behind a Tensor, each before those that it sends gradients to; "
        "leaves may be left out",
        may_use=("graph",),
        points={"order": 1.5, "diamond": 1.5, "100,000 nodes": 1},
    ),
    TaskExercise(
        id="accumulate",
        lesson=LESSON,
        signature="(tensor, seed)",
        summary="the backward loop itself: adds to the .grad of every leaf",
        may_use=("graph",),
        points={"one path": 1, "a + a": 1, "fan-out": 1.5, "second call": 1, "deep graph": 0.5},
    ),
)
