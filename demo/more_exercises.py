"""Exercises that the demo adds to the course's own: data is all that a new exercise takes."""

from __future__ import annotations

import numpy as np

from autograder.exercise import FunctionExercise

POINTS = {"forward": 1, "contract": 1, "gradient": 1, "second order": 1}

PRODUCT = FunctionExercise(
    id="product",
    lesson=4,
    signature="(a, b)",
    summary="a·b",
    points=POINTS,
    parameters=("a", "b"),
    forward=lambda a, b: a * b,
    small=(np.array([2.0, 3.0]), np.array([10.0, -1.0])),
    samples=lambda generator: [(generator.standard_normal((2, 3)), generator.standard_normal((2, 3)))],
)

MUL_CONSTANT = FunctionExercise(
    id="mul_constant",
    lesson=4,
    signature="(tensor, constant)",
    summary="tensor * constant",
    points=POINTS,
    parameters=("tensor", "constant"),
    forward=lambda tensor, constant: tensor * constant,
    small=(np.array([1.0, 2.0]), 10),
    samples=lambda generator: [(generator.standard_normal((2, 3)), 2.5), (generator.standard_normal(4), -3)],
)

CUBE = FunctionExercise(
    id="cube",
    lesson=7,
    signature="(x)",
    summary="x³; further outputs allowed",
    points=POINTS,
    parameters=("x",),
    forward=lambda x: x**3,
    small=(np.array([2.0, -1.0]),),
    samples=lambda generator: [(generator.standard_normal((2, 3)),)],
    further_outputs=True,
)
