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
        points={
            "parameters": 1,
            "buffer": 1,
            "forward": 1,
            "gradient": 1,
            "without bias": 0.5,
            "extra_repr": 0.5,
        },
        needs={
            "buffer": ("parameters",),
            "forward": ("parameters", "buffer"),
            "gradient": ("parameters", "buffer", "forward"),
            "without bias": ("parameters",),
            "extra_repr": ("parameters",),
        },
        is_class=True,
    ),
)
