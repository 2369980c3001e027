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
        id="logging_tensor",
        call="subclass of Tensor",
        summary="keeps a log of each torch call in LoggingTensor.calls, and its type through ops",
        may_use=("overrides",),
        points={"log": 2, "type": 2, "mixed operands": 1, "keyword arguments": 1},
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
    ),
)
