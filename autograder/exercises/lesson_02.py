"""Lesson 2, an engine that draws itself: Functions of the engine, and the backward pass over its graph."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from autograder.exercise import TaskExercise, of_engine, of_lesson
from autograder.exercises import wrong_tanh
from autograder.exercises.draws import SATURATING
from vjpcheck.domain import Array, Domain, Real

if TYPE_CHECKING:
    from course.engine import Tensor


def _tanh(x: Tensor) -> Any:
    return x.tanh()


EXERCISES = of_lesson(
    2,
    of_engine(
        id="engine_mul",
        summary="a*b, numbers or arrays of one shape",
        points={"forward": 0.5, "contract": 0.5, "gradient": 1.5, "second order": 0.5},
        domain=Domain({"a": Array("..."), "b": Array("...")}),
        small=(np.array([2.0, 3.0]), np.array([10.0, -1.0])),
        forward=lambda a, b: a * b,
    ),
    of_engine(
        id="engine_power",
        summary="x**p, x positive, p a number",
        points={"forward": 1, "contract": 1, "gradient": 1.5, "second order": 0.5},
        domain=Domain({"x": Array("...", 0.5, 2.0), "p": Real(-2, 3, also=(3, 2.0, 1, -2, 0))}),
        small=(np.array([1.0, 2.0]), 3),
        forward=lambda x, p: x**p,
    ),
    of_engine(
        id="engine_tanh",
        summary="tanh x, whose backward reuses the output",
        points={"forward": 0.5, "contract": 0.5, "gradient": 1.5, "memory": 1, "second order": 0.5},
        domain=Domain({"x": Array("...", -1.5, 1.5, scales=SATURATING, overflows=True)}),
        small=(np.array([0.0, 0.5]),),
        forward=_tanh,
        lookalikes=wrong_tanh.LOOKALIKES,
        terms=wrong_tanh.TERMS,
        keeps=("output",),
    ),
    TaskExercise(
        id="topological_order",
        call="(tensor) → list of nodes",
        summary="the nodes behind a Tensor, each before those that it sends gradients to; "
        "leaves may be left out",
        may_use=("graph",),
        points={"order": 1.5, "diamond": 1.5, "100,000 nodes": 1},
    ),
    TaskExercise(
        id="accumulate",
        call="(tensor, seed)",
        summary="the backward loop itself: adds to the .grad of every leaf",
        may_use=("graph",),
        points={"one path": 1, "a + a": 1, "fan-out": 1.5, "second call": 1, "deep graph": 0.5},
    ),
)
