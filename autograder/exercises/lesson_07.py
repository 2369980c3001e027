"""Lesson 7, double backward."""

from __future__ import annotations

from autograder.exercise import Exercise
from autograder.tasks.exercise import TaskExercise

LESSON = 7

EXERCISES: tuple[Exercise, ...] = (
    TaskExercise(
        id="hessian_vector_product",
        lesson=LESSON,
        signature="(fn, x, v) → H v",
        summary="the Hessian of fn at x times v, without building H",
        points={"product": 2.5, "no Hessian": 1.5},
    ),
    TaskExercise(
        id="gradient_penalty",
        lesson=LESSON,
        signature="(critic, x) → scalar",
        summary="mean((‖∇critic‖ − 1)²), differentiable in the critic's parameters",
        points={"value": 2, "differentiable": 2},
    ),
)
