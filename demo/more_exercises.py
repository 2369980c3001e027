"""Exercises that the demo adds to the course's own: data is all that a new exercise takes."""

from __future__ import annotations

import numpy as np

from autograder.exercise import FunctionExercise
from autograder.exercises.draws import AXES
from vjpcheck.domain import Array, Domain, Real

POINTS = {"forward": 1, "contract": 1, "gradient": 1, "second order": 1}

PRODUCT = FunctionExercise(
    id="product",
    lesson=4,
    summary="a·b",
    points=POINTS,
    domain=Domain({"a": Array("..."), "b": Array("...")}, lead=AXES),
    forward=lambda a, b: a * b,
    small=(np.array([2.0, 3.0]), np.array([10.0, -1.0])),
)

MUL_CONSTANT = FunctionExercise(
    id="mul_constant",
    lesson=4,
    summary="tensor * constant",
    points=POINTS,
    domain=Domain({"tensor": Array("..."), "constant": Real(-3, 3, also=(-3, 2))}, lead=AXES),
    forward=lambda tensor, constant: tensor * constant,
    small=(np.array([1.0, 2.0]), 10),
)

CUBE = FunctionExercise(
    id="cube",
    lesson=7,
    summary="x³; further outputs allowed",
    points=POINTS,
    domain=Domain({"x": Array("...")}, lead=AXES),
    forward=lambda x: x**3,
    small=(np.array([2.0, -1.0]),),
    further_outputs=True,
)
