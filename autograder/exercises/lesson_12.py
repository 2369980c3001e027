"""Lesson 12, past autograd.Function."""

from __future__ import annotations

from autograder.exercise import TaskExercise, of_lesson

EXERCISES = of_lesson(
    12,
    TaskExercise(
        id="scalar_tensor",
        call="class ScalarTensor(n, value)",
        summary="value times the identity of n rows, with __torch_function__ and tensor()",
        may_use=("overrides",),
        points={"mean": 2, "add": 2, "mul": 2},
        is_class=True,
    ),
    TaskExercise(
        id="crop_op",
        call="(image, box)",
        summary="a torch.library custom op that crops to box = (top, left, height, width); "
        "compiling it takes some seconds",
        may_use=("custom ops",),
        points={"forward": 2, "gradient": 2, "opcheck": 2, "compiled": 2},
        seconds=120.0,
        folder="custom_op",
        variant={"op": "crop_op"},
    ),
    TaskExercise(
        id="moments_op",
        call="(x) → mean and variance",
        summary="a torch.library custom op with two outputs, over the last axis, by NumPy; "
        "compiling it takes some seconds",
        may_use=("custom ops",),
        points={"forward": 1, "gradient": 2, "second order": 1, "opcheck": 1, "compiled": 1},
        seconds=120.0,
        folder="custom_op",
        variant={"op": "moments_op"},
    ),
)
