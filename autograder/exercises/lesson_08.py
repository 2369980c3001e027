"""Lesson 8, NumPy, SciPy and modules."""

from __future__ import annotations

from autograder.exercise import Exercise
from autograder.tasks.exercise import TaskExercise

LESSON = 8

EXERCISES: tuple[Exercise, ...] = (
    TaskExercise(
        id="scaled_linear",
        lesson=LESSON,
        signature="nn.Module(in_features, out_features, bias)",
        summary="linear(x)·scale, scale a buffer",
        points={"parameters": 1.5, "buffer": 1, "forward": 1, "gradient": 1, "extra_repr": 0.5},
        is_class=True,
    ),
)
